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

    let requestBody: ServerRequestBody
    private let request = Pipe<[UInt8]>()
    private let response = Pipe<[UInt8]>()
    private let responseHead = Mutex<HTTPResponse?>(nil)
    /// Given when there is a header, or when there will be none.
    private let hasHead = ShutdownSignal()
    private let task = Mutex<Task<Void, Never>?>(nil)

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
        await hasHead.wait()
        guard let head = responseHead.withLock({ $0 }) else { throw ServingError(.cancelled, "no response") }
        return head
    }

    /// The next piece of the response's body, or nil at its end.
    ///
    /// - Throws: ``ServingError/Code/incompleteBody`` if the body breaks off; ``ServingError/Code/cancelled``.
    public func next() async throws(ServingError) -> [UInt8]? {
        _ = try await head()
        return try await response.next()
    }

    /// Lets the client go away.
    public func disconnect() {
        let error = ServingError(.cancelled, "the client went away")
        request.finish(.failure(error))
        response.finish(.failure(error))
        hasHead.give()
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
        if !hasHead.isGiven { responseHead.withLock { $0 = answer.head } }
        hasHead.give()
        do {
            try await answer.body(for: request.method).write { [response] in try await response.send($0) }
            response.finish(.success(()))
        } catch {
            response.finish(.failure(ServingError(.incompleteBody, "the response broke off", cause: error)))
        }
        self.request.finish(.failure(ServingError(.cancelled, "the exchange is over")))
    }
}
