import CredentialServing
import HTTPTypes
import IRMAMessages

extension SessionServer {
    /// The endpoints of frontends, each with the frontend's authorization.
    var frontendRoutes: [ServerRoute] {
        [
            .get("/session/{token}/frontend/status") { request in
                let record = try await self.frontendRecord(request)
                return try .irma(FrontendSessionStatus(record.status, nextSession: record.next))
            },
            .get("/session/{token}/frontend/statusevents") { request in
                let record = try await self.frontendRecord(request)
                return try self.events(of: record, for: request) { update throws(IRMAError) in
                    try FrontendSessionStatus(update.status, nextSession: update.next).json()
                }
            },
            .post("/session/{token}/frontend/options") { request in
                let record = try await self.frontendRecord(request)
                let body = try await request.bytes(upTo: Self.maximumOptionsSize, malformed: .malformedInput)
                let message: FrontendOptionsRequest
                do throws(IRMAError) {
                    message = try FrontendOptionsRequest(decoding: body)
                } catch {
                    throw RemoteError.malformed(error)
                }
                return try .irma(try await self.setOptions(message, of: .requestor(record.token)))
            },
            .post("/session/{token}/frontend/pairingcompleted") { request in
                let record = try await self.frontendRecord(request)
                try await self.completePairing(of: .requestor(record.token))
                return .irmaEmpty(.noContent)
            },
        ]
    }

    /// The largest message with a frontend's options in bytes, of which it needs about a hundred.
    static let maximumOptionsSize = 4 << 10

    /// The session of a frontend that has its authorization.
    private func frontendRecord(_ request: ServerRequest) async throws(RemoteError) -> SessionRecord {
        let call = try request.walletCall()
        let record = try await record(of: call)
        guard SessionTokens.areEqual(record.frontendToken, call.authorization) else { throw .notOfSession() }
        return record
    }
}
