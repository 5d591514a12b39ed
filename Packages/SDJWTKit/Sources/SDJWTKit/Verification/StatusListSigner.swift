public import CryptoCore
public import StatusListKit

/// Whose signature a verifier takes on the status list of a credential (Token Status List, section 11.3).
///
/// A token only says how its key is found. Whether that party may speak about the credential follows from the credential, or
/// from an agreement that the verifier knows of.
public struct StatusListSigner: Sendable {
    /// Tells who must have signed the list of a credential, every other check of which holds.
    public typealias Rule = @Sendable (VerifiedSDJWT) throws(StatusListError) -> StatusListKey

    let rule: Rule

    /// A rule of the caller's own.
    public init(_ rule: @escaping Rule) {
        self.rule = rule
    }

    /// The key that the credential is signed with, as far as it may be used, and no other.
    public static let issuerKey = StatusListSigner { credential in
        credential.issuerJWK.map(StatusListKey.jwk) ?? .publicKey(credential.issuerKey)
    }

    /// A signer of lists that the authority of the issuer has certified as one: the chain of the token ends at the same anchor as
    /// that of the credential.
    ///
    /// A credential whose issuer's key did not come from certificates has an unknown status. Where the issuer signs its lists
    /// itself, see ``issuerKey``.
    /// - Parameter policy: What is demanded of the chain of the token. It has to tell signers of lists from others that the
    ///   anchor certified, such as other issuers: `.statusListTokenSigner(purposes:)` does so by the extended key usage (Token
    ///   Status List, section 10), `.statusListSigner` by the profile of ISO/IEC 18013-5.
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
    /// A credential that names a status must be valid by a status list; one that names none is taken.
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
    ///   - client: Has the lists, or fetches them.
    ///   - signer: Whose signature on a list is taken.
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
    ///   - signer: Whose signature on a list is taken.
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
