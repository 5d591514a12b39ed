public import CredentialTransport
import Synchronization

/// Sends messages to the URLs that clients of a server name, each several times until it is accepted.
///
/// A target that the transport refuses is tried once. Messages are on their way in this process only: a restart drops those
/// that were not accepted.
public final class CallbackDelivery: Sendable {
    /// The number of times that a message is tried.
    public static let attempts = 3
    /// The pause before the second attempt; the one before the third is twice as long.
    public static let pause = Duration.milliseconds(100)

    private let transport: any HTTPTransport
    private let timer: any Clock<Duration>
    private let maximumCount: Int
    private let tasks = Mutex<(count: Int, running: [Int: Task<Void, Never>])>((0, [:]))

    /// A delivery.
    ///
    /// - Parameters:
    ///   - transport: Sends the messages; its guard decides about private addresses.
    ///   - timer: The clock for the pauses.
    ///   - maximumCount: The largest number of messages that are on their way at a time.
    public init(transport: any HTTPTransport, timer: any Clock<Duration>, maximumCount: Int = 10_000) {
        self.transport = transport
        self.timer = timer
        self.maximumCount = maximumCount
    }

    /// Starts to send a message.
    ///
    /// - Parameters:
    ///   - message: Makes the message; nil sends none.
    ///   - whenAccepted: Called after an answer with one of the message's statuses.
    /// - Returns: `false` if as many messages as permitted are on their way, and this one is dropped.
    @discardableResult
    public func deliver(
        _ message: @escaping @Sendable () async -> HTTPTransportRequest?,
        whenAccepted: @escaping @Sendable () async -> Void = {}
    ) -> Bool {
        tasks.withLock { tasks in
            guard tasks.running.count < maximumCount else { return false }
            let number = tasks.count
            tasks.count += 1
            tasks.running[number] = Task {
                if let request = await message(), await self.isAccepted(request) { await whenAccepted() }
                _ = self.tasks.withLock { $0.running.removeValue(forKey: number) }
            }
            return true
        }
    }

    /// Waits until nothing is on its way.
    public func finish() async {
        while let task = tasks.withLock({ $0.running.first?.value }) { await task.value }
    }

    private func isAccepted(_ request: HTTPTransportRequest) async -> Bool {
        for attempt in 1...Self.attempts {
            do {
                _ = try await transport.response(to: request)
                return true
            } catch {
                guard attempt < Self.attempts, !error.code.isRefusal else { return false }
            }
            do { try await timer.sleep(for: Self.pause * attempt) } catch { return false }
        }
        return false
    }
}

extension TransportError.Code {
    /// Indicates a target that the transport refuses, now and later.
    fileprivate var isRefusal: Bool {
        [
            .invalidURL, .schemeNotAllowed, .portNotAllowed, .literalAddressNotAllowed, .addressNotAllowed, .cancelled,
        ].contains(self)
    }
}
