import CredentialServing
import IRMAMessages

extension SessionServer {
    /// The signed result of a session.
    ///
    /// - Parameter token: The requestor's token.
    /// - Throws: `RemoteError` with the name `EXCEPTION` for a server without a key, `SESSION_UNKNOWN`, `INTERNAL_ERROR`.
    public func resultToken(of token: String) async throws(RemoteError) -> String {
        try requireSigner()
        let record = try await record(.requestor(token))
        return try await delivery.token(record.result, wishes: record.wishes)
    }

    /// The signed result of a session in the layout of the older API server.
    ///
    /// - Parameter token: The requestor's token.
    /// - Throws: As ``resultToken(of:)``.
    public func legacyResultToken(of token: String) async throws(RemoteError) -> String {
        try requireSigner()
        let record = try await record(.requestor(token))
        let claims = LegacyResultClaims(
            record.result,
            issuer: options.resultIssuer,
            issuedAt: now / 1000,
            validity: record.wishes.resultValidity ?? RequestorOptions.defaultResultValidity
        )
        return try await delivery.sign(claims)
    }

    private func requireSigner() throws(RemoteError) {
        guard services.resultSigner != nil else {
            throw RemoteError(.exception, message: "JWT signing not supported")
        }
    }
}
