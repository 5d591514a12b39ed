public import CredentialServing
public import HTTPTypes

/// A law that every driver of engines keeps.
///
/// ```swift
/// @Test(arguments: HTTPServingLaw.all)
/// func keeps(_ law: HTTPServingLaw) async throws {
///     try await law.check(world)
/// }
/// ```
public struct HTTPServingLaw: Sendable, CustomStringConvertible {
    /// The law in a few words.
    public let description: String
    private let body: @Sendable (any HTTPServingWorld) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (any HTTPServingWorld) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Checks the law.
    ///
    /// - Throws: ``HTTPServingLawViolation`` if the driver breaks it.
    public func check(_ world: any HTTPServingWorld) async throws {
        try await body(world)
    }

    /// All laws.
    public static let all = messages + bodies + streams + events + times
}

/// A driver of engines under test.
public protocol HTTPServingWorld: Sendable {
    /// Runs an engine on a server of its own for the time of an operation, which gets a client.
    func run(
        _ engine: any HTTPEngine,
        _ operation: @escaping @Sendable (any HTTPServingPeer) async throws -> Void
    ) async throws
}

/// A client of a server under test, which can also stop it.
public protocol HTTPServingPeer: Sendable {
    /// Begins an exchange; the request's body is sent piece by piece if it is nil.
    func open(_ request: InMemoryRequest) async throws -> any HTTPServingExchange

    /// Stops the server gracefully, and returns when it has stopped.
    func shutDown() async throws
}

extension HTTPServingPeer {
    /// The whole response to a request.
    public func response(to request: InMemoryRequest) async throws -> InMemoryResponse {
        let exchange = try await open(request)
        let head = try await exchange.head()
        var body: [UInt8] = []
        while let piece = try await exchange.next() { body += piece }
        await exchange.disconnect()
        return InMemoryResponse(head: head, body: body)
    }
}

/// A request and its response under test, piece by piece.
public protocol HTTPServingExchange: Sendable {
    /// Sends a piece of the request's body.
    func send(_ piece: [UInt8]) async throws
    /// Ends the request's body.
    func finish() async throws
    /// Status and header of the response.
    func head() async throws -> HTTPResponse
    /// Bytes of the response's body, or nil at its end; throws if the body breaks off.
    func next() async throws -> [UInt8]?
    /// Lets the client go away.
    func disconnect() async
}

/// The way in which a driver breaks a law.
public struct HTTPServingLawViolation: Error, CustomStringConvertible {
    /// The expectation that does not hold.
    public let description: String
}

/// Throws a violation if a condition does not hold.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(HTTPServingLawViolation) {
    if !condition { throw HTTPServingLawViolation(description: message()) }
}

/// Throws a violation if two values differ.
func requireEqual<Value: Equatable>(_ left: Value, _ right: Value) throws(HTTPServingLawViolation) {
    try require(left == right, "\(left) is not \(right)")
}

/// Throws a violation if an operation throws nothing.
func requireFailure(_ message: String, _ operation: () async throws -> Void) async throws(HTTPServingLawViolation) {
    do {
        try await operation()
    } catch {
        return
    }
    throw HTTPServingLawViolation(description: message)
}
