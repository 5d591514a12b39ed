import CredentialServing
import CryptoCore
import HTTPTypes
import IRMAMessages

extension SessionServer {
    /// The endpoints of requestors.
    var requestorRoutes: [ServerRoute] {
        [
            .get("/health") { _ in .irma(text: "OK") },
            .get("/publickey") { _ in
                guard let signer = self.services.resultSigner else { throw RemoteError(.unsupported) }
                return .irma(text: signer.publicKey.pem)
            },
            .post("/session") { request in try await self.startSession(request) },
            .delete("/session/{token}") { request in
                try await self.cancel(try request.token())
                return .irmaEmpty()
            },
            .get("/session/{token}/status") { request in
                try .irma(try await self.status(of: try request.token()))
            },
            .get("/session/{token}/statusevents") { request in
                let record = try await self.record(.requestor(try request.token()))
                return try self.events(of: record, for: request) { update in update.status.json() }
            },
            .get("/session/{token}/result") { request in
                try .irma(try await self.result(of: try request.token()))
            },
            .get("/session/{token}/result-jwt") { request in
                .irma(text: try await self.resultToken(of: try request.token()))
            },
            .get("/session/{token}/getproof") { request in
                .irma(text: try await self.legacyResultToken(of: try request.token()))
            },
            .post("/revocation") { request in try await self.revoke(request) },
        ]
    }

    /// The largest message that revokes in bytes, signed or not: it has the names of a type and of a credential.
    static let maximumRevocationSize = 64 << 10

    private func authenticate(
        _ request: ServerRequest,
        as kind: RequestorAuthenticator.Kind
    ) async throws(RemoteError) -> RequestorAuthenticator.Authenticated {
        try await RequestorAuthenticator(registry: requestors, time: now / 1000)
            .authenticate(request.headerFields, as: kind) { () async throws(RemoteError) in
                let limit = kind == .revocation ? Self.maximumRevocationSize : options.maximumBodySize
                return try await request.bytes(upTo: min(limit, options.maximumBodySize), malformed: .invalidRequest)
            }
    }

    private func startSession(_ request: ServerRequest) async throws(RemoteError) -> ServerResponse {
        let authenticated = try await authenticate(request, as: .session)
        guard case .session(let message) = authenticated.content else { throw .invalidRequest("no session request") }
        let requestor = authenticated.requestor
        do throws(IRMAError) {
            if let reason = requestors.reasonAgainst(try message.request(), by: requestor, host: host) {
                throw IRMAError(.notSatisfied, reason)
            }
        } catch {
            guard error.code == .notSatisfied else { throw .invalidRequest(error.displayText) }
            throw RemoteError(.unauthorized, message: error.message.isEmpty ? nil : error.message)
        }
        return try .irma(try await start(message, requestor: requestor, updatesSchemes: true))
    }

    private func revoke(_ request: ServerRequest) async throws(RemoteError) -> ServerResponse {
        let authenticated = try await authenticate(request, as: .revocation)
        guard case .revocation(let message) = authenticated.content else {
            throw .invalidRequest("no revocation request")
        }
        if let reason = requestors.reasonAgainstRevoking(message.type, by: authenticated.requestor) {
            throw RemoteError(.unauthorized, message: reason)
        }
        guard let authority = services.revocationAuthority, authority.isAuthority(for: message.type) else {
            throw RemoteError(.unauthorized, message: "this server revokes no credentials of the type")
        }
        do throws(IRMAServerError) {
            try await authority.revoke(message)
        } catch {
            throw error.code == .unknownRevocationKey
                ? RemoteError(.unknownRevocationKey) : RemoteError(.revocation, message: error.message)
        }
        return .irma(text: "OK")
    }
}
