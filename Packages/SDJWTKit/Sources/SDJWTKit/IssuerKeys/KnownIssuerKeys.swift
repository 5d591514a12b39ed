public import CryptoCore
public import JOSEKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keys of issuers that are configured.
public struct KnownIssuerKeys: IssuerKeyResolver {
    private let keys: [ExactText: JWKSet]
    private let only: IssuerKey?

    /// The keys of each issuer, by `iss`; among several the header's `kid` chooses.
    public init(_ keys: [ExactText: JWKSet]) {
        self.keys = keys
        only = nil
    }

    /// One key for an issuer of any name.
    public init(_ key: PublicKey) {
        keys = [:]
        only = IssuerKey(key)
    }

    /// The key of an issuer.
    ///
    /// - Throws: ``SDJWTError/Code/issuerNotTrusted`` without a key.
    public func key(for header: JOSEHeader, issuer: String?, at time: Date) throws(SDJWTError) -> IssuerKey {
        if let only { return only }
        guard let issuer, let keys = keys[ExactText(issuer)] else {
            throw SDJWTError(.issuerNotTrusted, "the issuer \"\(issuer ?? "")\" has no key here")
        }
        return IssuerKey(.jwkSet(keys))
    }
}
