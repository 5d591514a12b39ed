public import CryptoCore
public import StatusListKit

/// The signer that a verifier accepts for the status list of a credential (Token Status List, section 11.3).
///
/// A token only says how its key is found. Whether that party may speak about the credential follows from the credential, or
/// from an agreement that the verifier knows of.
public struct StatusListSigner: Sendable {
    /// Returns the signer that the list of a credential must have, after every other check has passed.
    public typealias Rule = @Sendable (VerifiedSDJWT) throws(StatusListError) -> StatusListKey

    let rule: Rule

    /// A rule of the caller's own.
    public init(_ rule: @escaping Rule) {
        self.rule = rule
    }

    /// Only the key that signed the credential, within its own restrictions.
    public static let issuerKey = StatusListSigner { credential in
        credential.issuerJWK.map(StatusListKey.jwk) ?? .publicKey(credential.issuerKey)
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
        StatusListSigner { credential throws(StatusListError) in
            guard let chain = credential.issuerCertificateChain else {
                throw StatusListError(.untrustedSigner, "no authority has certified the issuer")
            }
            return .certificates(anchors: [chain.anchor], policy: policy)
        }
    }

    /// One signer for the lists of all credentials.
    public static func known(_ key: StatusListKey) -> StatusListSigner {
        StatusListSigner { _ in key }
    }
}

extension StatusDemand {
    /// Checks the status of a credential that names one by status lists; a credential without a status is accepted.
    ///
    /// ```swift
    /// let client = StatusListClient(transport: transport, policy: StatusListPolicy(jwtAlgorithms: [.es256], cwtAlgorithms: []))
    /// let verifier = SDJWTVerifier(
    ///     policy: .credential(algorithms: [.es256]),
    ///     issuerKeys: X509IssuerKeys(anchors: [root]),
    ///     status: .whereNamed(from: client, signedBy: .issuerKey)
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - client: Fetches and caches the lists.
    ///   - signer: The party whose signature on a list is accepted.
    public static func whereNamed(
        from client: StatusListClient,
        signedBy signer: StatusListSigner
    ) -> StatusDemand {
        .whereNamed(resolver(client, signer))
    }

    /// A credential must name a status, and be valid by a status list.
    ///
    /// - Parameters:
    ///   - client: Has the lists, or fetches them.
    ///   - signer: The party whose signature on a list is accepted.
    public static func required(
        from client: StatusListClient,
        signedBy signer: StatusListSigner
    ) -> StatusDemand {
        .required(resolver(client, signer))
    }

    private static func resolver(_ client: StatusListClient, _ signer: StatusListSigner) -> Resolver {
        { reference, credential in
            do throws(StatusListError) {
                let key = try signer.rule(credential)
                return await client.verdict(for: reference, signedBy: key, at: credential.verificationTime)
            } catch {
                return .unknown(error)
            }
        }
    }
}
