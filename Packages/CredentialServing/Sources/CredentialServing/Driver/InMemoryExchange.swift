public import HTTPTypes
import Synchronization

/// A request and its response in an ``InMemoryServer``, piece by piece.
///
/// The response is read by one task.
public final class InMemoryExchange: Sendable {
    enum Upload {
        case bytes([UInt8])
        case pipe
    }

    private enum Part: Sendable {
        case head(HTTPResponse)
        case piece([UInt8])
    }

    let requestBody: ServerRequestBody
    private let request = Pipe<[UInt8]>()
    private let response = Pipe<Part>()
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let knownHead = Mutex<HTTPResponse?>(nil)

    init(_ upload: Upload) {
        switch upload {
        case .bytes(let bytes): requestBody = ServerRequestBody(bytes: bytes)
        case .pipe: requestBody = ServerRequestBody(pieces: PipeSequence(pipe: request))
        }
    }

    /// Sends a piece of the request's body, and waits until the engine has taken it.
    ///
    /// - Throws: ``ServingError/Code/cancelled`` if the exchange is over.
    public func send(_ piece: [UInt8]) async throws(ServingError) {
        try await request.send(piece)
    }

    /// Ends the request's body.
    public func finish() {
        request.finish(.success(()))
    }

    /// Status and header of the response.
    ///
    /// - Throws: ``ServingError/Code/cancelled`` if the client went away before.
    public func head() async throws(ServingError) -> HTTPResponse {
        if let head = knownHead.withLock({ $0 }) { return head }
        guard case .head(let head)? = try await response.next() else {
            throw ServingError(.cancelled, "no response")
        }
        knownHead.withLock { $0 = head }
        return head
    }

    /// The next piece of the response's body, or nil at its end.
    ///
    /// - Throws: ``ServingError/Code/incompleteBody`` if the body breaks off; ``ServingError/Code/cancelled``.
    public func next() async throws(ServingError) -> [UInt8]? {
        _ = try await head()
        guard case .piece(let piece)? = try await response.next() else { return nil }
        return piece
    }

    /// Lets the client go away.
    public func disconnect() {
        let error = ServingError(.cancelled, "the client went away")
        request.finish(.failure(error))
        response.finish(.failure(error))
        task.withLock { $0 }?.cancel()
    }

    /// Waits until the engine has finished with the exchange.
    public func end() async {
        await task.withLock { $0 }?.value
    }

    func start(_ operation: @escaping @Sendable () async -> Void) {
        task.withLock { $0 = Task { await operation() } }
    }

    func serve(_ request: ServerRequest, _ engine: any HTTPEngine) async {
        let answer = await engine.response(to: request)
        do {
            try await response.send(.head(answer.head))
            try await answer.body(for: request.method).write { [response] in try await response.send(.piece($0)) }
            response.finish(.success(()))
        } catch {
            response.finish(.failure(ServingError(.incompleteBody, "the response broke off", cause: error)))
        }
        self.request.finish(.failure(ServingError(.cancelled, "the exchange is over")))
    }
}
