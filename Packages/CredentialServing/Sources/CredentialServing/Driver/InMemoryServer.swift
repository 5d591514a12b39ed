public import CredentialTransport
public import HTTPTypes
import Synchronization

/// Runs an engine within the process, without a network.
///
/// ```swift
/// let server = InMemoryServer(engine)
/// let response = try await server.response(to: .post("/session", body: request))
/// ```
///
/// ``open(_:)`` gives an exchange whose body is sent and read piece by piece, and whose client may go away.
public final class InMemoryServer: Sendable {
    private let engine: any HTTPEngine
    private let peer: IPAddress?
    private let shutdown = ShutdownSignal()
    private let running = Mutex<(count: Int, waiting: [CheckedContinuation<Void, Never>])>((0, []))

    /// A server.
    ///
    /// - Parameters:
    ///   - engine: Answers the requests.
    ///   - peer: The address that clients have.
    public init(_ engine: any HTTPEngine, peer: IPAddress? = IPAddress("127.0.0.1")) {
        self.engine = engine
        self.peer = peer
    }

    /// The number of requests that the engine works on, or whose response is being sent.
    public var exchangeCount: Int { running.withLock { $0.count } }

    /// Begins an exchange.
    ///
    /// - Parameter request: The request. Its body follows by ``InMemoryExchange/send(_:)`` if it is nil.
    public func open(_ request: InMemoryRequest) -> InMemoryExchange {
        let exchange = InMemoryExchange(request.body.map { .bytes($0) } ?? .pipe)
        let serverRequest = ServerRequest(
            head: request.head,
            body: exchange.requestBody,
            peer: peer,
            shutdown: shutdown
        )
        running.withLock { $0.count += 1 }
        exchange.start { [engine] in
            await exchange.serve(serverRequest, engine)
            self.end()
        }
        return exchange
    }

    /// The whole response to a request.
    ///
    /// - Throws: ``ServingError/Code/incompleteBody`` if the response breaks off; ``ServingError/Code/cancelled``.
    public func response(to request: InMemoryRequest) async throws(ServingError) -> InMemoryResponse {
        let exchange = open(request)
        let head = try await exchange.head()
        var body: [UInt8] = []
        while let piece = try await exchange.next() { body += piece }
        return InMemoryResponse(head: head, body: body)
    }

    /// Stops the server: event streams end, and all exchanges are awaited.
    public func shutDown() async {
        shutdown.give()
        await withCheckedContinuation { continuation in
            let isIdle = running.withLock { running in
                if running.count > 0 { running.waiting.append(continuation) }
                return running.count == 0
            }
            if isIdle { continuation.resume() }
        }
    }

    private func end() {
        let waiting = running.withLock { running -> [CheckedContinuation<Void, Never>] in
            running.count -= 1
            guard running.count == 0 else { return [] }
            defer { running.waiting = [] }
            return running.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// A request to an ``InMemoryServer``.
public struct InMemoryRequest: Sendable {
    /// Method, target and header.
    public var head: HTTPRequest
    /// The body, or nil if it is sent piece by piece.
    public var body: [UInt8]?

    /// A request.
    public init(head: HTTPRequest, body: [UInt8]? = []) {
        self.head = head
        self.body = body
        if let body, !body.isEmpty, head.headerFields[.contentLength] == nil {
            self.head.headerFields[.contentLength] = String(body.count)
        }
    }

    /// A GET request.
    public static func get(_ path: String, headerFields: HTTPFields = [:]) -> InMemoryRequest {
        InMemoryRequest(.get, path, headerFields: headerFields)
    }

    /// A POST request.
    public static func post(_ path: String, headerFields: HTTPFields = [:], body: [UInt8]? = []) -> InMemoryRequest {
        InMemoryRequest(.post, path, headerFields: headerFields, body: body)
    }

    /// A request.
    public init(_ method: HTTPRequest.Method, _ path: String, headerFields: HTTPFields = [:], body: [UInt8]? = []) {
        self.init(
            head: HTTPRequest(
                method: method,
                scheme: "http",
                authority: "localhost",
                path: path,
                headerFields: headerFields
            ),
            body: body
        )
    }
}

/// A whole response of an ``InMemoryServer``.
public struct InMemoryResponse: Sendable {
    /// Status and header.
    public let head: HTTPResponse
    /// The body.
    public let body: [UInt8]

    /// A response.
    public init(head: HTTPResponse, body: [UInt8]) {
        self.head = head
        self.body = body
    }

    /// The status.
    public var status: HTTPResponse.Status { head.status }
    /// The header.
    public var headerFields: HTTPFields { head.headerFields }
}
