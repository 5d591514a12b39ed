public import CryptoCore
public import JOSEKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Finds the key of an issuer, and decides whether it is trusted (SD-JWT VC, key discovery and validation).
///
/// An implementation returns a key only for issuers that the recipient trusts. The header and the issuer's name are
/// unverified and come from the sender; use them for lookup only.
public protocol IssuerKeyResolver: Sendable {
    /// The key that the issuer's signature must verify with.
    ///
    /// - Parameters:
    ///   - header: The protected header of the issuer-signed JWT.
    ///   - issuer: The value of `iss`, or nil if it is absent.
    ///   - time: The time for which the SD-JWT is verified.
    /// - Throws: An ``SDJWTError``, such as one with the code ``SDJWTError/Code/issuerKeyNotFound`` or
    ///   ``SDJWTError/Code/issuerNotTrusted``.
    func key(for header: JOSEHeader, issuer: String?, at time: Date) async throws(SDJWTError) -> IssuerKey

    /// The key as the issuer publishes it now, after the one of ``key(for:issuer:at:)`` has not made the signature; nil if
    /// there is nothing to ask again.
    ///
    /// A header without a `kid`, or with the `kid` of an earlier key, does not show that the issuer has a new key. Any forged
    /// signature leads to a call: an implementation that sends requests limits their rate.
    ///
    /// - Parameters:
    ///   - header: The protected header of the issuer-signed JWT.
    ///   - issuer: The value of `iss`, or nil if it is absent.
    ///   - time: The time for which the SD-JWT is verified.
    func renewedKey(for header: JOSEHeader, issuer: String?, at time: Date) async -> IssuerKey?
}

extension IssuerKeyResolver {
    /// Nothing: the key is not one that is fetched.
    public func renewedKey(for header: JOSEHeader, issuer: String?, at time: Date) async -> IssuerKey? { nil }
}

/// A key that is trusted to be an issuer's, and its origin.
public struct IssuerKey: Sendable {
    /// The key, or the keys among which the header's `kid` chooses.
    public let key: JWSKey
    /// The validated chain, where the key came from `x5c`.
    public let certificateChain: ValidatedCertificateChain?
    /// The deviations that tolerances let pass while the key was looked up.
    public let deviations: [Deviation]
    /// The types of credentials that the issuer is trusted for, by `vct`; nil for all.
    ///
    /// A credential of another type is refused (``SDJWTVerifier``, check `issuerTrust`).
    public private(set) var credentialTypes: Set<ExactText>?

    /// A key that the caller trusts, independently of the credential.
    ///
    /// - Parameters:
    ///   - key: The key, or the keys among which the header's `kid` chooses.
    ///   - deviations: The deviations that tolerances let pass while the key was looked up.
    public init(_ key: JWSKey, deviations: [Deviation] = []) {
        self.key = key
        self.deviations = deviations
        certificateChain = nil
    }

    /// A public key that the caller trusts, independently of the credential.
    public init(_ key: PublicKey) {
        self.init(.publicKey(key))
    }

    /// A JWK that the caller trusts, independently of the credential; its `use`, `key_ops` and `alg` are enforced.
    public init(_ key: JWK) {
        self.init(.jwk(key))
    }

    /// A key with the chain that vouches for it.
    public init(_ chain: ValidatedCertificateChain) {
        key = .publicKey(chain.leafPublicKey)
        deviations = []
        certificateChain = chain
    }

    /// The same key, trusted for certain types of credentials alone.
    ///
    /// - Parameter types: The types, by `vct`; of a key that is limited already, those that both allow. nil for no further
    ///   limit.
    public func limited(to types: Set<ExactText>?) -> IssuerKey {
        guard let types else { return self }
        var key = self
        key.credentialTypes = credentialTypes.map(types.intersection) ?? types
        return key
    }
}
