import MdocKit
import Synchronization

/// Messages that wait for a receiver, or a receiver that waits for messages.
final class MessageBuffer: Sendable {
    typealias Outcome = Result<[UInt8]?, MdocError>

    private struct State {
        var messages: [[UInt8]] = []
        var receiver: CheckedContinuation<Outcome, Never>?
        /// The outcome for a receiver after the last message; nil while more may come.
        var end: Outcome?
    }

    private let state = Mutex(State())

    /// Returns `true` if a receiver waits, or if the buffer has room for a message.
    ///
    /// - Parameters:
    ///   - size: The size of the message in bytes.
    ///   - limit: The largest size of all buffered messages in bytes.
    func hasRoom(for size: Int, within limit: Int) -> Bool {
        state.withLock { state in
            state.receiver != nil
                || state.messages.count < Self.maximumCount && state.messages.reduce(size) { $0 + $1.count } <= limit
        }
    }

    /// The largest number of buffered messages under a limit: more than the unanswered requests that a session allows.
    private static let maximumCount = 16

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

    /// The next message, as soon as there is one; nil if the buffer ended without an error.
    ///
    /// - Parameter close: Ends the buffer; called where the task is cancelled.
    func next(onCancel close: @Sendable () -> Void) async throws(MdocError) -> [UInt8]? {
        let outcome = await withTaskCancellationHandler {
            await next()
        } onCancel: {
            close()
        }
        return try outcome.get()
    }

    private func next() async -> Outcome {
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
