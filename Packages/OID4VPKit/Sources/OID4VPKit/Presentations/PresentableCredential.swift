public import OID4VPMessages

/// A credential of the wallet that can be presented, of any format.
public enum PresentableCredential: Sendable {
    /// An mdoc.
    case mdoc(MdocCredential)
    /// An SD-JWT VC.
    case sdJWT(SDJWTCredential)
    /// A W3C credential with linked-data proofs, or as a token.
    case w3c(W3CCredential)

    /// The credential as queries see it.
    public var queryable: any QueryableCredential {
        switch self {
        case .mdoc(let credential): credential
        case .sdJWT(let credential): credential
        case .w3c(let credential): credential
        }
    }

    /// The name of the credential in the wallet.
    public var name: CredentialName { queryable.credentialName }
}

extension [PresentableCredential] {
    /// The credentials as queries see them.
    ///
    /// ```swift
    /// let result = query.evaluate(over: credentials.queryable)
    /// ```
    public var queryable: [any QueryableCredential] { map(\.queryable) }
}
