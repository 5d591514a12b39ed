public import CryptoCore
public import DIDKit
@_spi(Layers) import JOSEKit
import JSONKit
public import StatusListKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The signer that a verifier accepts for the status list of a credential (Token Status List, section 11.3).
///
/// A token only says how its key is found. The right of that party to speak about the credential follows from the
/// credential, or from an agreement that the verifier knows of.
public struct StatusListSigner: Sendable {
    /// Returns the signer that the list of a credential must have, after every other check has passed.
    ///
    /// An error of another type than `StatusListError` becomes the cause of one with the code `notAvailable`: the status
    /// is unknown.
    public typealias Rule = @Sendable (VerifiedSDJWT) async throws -> StatusListKey

    private let rule: Rule
    /// The rule for a list that is refused with the keys of the first one; nil for a signer without other keys.
    private let renewal: Rule?

    /// A rule of the caller's own.
    public init(_ rule: @escaping Rule) {
        self.init(rule, renewal: nil)
    }

    private init(_ rule: @escaping Rule, renewal: Rule?) {
        self.rule = rule
        self.renewal = renewal
    }

    /// Only the key that signed the credential, within its own restrictions; see ``issuerKeys`` for issuers that change keys.
    public static let issuerKey = StatusListSigner { credential in
        credential.issuerJWK.map(StatusListKey.jwk) ?? .publicKey(credential.issuerKey)
    }

    /// Any of the keys that the issuer publishes, where its key was found among them; otherwise the key that signed the
    /// credential.
    ///
    /// An issuer that has a new key signs with it the lists of earlier credentials, too. A key that the source of the issuer's
    /// keys has not fetched yet is unknown here; see ``issuerKeys(from:)``.
    public static let issuerKeys = StatusListSigner { $0.publishedKeys }

    /// Any of the keys that the issuer publishes, as ``issuerKeys``, found anew for a list that is refused with them.
    ///
    /// A new key of the issuer is thus known soon, even where its credentials still name the old one. The source limits the
    /// rate of requests.
    /// - Parameter resolver: The source in which the verifier finds the keys of issuers. For those of DIDs, see
    ///   ``issuerDID(from:)``.
    public static func issuerKeys(from resolver: any IssuerKeyResolver) -> StatusListSigner {
        StatusListSigner { credential in
            credential.publishedKeys
        } renewal: { credential in
            let time = credential.verificationTime
            let renewed = await resolver.renewedKey(for: credential.header, issuer: credential.issuer, at: time)
            guard let keys = renewed?.key.keySet else {
                throw StatusListError(.notAvailable, "the issuer publishes no keys")
            }
            return .jwkSet(keys)
        }
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

    /// Any of the keys that the issuer's DID lists for making claims (`assertionMethod`), found anew for each credential.
    ///
    /// The token's `kid` names one of them, in full or from `#` on. A list that is refused with them causes a new request
    /// for the DID document, so that a new key is known soon. A resolver that keeps documents limits the rate. A
    /// credential whose `iss` is no DID has an unknown status.
    /// - Parameter resolver: Finds the document of the DID.
    public static func issuerDID(from resolver: any DIDResolver) -> StatusListSigner {
        keys(from: resolver) { credential in
            guard let issuer = credential["iss"]?.stringValue, DIDIssuerKeys.isDID(issuer) else {
                throw StatusListError(.issuerNotTrusted, "the issuer is no DID")
            }
            return try DID(issuer)
        }
    }

    /// Any of the keys that a DID lists for making claims (`assertionMethod`), for a signer of lists other than the issuer.
    ///
    /// A list that is refused with them causes a new request for the DID document, so that a new key is known soon. A
    /// resolver that keeps documents limits the rate.
    /// - Parameters:
    ///   - did: The DID of the signer, which the verifier trusts with the lists of all credentials.
    ///   - resolver: Finds its document.
    public static func did(_ did: DID, from resolver: any DIDResolver) -> StatusListSigner {
        keys(from: resolver) { _ in did }
    }

    private static func keys(
        from resolver: any DIDResolver,
        of did: @escaping @Sendable (VerifiedSDJWT) throws -> DID
    ) -> StatusListSigner {
        StatusListSigner { credential in
            let time = credential.verificationTime
            return try await resolver.document(of: did(credential), at: time).statusListKey(at: time)
        } renewal: { credential in
            let time = credential.verificationTime
            return try await resolver.renewedDocument(of: did(credential), at: time).statusListKey(at: time)
        }
    }

    /// The signer that the list of a credential must have.
    func key(for credential: VerifiedSDJWT) async throws(StatusListError) -> StatusListKey {
        do {
            return try await rule(credential)
        } catch let error as StatusListError {
            throw error
        } catch {
            throw StatusListError(.notAvailable, "the signer of the list is not known", cause: error)
        }
    }

    /// The signer with the keys that it has now, for a list that is refused with `key`; nil without other keys, and after
    /// a failure.
    func renewedKey(for credential: VerifiedSDJWT, insteadOf key: StatusListKey) async -> StatusListKey? {
        guard let renewed = try? await renewal?(credential), renewed != key else { return nil }
        return renewed
    }

    /// One signer for the lists of all credentials.
    public static func known(_ key: StatusListKey) -> StatusListSigner {
        StatusListSigner { _ in key }
    }
}

extension VerifiedSDJWT {
    /// The keys of the issuer, as far as they were found with its key.
    fileprivate var publishedKeys: StatusListKey {
        issuerKeySet.map(StatusListKey.jwkSet) ?? issuerJWK.map(StatusListKey.jwk) ?? .publicKey(issuerKey)
    }
}

extension DIDDocument {
    /// The keys that the DID lists for making claims, each under the names that a token may give it.
    fileprivate func statusListKey(at time: Date) -> StatusListKey {
        let keys = verificationMethods(for: .assertionMethod, at: time).flatMap { method in
            // A key of another suite must not hide the others.
            guard let key = try? method.jwk() else { return [] as [JWK] }
            let names = [method.id.text] + (method.id.fragment.map { ["#" + $0] } ?? [])
            return names.compactMap { name in
                var members = key.members
                members["kid"] = .string(name)
                return try? JWK(json: .object(members))
            }
        }
        return .jwkSet(JWKSet(keys))
    }
}
