import CommandSupport
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import JSONKit

/// A requestor's calls to a server of sessions, and a frontend's.
struct RequestorClient: Sendable {
    let transport: any HTTPStreamingTransport
    /// The clock for the pauses between questions.
    let clock: any Clock<Duration>
    /// Takes a line for the user about a server that does not answer.
    let notice: @Sendable (String) -> Void

    /// A client of a transport, with the clock and the errors of the command that is running.
    init(
        transport: any HTTPStreamingTransport,
        clock: any Clock<Duration> = Console.current.timer,
        notice: @escaping @Sendable (String) -> Void = Console.current.error
    ) {
        self.transport = transport
        self.clock = clock
        self.notice = notice
    }

    /// The transport to servers that the user names: any address, with or without TLS.
    ///
    /// - Parameter authorities: The authorities that vouch for servers, beside the system's.
    static func transport(trusting authorities: AuthorityOptions) throws(ToolError) -> any HTTPStreamingTransport {
        #if Client
        return try GuardedHTTPTransport.ofCommand(.operators, trusting: authorities)
        #else
        throw ToolError("this build has no HTTP client: build it with the trait Client")
        #endif
    }

    /// Starts a session, or revokes credentials.
    ///
    /// - Returns: The body of the answer.
    func post(
        _ content: RequestorTokenClaims.Content,
        to path: String,
        of server: String,
        as authentication: RequestorAuthenticationOptions,
        at time: Date
    ) async throws -> [UInt8] {
        let url = try Self.url(server, path)
        switch authentication.method {
        case .rsa, .hmac:
            let token = try await authentication.signed(content, at: time)
            return try await send(.post(url, body: Array(token.utf8), type: MediaType("text/plain"), accepting: .any))
        case .none, .token:
            let body: [UInt8] =
                switch content {
                case .session(let message): try message.encoded()
                case .revocation(let request): try request.encoded()
                }
            var request = HTTPTransportRequest.post(url, body: body, type: .json, accepting: .any)
            if authentication.method == .token {
                try request.setField(.authorization, try authentication.keyText())
            }
            return try await send(request)
        }
    }

    /// Gets a message.
    func get<Message: IRMAMessage>(_ type: Message.Type, _ path: String, of server: String) async throws -> Message {
        try Message(decoding: try await send(.get(try Self.url(server, path), accepting: .any)))
    }

    /// Posts a frontend's message.
    ///
    /// - Returns: The body of the answer.
    func post(
        _ message: (some IRMAMessage)?,
        _ path: String,
        of url: String,
        as frontend: String
    ) async throws -> [UInt8] {
        let body = try message?.encoded() ?? []
        var request = HTTPTransportRequest.post(try Self.url(url, path), body: body, type: .json, accepting: .any)
        try request.setField(.authorization, frontend)
        return try await send(request)
    }

    /// Ends a session.
    func cancel(_ url: String) async {
        guard let url = try? HTTPURL(url) else { return }
        _ = try? await transport.response(to: .delete(url))
    }

    private func send(_ request: HTTPTransportRequest) async throws -> [UInt8] {
        var request = request
        request.acceptedStatuses = AcceptedStatuses(200...599)
        let response = try await transport.response(to: request)
        guard (200...299).contains(response.status) else { throw ServerRefusal(response) }
        return response.body
    }

    static func url(_ base: String, _ path: String) throws(ToolError) -> HTTPURL {
        do {
            return try HTTPURL((base.hasSuffix("/") ? base : base + "/") + path)
        } catch {
            throw ToolError("\(base) is no URL of a server: \(error)")
        }
    }
}

/// The answer of a server that refuses a request.
struct ServerRefusal: Error, CustomStringConvertible {
    /// The answer.
    let response: HTTPTransportResponse

    init(_ response: HTTPTransportResponse) {
        self.response = response
    }

    /// The server's reason, or the status of its answer.
    var description: String {
        let error = try? RemoteError(decoding: response.body)
        let reason = [error?.name.map { "\($0)" }, error?.summary, error?.message].compactMap { $0 }
        let text = reason.isEmpty ? "status \(response.status)" : reason.joined(separator: ": ")
        return "the server refuses: \(text)".escapedForDisplay()
    }
}

extension AddressGuard {
    /// Any address, with or without TLS, for servers that the user of a command names.
    static let operators = AddressGuard(
        allowing: [.loopback, .privateUse, .uniqueLocal, .linkLocal, .sharedAddressSpace],
        literalAddresses: true,
        plainHTTP: true,
        ports: .any
    )
}
