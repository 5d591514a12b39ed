public import CryptoCore
public import StatusListKit

/// The signer that a verifier accepts for the status list of a credential (Token Status List, section 11.3).
///
/// A token only says how its key is found. The right of that party to speak about the credential follows from the
/// credential, or from an agreement that the verifier knows of.
public struct StatusListSigner: Sendable {
    /// Returns the signer that the list of a credential must have, after every other check has passed.
    ///
    /// An error of another type than `StatusListError` becomes the cause of one with the code `notAvailable`: the status
    /// is unknown.
    public typealias Rule = @Sendable (VerifiedSDJWT) throws -> StatusListKey

    private let rule: Rule

    /// A rule of the caller's own.
    public init(_ rule: @escaping Rule) {
        self.rule = rule
    }

    /// Only the key that signed the credential, within its own restrictions; see ``issuerKeys`` for issuers that change keys.
    public static let issuerKey = StatusListSigner { credential in
        credential.issuerJWK.map(StatusListKey.jwk) ?? .publicKey(credential.issuerKey)
    }

    /// Any of the keys that the issuer publishes, where its key was found among them; otherwise the key that signed the
    /// credential.
    ///
    /// An issuer that has a new key signs with it the lists of earlier credentials, too.
    public static let issuerKeys = StatusListSigner { credential in
        credential.issuerKeySet.map(StatusListKey.jwkSet) ?? credential.issuerJWK.map(StatusListKey.jwk)
            ?? .publicKey(credential.issuerKey)
    }

    /// A signer of lists that the issuer's authority has certified as such: the token's chain ends at the same anchor
    /// as the credential's.
    ///
    /// A credential whose issuer's key did not come from certificates has an unknown status. For an issuer that signs
    /// its own lists, see ``issuerKey``.
    /// - Parameter policy: The demands on the chain of the token. The policy has to distinguish signers of lists from
    ///   others that the anchor certified, such as other issuers: `.statusListTokenSigner(purposes:)` does so by the
    ///   extended key usage (Token Status List, section 10), `.statusListSigner` by the profile of ISO/IEC 18013-5.
    public static func issuerAnchor(policy: CertificatePathPolicy) -> StatusListSigner {
        StatusListSigner { credential in
            guard let chain = credential.issuerCertificateChain else {
                throw StatusListError(.issuerNotTrusted, "no authority has certified the issuer")
            }
            return .certificates(anchors: [chain.anchor], policy: policy)
        }
    }

    /// The signer that the list of a credential must have.
    func key(for credential: VerifiedSDJWT) throws(StatusListError) -> StatusListKey {
        do {
            return try rule(credential)
        } catch let error as StatusListError {
            throw error
        } catch {
            throw StatusListError(.notAvailable, "the signer of the list is not known", cause: error)
        }
    }

    /// One signer for the lists of all credentials.
    public static func known(_ key: StatusListKey) -> StatusListSigner {
        StatusListSigner { _ in key }
    }
}
