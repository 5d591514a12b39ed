import MdocKit

/// Sends messages over a transport in the order in which they were handed in.
///
/// A message that was encrypted must go out even where the task that wanted it is cancelled: the other side counts.
struct Outbox: Sendable {
    private let transport: any MdocTransport
    private let clock: any Clock<Duration>
    private var last: Task<Void, any Error>?

    init(_ transport: any MdocTransport, _ clock: any Clock<Duration>) {
        self.transport = transport
        self.clock = clock
    }

    /// Sends a message after those before it.
    ///
    /// - Parameter failed: Called where the transport fails.
    mutating func send(_ message: [UInt8], failed: @escaping @Sendable (any Error) async -> Void) {
        let previous = last
        last = Task { [transport] in
            do {
                try await previous?.value
                try await transport.send(message)
            } catch {
                await failed(error)
                throw error
            }
        }
    }

    /// Closes the transport once everything was sent, or when that takes too long.
    ///
    /// - Returns: The task that closes the transport.
    func close(within limit: Duration) -> Task<Void, Never> {
        let last = last
        let closing = Task { [transport, clock] in
            try await clock.sleep(for: limit)
            await transport.close()
        }
        return Task { [transport] in
            _ = await last?.result
            closing.cancel()
            await transport.close()
        }
    }
}
