import Synchronization

/// Hands elements from one task to another; the sender waits until each was taken.
final class Pipe<Element: Sendable>: Sendable {
    private typealias Taken = Result<Element?, ServingError>

    private struct State {
        var element: Element?
        var sender: CheckedContinuation<ServingError?, Never>?
        var taker: CheckedContinuation<Taken, Never>?
        /// The end, after the element.
        var end: Result<Void, ServingError>?
    }

    private let state = Mutex(State())

    private static var cancellation: ServingError { ServingError(.cancelled, "the exchange is over") }

    /// Hands over an element, and waits until it was taken.
    ///
    /// - Throws: ``ServingError/Code/cancelled`` if the task is cancelled or the pipe was ended.
    func send(_ element: Element) async throws(ServingError) {
        let failure = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<ServingError?, Never>) in
                offer(element, continuation)
            }
        } onCancel: {
            let sender = state.withLock { state in
                defer { (state.sender, state.element) = (nil, nil) }
                return state.sender
            }
            sender?.resume(returning: Self.cancellation)
        }
        if let failure { throw failure }
    }

    private enum Action {
        case refuse
        case give(CheckedContinuation<Taken, Never>)
        case wait
    }

    private func offer(_ element: Element, _ continuation: CheckedContinuation<ServingError?, Never>) {
        let action = state.withLock { state -> Action in
            guard state.end == nil, state.sender == nil, !Task.isCancelled else { return .refuse }
            if let taker = state.taker {
                state.taker = nil
                return .give(taker)
            }
            (state.element, state.sender) = (element, continuation)
            return .wait
        }
        switch action {
        case .refuse:
            continuation.resume(returning: Self.cancellation)
        case .give(let taker):
            taker.resume(returning: .success(element))
            continuation.resume(returning: nil)
        case .wait:
            break
        }
    }

    /// Ends the sequence; an element that was not taken yet is dropped if the end is an error.
    func finish(_ end: Result<Void, ServingError>) {
        let (sender, taker) = state.withLock { state in
            if state.end == nil { state.end = end }
            if case .failure? = state.end { state.element = nil }
            let hasElement = state.element != nil
            defer {
                state.taker = nil
                if !hasElement { state.sender = nil }
            }
            return (hasElement ? nil : state.sender, state.taker)
        }
        sender?.resume(returning: Self.cancellation)
        taker?.resume(returning: end.map { nil })
    }

    /// The next element, or nil at the end.
    ///
    /// - Throws: ``ServingError/Code/cancelled`` if the task is cancelled; the error of the end.
    func next() async throws(ServingError) -> Element? {
        let taken = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let ready = ready(for: continuation) { continuation.resume(returning: ready) }
            }
        } onCancel: {
            let taker = state.withLock { state in
                defer { state.taker = nil }
                return state.taker
            }
            taker?.resume(returning: .failure(Self.cancellation))
        }
        return try taken.get()
    }

    private func ready(for continuation: CheckedContinuation<Taken, Never>) -> Taken? {
        let (ready, sender) = state.withLock { state -> (Taken?, CheckedContinuation<ServingError?, Never>?) in
            if let element = state.element {
                defer { (state.element, state.sender) = (nil, nil) }
                return (.success(element), state.sender)
            }
            if let end = state.end { return (end.map { nil }, nil) }
            guard state.taker == nil, !Task.isCancelled else { return (.failure(Self.cancellation), nil) }
            state.taker = continuation
            return (nil, nil)
        }
        sender?.resume(returning: nil)
        return ready
    }
}

/// The elements of a pipe as a sequence.
struct PipeSequence<Element: Sendable>: AsyncSequence, Sendable {
    let pipe: Pipe<Element>

    func makeAsyncIterator() -> Iterator {
        Iterator(pipe: pipe)
    }

    struct Iterator: AsyncIteratorProtocol {
        let pipe: Pipe<Element>

        mutating func next() async throws -> Element? {
            try await pipe.next()
        }
    }
}
