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

    /// The transport to servers that the user names: any address, with or without TLS.
    static func transport() throws(ToolError) -> any HTTPStreamingTransport {
        #if Client
        return try GuardedHTTPTransport.ofCommand(.operators)
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
                case .session(let message): try message.encodedBytes()
                case .revocation(let request): try request.encodedBytes()
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
        let body = try message?.encodedBytes() ?? []
        var request = HTTPTransportRequest.post(try Self.url(url, path), body: body, type: .json, accepting: .any)
        try request.setField(.authorization, frontend)
        return try await send(request)
    }

    /// Ends a session.
    func cancel(_ url: String) async {
        guard let url = try? HTTPURL(url) else { return }
        _ = try? await transport.response(to: .delete(url))
    }

    /// The states of a session, each once, until a final one.
    ///
    /// They come as events; from a server without events they are asked for.
    func statuses(of pointer: SessionPointer) -> AsyncThrowingStream<SessionStatus, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: SessionStatus.self)
        let task = Task {
            do {
                var last: SessionStatus?
                func tell(_ status: SessionStatus) -> Bool {
                    if status != last { continuation.yield(status) }
                    last = status
                    return status.isFinal
                }
                if try await !followEvents(of: pointer, tell) {
                    while !tell(try await get(SessionStatus.self, "status", of: pointer.url)) {
                        try await Task.sleep(for: Self.pollInterval)
                    }
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// The time between two questions for a state.
    static let pollInterval = Duration.milliseconds(500)

    /// Follows the events of a session.
    ///
    /// - Returns: `true` for a state that is final, `false` if there are no events, or no more.
    private func followEvents(
        of pointer: SessionPointer,
        _ tell: (SessionStatus) -> Bool
    ) async throws -> Bool {
        // The state before the first event.
        if tell(try await get(SessionStatus.self, "status", of: pointer.url)) { return true }
        let events = try EventStream(at: try Self.url(pointer.url, "statusevents"), over: transport)
        do {
            for try await event in events {
                if event.type == "open" {
                    // Says that events come from now on: a change before it is found by asking.
                    if tell(try await get(SessionStatus.self, "status", of: pointer.url)) { return true }
                } else if let status = try? SessionStatus(decoding: Array(event.data.utf8)), tell(status) {
                    return true
                }
            }
        } catch {
            try Task.checkCancellation()
        }
        return false
    }

    private func send(_ request: HTTPTransportRequest) async throws -> [UInt8] {
        var request = request
        request.acceptedStatuses = AcceptedStatuses(200...599)
        let response = try await transport.response(to: request)
        guard (200...299).contains(response.status) else {
            let error = try? RemoteError(decoding: response.body)
            let reason = [error?.name.map { "\($0)" }, error?.summary, error?.message].compactMap { $0 }
            throw ToolError(
                "the server refuses: "
                    + (reason.isEmpty ? "status \(response.status)" : reason.joined(separator: ": "))
            )
        }
        return response.body
    }

    private static func url(_ base: String, _ path: String) throws(ToolError) -> HTTPURL {
        do {
            return try HTTPURL((base.hasSuffix("/") ? base : base + "/") + path)
        } catch {
            throw ToolError("\(base) is no URL of a server: \(error)")
        }
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
