@_spi(Layers) import CredentialTransport
import MdocKit

/// Sends messages over a transport in the order in which they were handed in.
///
/// A message that was encrypted must go out even where the task that wanted it is cancelled: the other side counts.
struct Outbox: Sendable {
    private let transport: any MdocTransport
    private let clock: any Clock<Duration>
    private var last: Task<Void, any Error>?
    /// The last message with a request or response.
    private var lastData: Task<Void, any Error>?

    init(_ transport: any MdocTransport, _ clock: any Clock<Duration>) {
        self.transport = transport
        self.clock = clock
    }

    /// Sends a message after those before it.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - hasData: Indicates that it carries a request or response.
    ///   - failed: Called where the transport fails.
    mutating func send(
        _ message: [UInt8],
        hasData: Bool,
        failed: @escaping @Sendable (any Error) async -> Void
    ) {
        let previous = last
        let sending = Task { [transport] in
            do {
                try await previous?.value
                try await transport.send(message)
            } catch {
                await failed(error)
                throw error
            }
        }
        last = sending
        if hasData { lastData = sending }
    }

    /// Closes the transport once everything was sent, or when that takes too long.
    ///
    /// A response must not be cut off by the end of the session (ISO/IEC 18013-5, 11.1.3.3): a slow channel has as long
    /// for it as the other side has for its next message. A status alone has the shorter time.
    ///
    /// - Returns: The task that closes the transport.
    func close(_ timeouts: SessionTimeouts) -> Task<Void, Never> {
        Task { [self] in
            if let lastData { await wait(for: lastData, within: timeouts.inactivity) }
            if let last { await wait(for: last, within: timeouts.closing) }
            await transport.close()
        }
    }

    /// Waits until a message was sent, or closes the transport if that takes too long.
    private func wait(for message: Task<Void, any Error>, within limit: Duration) async {
        let timer = Task { [transport, clock] in
            try await clock.sleep(for: limit.boundedForTimers)
            await transport.close()
        }
        _ = await message.result
        timer.cancel()
    }
}
