public import IRMAMessages

/// Starts sessions at the operator's IRMA server, which issues the login attribute.
public protocol LoginAttributeIssuer: Sendable {
    /// Starts an issuance session.
    ///
    /// - Returns: The pointer that the wallet follows.
    func start(_ request: SessionRequest) async throws -> SessionPointer
}

/// The attribute that holds an account's name: wallets get it when they enrol, and log in at the keyshare server's pages
/// with it.
public struct LoginAttribute: Hashable, Sendable {
    /// The attribute, such as `pbdf.pbdf.mijnirma.email`.
    public let type: AttributeIdentifier
    /// The validity of the credential in seconds: a year.
    public let validity: Int64

    /// An attribute.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/invalidConfiguration`` for a name without four parts, and for a
    ///   validity below a day or above a hundred years.
    public init(_ type: AttributeIdentifier, validity: Int64 = 365 * 86_400) throws(KeyshareServerError) {
        guard type.isWellFormed, type.attribute != nil else {
            throw KeyshareServerError(.invalidConfiguration, "not the name of an attribute", path: [type.text])
        }
        guard (86_400...36_500 * 86_400).contains(validity) else {
            throw KeyshareServerError(.invalidConfiguration, "a validity of \(validity) seconds", path: [type.text])
        }
        self.type = type
        self.validity = validity
    }

    /// The session in which a new account gets the attribute.
    func issuance(to username: String, at now: Int64) -> SessionRequest {
        let credential = CredentialRequest(
            type.credentialType,
            attributes: [ExactText(type.attribute ?? ""): username],
            validity: now + validity
        )
        return SessionRequest(.issuing([credential]))
    }

    /// The session in which an account shows its old attribute, which may have expired, and gets a new one.
    func renewal(of username: String, at now: Int64) -> SessionRequest {
        var request = issuance(to: username, at: now)
        request.disclose = [[[AttributeRequest(type, value: username)]]]
        request.skipExpiryCheck = [type.credentialType]
        return request
    }
}
