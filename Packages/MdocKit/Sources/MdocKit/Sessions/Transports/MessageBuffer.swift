import Synchronization

/// Messages that wait for a receiver, or a receiver that waits for messages.
final class MessageBuffer: Sendable {
    typealias Outcome = Result<[UInt8]?, MdocError>

    private struct State {
        var messages: [[UInt8]] = []
        var receiver: CheckedContinuation<Outcome, Never>?
        /// What a receiver gets when no message is left; nil while more may come.
        var end: Outcome?
    }

    private let state = Mutex(State())

    /// Puts a message in; false once the buffer has ended.
    func append(_ message: [UInt8]) -> Bool {
        let (isTaken, receiver) = state.withLock { state -> (Bool, CheckedContinuation<Outcome, Never>?) in
            guard state.end == nil else { return (false, nil) }
            guard let receiver = state.receiver.take() else {
                state.messages.append(message)
                return (true, nil)
            }
            return (true, receiver)
        }
        receiver?.resume(returning: .success(message))
        return isTaken
    }

    /// Ends the buffer, now or after the messages that are in it.
    func end(with outcome: Outcome, droppingMessages: Bool) {
        let receiver = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            if droppingMessages {
                state.messages = []
                state.end = outcome
            }
            if state.end == nil { state.end = outcome }
            return state.receiver.take()
        }
        receiver?.resume(returning: outcome)
    }

    /// The next message, as soon as there is one.
    func next() async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state -> Outcome? in
                if !state.messages.isEmpty { return .success(state.messages.removeFirst()) }
                if let end = state.end { return end }
                guard state.receiver == nil else {
                    return .failure(MdocError(.concurrentUse, "another task receives already"))
                }
                state.receiver = continuation
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}
