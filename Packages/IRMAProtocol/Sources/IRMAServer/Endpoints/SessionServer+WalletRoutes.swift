import CredentialServing
import HTTPTypes
import IRMAMessages

extension SessionServer {
    /// The endpoints of wallets.
    var walletRoutes: [ServerRoute] {
        [
            .get("/session/{token}") { request in
                let fields = request.headerFields
                return ServerResponse(
                    try await self.connect(
                        try request.walletCall(),
                        from: fields[.irmaMinimumVersion],
                        to: fields[.irmaMaximumVersion]
                    )
                )
            },
            .get("/session/{token}/request") { request in
                ServerResponse(try await self.request(try request.walletCall()))
            },
            .get("/session/{token}/status") { request in
                let record = try await self.record(of: try request.walletCall())
                return try .irma(record.status)
            },
            .get("/session/{token}/statusevents") { request in
                let record = try await self.record(of: try request.walletCall())
                return try self.events(of: record, for: request) { update in update.status.json() }
            },
            .post("/session/{token}/proofs") { request in try await self.answer(.proofs, request) },
            .post("/session/{token}/commitments") { request in try await self.answer(.commitments, request) },
            .delete("/session/{token}") { request in
                let call = try request.walletCall()
                _ = try await self.record(of: call)
                try await self.cancel(.wallet(call.token))
                return .irmaEmpty()
            },
            .post("/session/{token}") { request in
                let name = try request.parameters.text("token")
                guard let message = self.staticSessions[name] else {
                    throw RemoteError.invalidRequest("unknown static session")
                }
                do throws(RemoteError) {
                    return try .irma(try await self.start(message, requestor: "").pointer)
                } catch {
                    throw error.name == .internalError
                        ? error : RemoteError(.malformedInput, message: error.message)
                }
            },
        ]
    }

    private func answer(_ endpoint: WalletEndpoint, _ request: ServerRequest) async throws -> ServerResponse {
        let answer = try await answer(endpoint, try request.walletCall()) { limit throws(RemoteError) in
            try await request.bytes(upTo: min(limit, self.options.maximumBodySize), malformed: .malformedInput)
        }
        return ServerResponse(answer)
    }

    /// The session of a wallet's request, which has to name the session's host.
    func record(of call: WalletCall) async throws(RemoteError) -> SessionRecord {
        let record = try await record(.wallet(call.token))
        try record.requireHost(call.host)
        return record
    }
}

extension HTTPField.Name {
    /// The oldest version of the protocol that a wallet speaks.
    static let irmaMinimumVersion = HTTPField.Name("X-IRMA-MinProtocolVersion") ?? .via
    /// The newest version of the protocol that a wallet speaks.
    static let irmaMaximumVersion = HTTPField.Name("X-IRMA-MaxProtocolVersion") ?? .via
}
