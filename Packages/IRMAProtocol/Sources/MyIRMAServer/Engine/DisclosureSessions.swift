public import IRMAMessages

/// The operator's IRMA server, at which users disclose attributes.
public protocol DisclosureSessions: Sendable {
    /// Starts a session.
    func start(_ request: SessionRequest) async throws -> SessionPackage

    /// The result of a session, as far as there is one.
    ///
    /// - Parameter token: The requestor's token.
    /// - Throws: A `RemoteError` with the name `SESSION_UNKNOWN` for a session that is over and forgotten.
    func result(of token: String) async throws -> SessionResult
}

extension SessionRequest {
    /// The disclosure of one of several attributes.
    static func disclosing(oneOf attributes: [AttributeIdentifier]) -> SessionRequest {
        let options = attributes.map { AttributeConjunction([AttributeRequest($0)]) }
        return SessionRequest(.disclosing, disclose: Condiscon([AttributeDisjunction(options)]))
    }
}

extension SessionResult {
    /// The value that was disclosed, or a `RemoteError` with the name `INVALID_PROOFS`; nil before the end of the session.
    func disclosedValue() -> Result<String, RemoteError>? {
        guard status == .done else { return nil }
        guard let value = verifiedAttributes?.first??.first?.rawValue else {
            return .failure(RemoteError(.invalidProofs))
        }
        return .success(value)
    }
}
