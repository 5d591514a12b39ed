import Synchronization

/// Hands elements from one task to another, with room for one: the sender waits until the one before was taken.
final class Handoff<Element: Sendable>: Sendable {
    private typealias Taken = Result<Element?, TransportError>

    private struct State {
        var element: Element?
        var sender: CheckedContinuation<TransportError?, Never>?
        var taker: CheckedContinuation<Taken, Never>?
        /// The end, after the element.
        var end: Result<Void, TransportError>?

        /// Takes the element, and its sender if that waits.
        mutating func take() -> (Element?, CheckedContinuation<TransportError?, Never>?) {
            guard let element else { return (nil, nil) }
            defer { (self.element, sender) = (nil, nil) }
            return (element, sender)
        }
    }

    private let state = Mutex(State())

    private static var cancellation: TransportError { TransportError(.cancelled, "the task was cancelled") }

    private static var secondReader: TransportError {
        TransportError(.exchangeFailed, "another task reads the answer")
    }

    /// Hands over an element, and waits until there is room for the next.
    ///
    /// - Throws: ``TransportError/Code/cancelled``.
    func send(_ element: Element) async throws(TransportError) {
        let taker = state.withLock { state in
            if state.taker == nil { state.element = element }
            defer { state.taker = nil }
            return state.taker
        }
        if let taker {
            taker.resume(returning: .success(element))
            return
        }
        try await waitForRoom()
    }

    private func waitForRoom() async throws(TransportError) {
        let failure = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<TransportError?, Never>) in
                let isReady = state.withLock { state in
                    guard state.element != nil, !Task.isCancelled else { return true }
                    state.sender = continuation
                    return false
                }
                if isReady { continuation.resume(returning: Task.isCancelled ? Self.cancellation : nil) }
            }
        } onCancel: {
            takeSender()?.resume(returning: Self.cancellation)
        }
        if let failure { throw failure }
    }

    /// Ends the sequence after the elements that were sent.
    func finish(_ end: Result<Void, TransportError>) {
        let taker = state.withLock { state in
            if state.end == nil { state.end = end }
            defer { state.taker = nil }
            return state.taker
        }
        taker?.resume(returning: end.map { nil })
    }

    /// The element that is ready, without waiting.
    func take() -> Element? {
        let (element, sender) = state.withLock { $0.take() }
        sender?.resume(returning: nil)
        return element
    }

    /// The next element, or nil at the end.
    ///
    /// - Throws: ``TransportError/Code/cancelled``; ``TransportError/Code/exchangeFailed`` while another task waits; the error
    ///   of the end.
    func next() async throws(TransportError) -> Element? {
        let taken = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let ready = ready(for: continuation) { continuation.resume(returning: ready) }
            }
        } onCancel: {
            takeTaker()?.resume(returning: .failure(Self.cancellation))
        }
        return try taken.get()
    }

    /// An element, the end or a refusal; or nil, and the continuation is resumed later.
    private func ready(for continuation: CheckedContinuation<Taken, Never>) -> Taken? {
        let (ready, sender) = state.withLock { state -> (Taken?, CheckedContinuation<TransportError?, Never>?) in
            let (element, sender) = state.take()
            if let element { return (.success(element), sender) }
            if let end = state.end { return (end.map { nil }, nil) }
            guard state.taker == nil else { return (.failure(Self.secondReader), nil) }
            guard !Task.isCancelled else { return (.failure(Self.cancellation), nil) }
            state.taker = continuation
            return (nil, nil)
        }
        sender?.resume(returning: nil)
        return ready
    }

    private func takeSender() -> CheckedContinuation<TransportError?, Never>? {
        state.withLock { state in
            defer { state.sender = nil }
            return state.sender
        }
    }

    private func takeTaker() -> CheckedContinuation<Taken, Never>? {
        state.withLock { state in
            defer { state.taker = nil }
            return state.taker
        }
    }
}
