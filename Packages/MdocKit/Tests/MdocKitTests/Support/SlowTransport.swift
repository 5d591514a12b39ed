import MdocKit
import MdocProximity
import Synchronization

/// One end of a channel that takes each message only when the test lets it.
final class SlowTransport: MdocTransport {
    private struct State {
        var isClosed = false
        /// The number of messages that the test has let pass and that were not yet sent.
        var permits = 0
        var sender: CheckedContinuation<Bool, Never>?
        var observers: [CheckedContinuation<Void, Never>] = []
    }

    private let end: InMemoryMdocTransport
    private let state = Mutex(State())

    init(_ end: InMemoryMdocTransport) {
        self.end = end
    }

    var maximumMessageSize: Int { end.maximumMessageSize }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Lets the next message pass.
    func passOne() {
        let sender = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let sender = state.sender.take() else {
                state.permits += 1
                return nil
            }
            return sender
        }
        sender?.resume(returning: true)
    }

    /// Waits until a message is on its way.
    func waitForSender() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sender == nil { state.observers.append(continuation) }
                return state.sender != nil
            }
            if isThere { continuation.resume() }
        }
    }

    func send(_ message: [UInt8]) async throws(MdocError) {
        let isSent = await withCheckedContinuation { continuation in
            let (outcome, observers) = state.withLock { state -> (Bool?, [CheckedContinuation<Void, Never>]) in
                if state.isClosed { return (false, []) }
                if state.permits > 0 {
                    state.permits -= 1
                    return (true, [])
                }
                state.sender = continuation
                defer { state.observers = [] }
                return (nil, state.observers)
            }
            for observer in observers { observer.resume() }
            if let outcome { continuation.resume(returning: outcome) }
        }
        guard isSent else { throw MdocError(.transportFailed, "the channel is closed") }
        try await end.send(message)
    }

    func receive() async throws(MdocError) -> [UInt8]? { try await end.receive() }

    func close() async {
        let sender = state.withLock { state in
            state.isClosed = true
            return state.sender.take()
        }
        sender?.resume(returning: false)
        await end.close()
    }
}
