import HTTPTypes
import Synchronization

/// An exchange in a task of its own, whose answer is handed to a reader.
///
/// It ends with the last reference to it.
final class StreamedExchange: Sendable {
    /// A part of the answer.
    enum Part: Sendable {
        case head(ResponseHead)
        case piece([UInt8])
    }

    private let request: HTTPTransportRequest
    private let clock: any Clock<Duration>
    private let parts: Handoff<Part>
    private let task: Task<Void, Never>

    init(
        _ request: HTTPTransportRequest,
        clock: any Clock<Duration>,
        _ operation: @escaping @Sendable (any ResponseReceiver) async throws(TransportError) -> Void
    ) {
        let forwarder = ResponseForwarder(for: request)
        self.request = request
        self.clock = clock
        parts = forwarder.parts
        // The task has no reference to the exchange, which could not end it otherwise.
        task = Task {
            do throws(TransportError) {
                try await withTimeout(request.limits.timeout, clock, of: request) { () async throws(TransportError) in
                    try await operation(forwarder)
                    guard !Task.isCancelled else { throw TransportError(.cancelled, "the task was cancelled") }
                    try forwarder.finish()
                }
                forwarder.parts.finish(.success(()))
            } catch {
                forwarder.parts.finish(.failure(error))
            }
        }
    }

    deinit {
        task.cancel()
    }

    func cancel() {
        task.cancel()
    }

    /// The next part, or nil at the end of the answer.
    func next() async throws(TransportError) -> Part? {
        if let part = parts.take() { return part }
        guard let silence = request.limits.maximumSilence else { return try await parts.next() }
        do {
            return try await withTimeout(silence, clock, for: "no byte", of: request) {
                [parts] () async throws(TransportError) in try await parts.next()
            }
        } catch {
            if error.code == .timedOut { cancel() }
            throw error
        }
    }
}

/// Hands an answer on as it arrives.
private final class ResponseForwarder: ResponseReceiver {
    let parts = Handoff<StreamedExchange.Part>()
    private let progress: Mutex<ResponseProgress>

    init(for request: HTTPTransportRequest) {
        progress = Mutex(ResponseProgress(for: request))
    }

    func receive(head: HTTPResponse) async throws(TransportError) {
        let accepted = try progress.withLock { progress throws(TransportError) in try progress.receive(head: head) }
        if let accepted { try await parts.send(.head(accepted)) }
    }

    func receive(_ piece: [UInt8]) async throws(TransportError) {
        let isAccepted = try progress.withLock { progress throws(TransportError) in try progress.receive(piece) }
        if isAccepted, !piece.isEmpty { try await parts.send(.piece(piece)) }
    }

    func finish() throws(TransportError) {
        try progress.withLock { progress throws(TransportError) in try progress.finish() }
    }
}
