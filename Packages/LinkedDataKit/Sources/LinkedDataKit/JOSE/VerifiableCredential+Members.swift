public import JSONKit

extension VerifiableCredential {
    /// The members of the credential, not verified and without proofs.
    ///
    /// Those of a token of the data model 1.1 include what its claims alone say (section 6.3.1): `iss` gives the issuer, `sub`
    /// the `id` of the subject, `jti` the `id` of the credential, `nbf` and `exp` its times. They are the members that a
    /// verification answers with.
    ///
    /// - Throws: ``LinkedDataError/Code/malformedDocument``, ``LinkedDataError/Code/invalidCredential`` for a token without a
    ///   credential, ``LinkedDataError/Code/claimMismatch`` for a claim that says something else than the credential,
    ///   ``LinkedDataError/Code/limitExceeded``.
    @_spi(Layers) public func unverifiedMembers(
        limits: DocumentLimits = .default
    ) throws(LinkedDataError) -> JSONObject {
        switch form {
        case .linkedData(let document): document.unverifiedDocument
        case .token(let token):
            try CredentialToken(token, .credential, limits: limits).completedDocument().get().members
        }
    }
}
