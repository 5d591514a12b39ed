public import CredentialTransport
import Synchronization

/// Sends messages to the URLs that clients of a server name, each until it is accepted or its time is up.
///
/// A failed attempt is followed by another after a pause, which doubles from ``pause`` to ``maximumPause``; `Retry-After`
/// prolongs it, up to the latter. No attempt begins later than ``duration`` after the first. A receiver that is started anew
/// thus gets its result. irmago ends after the third attempt, 300 ms after the first, and after any answer: it does not try
/// a receiver again that is behind a proxy and answers 502 or 503 meanwhile.
///
/// A target that the transport refuses is tried once. Messages are on their way in this process only: what a restart drops, the
/// server that made them must send again.
public final class CallbackDelivery: Sendable {
    /// The pause before the second attempt.
    public static let pause = Duration.milliseconds(100)
    /// The longest pause between two attempts.
    public static let maximumPause = Duration.seconds(30)
    /// The time in which attempts begin.
    public static let duration = Duration.seconds(300)

    private struct State {
        var count = 0
        var running: [Int: Task<Void, Never>] = [:]
        /// The names of the messages that have one.
        var names: [Int: String] = [:]
        var named: Set<String> = []
        /// The messages in a pause that no one waits for: a longer one than before the third attempt.
        var patient: Set<Int> = []
        /// The number of callers that wait for the end.
        var finishers = 0

        /// Forgets a message.
        mutating func remove(_ number: Int) -> Task<Void, Never>? {
            if let name = names.removeValue(forKey: number) { named.remove(name) }
            return running.removeValue(forKey: number)
        }
    }

    private let transport: any HTTPTransport
    private let timer: any Clock<Duration>
    private let maximumCount: Int
    private let state = Mutex(State())

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
    /// Where there is no room, a message gives way that pauses for longer than before a third attempt: one that failed
    /// three times, or whose receiver asked for more time.
    ///
    /// - Parameters:
    ///   - message: Makes the message for each attempt, so that a signed one has not expired; nil sends none. An attempt
    ///     for which it throws has failed, and is followed by another.
    ///   - name: The name of the message, for ``isUnderWay(_:)``; nil for none.
    ///   - whenAccepted: Called after an answer with one of the message's statuses.
    ///   - whenRefused: Called for a target that the transport refuses.
    /// - Returns: `false` if as many messages as permitted are on their way, and this one is dropped.
    @discardableResult
    public func deliver(
        _ message: @escaping @Sendable () async throws -> HTTPTransportRequest?,
        named name: String? = nil,
        whenAccepted: @escaping @Sendable () async -> Void = {},
        whenRefused: @escaping @Sendable (TransportError) async -> Void = { _ in }
    ) -> Bool {
        state.withLock { state in
            if state.running.count >= maximumCount {
                guard let number = state.patient.popFirst() else { return false }
                state.remove(number)?.cancel()
            }
            let number = state.count
            state.count += 1
            if let name {
                state.names[number] = name
                state.named.insert(name)
            }
            state.running[number] = Task {
                switch await self.outcome(of: number, message) {
                case .accepted: await whenAccepted()
                case .refused(let error): await whenRefused(error)
                case .givenUp: break
                }
                _ = self.state.withLock { $0.remove(number) }
            }
            return true
        }
    }

    /// Indicates that a message of a name is on its way, or waits for its next attempt.
    public func isUnderWay(_ name: String) -> Bool { state.withLock { $0.named.contains(name) } }

    /// Waits until nothing is on its way.
    ///
    /// Messages that pause for longer than before a third attempt are given up: those that failed three times, and those
    /// whose receiver asked for more time.
    public func finish() async {
        let patient = state.withLock { state in
            state.finishers += 1
            return state.patient.compactMap { state.running[$0] }
        }
        for task in patient { task.cancel() }
        while let task = state.withLock({ $0.running.first?.value }) { await task.value }
        state.withLock { $0.finishers -= 1 }
    }

    private enum Outcome {
        case accepted
        case refused(TransportError)
        case givenUp
    }

    private func outcome(
        of number: Int,
        _ message: @Sendable () async throws -> HTTPTransportRequest?
    ) async -> Outcome {
        let deadline = Deadline(timer, after: Self.duration)
        var pause = Self.pause
        while true {
            var wait = pause
            do {
                guard let request = try await message() else { return .givenUp }
                _ = try await transport.response(to: request)
                return .accepted
            } catch let error as TransportError {
                guard error.code != .cancelled else { return .givenUp }
                guard !error.code.isRefusal else { return .refused(error) }
                if let time = error.retryAfter { wait = max(pause, min(time, Self.maximumPause)) }
            } catch {
                // The message cannot be made at present: its signer may be away.
            }
            guard await sleep(number, for: wait), !deadline.hasPassed else { return .givenUp }
            pause = min(pause * 2, Self.maximumPause)
        }
    }

    /// Sleeps, and returns `false` for a message that is given up.
    private func sleep(_ number: Int, for pause: Duration) async -> Bool {
        let isPatient = pause > Self.pause * 2
        let isAwaited = state.withLock { state in
            guard isPatient, state.finishers == 0, state.running[number] != nil else { return !isPatient }
            state.patient.insert(number)
            return true
        }
        guard isAwaited else { return false }
        defer { if isPatient { state.withLock { _ = $0.patient.remove(number) } } }
        do {
            try await timer.sleep(for: pause)
            return true
        } catch {
            return false
        }
    }
}

extension TransportError.Code {
    /// Indicates a target that the transport refuses, now and later.
    fileprivate var isRefusal: Bool {
        [
            .invalidURL, .schemeNotAllowed, .portNotAllowed, .literalAddressNotAllowed, .addressNotAllowed,
        ].contains(self)
    }
}
