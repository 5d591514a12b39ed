import Dispatch
import MdocKit
import Synchronization

/// A socket that tasks wait for without holding a thread.
///
/// Every call on the descriptor is made under a lock and does not block, so that no call uses a released descriptor. A
/// waiting task resumes as soon as the socket is closed.
final class AsyncSocket: Sendable {
    /// The direction that a task waits for.
    enum Direction: Hashable, Sendable {
        case reading
        case writing
    }

    private struct State {
        var sources: [Direction: any DispatchSourceProtocol] = [:]
        var isClosed = false
        var isReleased = false
    }

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "MdocKit.AsyncSocket")
    private let state = Mutex(State())

    /// Takes over a descriptor that does not block.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close()
    }

    /// Makes a call as often as it takes, waiting in between.
    func perform<Value>(
        _ direction: Direction,
        _ call: (Int32) -> SocketCalls.Attempt<Value>
    ) async throws(MdocError) -> Value {
        while true {
            let attempt = state.withLock { $0.isClosed ? .failed(.channelClosed) : call(descriptor) }
            switch attempt {
            case .done(let value): return value
            case .failed(let error): throw error
            case .wouldBlock: try await waitUntilReady(for: direction)
            }
        }
    }

    /// Waits until a call need not wait; a task that is cancelled closes the socket.
    func waitUntilReady(for direction: Direction) async throws(MdocError) {
        let isWaiting = await withTaskCancellationHandler {
            await withCheckedContinuation { start(waitingFor: direction, $0) }
        } onCancel: {
            close()
        }
        guard isWaiting else {
            throw MdocError(.concurrentUse, "another task waits for the socket already")
        }
    }

    /// Closes the socket; the descriptor is given back once nothing watches it any more.
    ///
    /// - Returns: `true` if it was open.
    @discardableResult
    func close() -> Bool {
        state.withLock { state in
            let wasOpen = !state.isClosed
            state.isClosed = true
            for source in state.sources.values { source.cancel() }
            release(&state)
            return wasOpen
        }
    }

    private func start(waitingFor direction: Direction, _ continuation: CheckedContinuation<Bool, Never>) {
        let outcome: Bool? = state.withLock { state in
            guard !state.isClosed else { return true }
            guard state.sources[direction] == nil else { return false }
            let source = source(direction)
            source.setEventHandler { [weak self] in self?.cancel(direction) }
            source.setCancelHandler { [self] in
                forget(direction)
                continuation.resume(returning: true)
            }
            state.sources[direction] = source
            source.activate()
            return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    private func source(_ direction: Direction) -> any DispatchSourceProtocol {
        switch direction {
        case .reading: DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        case .writing: DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        }
    }

    private func cancel(_ direction: Direction) {
        state.withLock { $0.sources[direction]?.cancel() }
    }

    private func forget(_ direction: Direction) {
        state.withLock { state in
            state.sources[direction] = nil
            release(&state)
        }
    }

    private func release(_ state: inout State) {
        guard state.isClosed, state.sources.isEmpty, !state.isReleased else { return }
        state.isReleased = true
        SocketCalls.release(descriptor)
    }
}
