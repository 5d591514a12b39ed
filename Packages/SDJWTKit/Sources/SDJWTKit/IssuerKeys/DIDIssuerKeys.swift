public import JOSEKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keys of issuers whose `iss` is a DID.
///
/// The header's `kid` names one of its keys, which the DID must list for making claims (`assertionMethod`).
///
/// Drafts of SD-JWT VC had this way and dropped it; ecosystems still use it.
public struct DIDIssuerKeys: IssuerKeyResolver {
    private let resolver: any DIDKeyResolver
    private let isTrusted: @Sendable (String) -> Bool

    /// Makes a resolver.
    ///
    /// - Parameters:
    ///   - resolver: Finds the keys of DIDs.
    ///   - isTrusted: Whether an issuer, by `iss`, is trusted.
    public init(_ resolver: any DIDKeyResolver, trusting isTrusted: @escaping @Sendable (_ issuer: String) -> Bool) {
        self.resolver = resolver
        self.isTrusted = isTrusted
    }

    /// The key that the header names.
    ///
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/issuerKeyNotFound`` where `iss` is no DID,
    ///   ``SDJWTError/Code/issuerNotTrusted``, ``SDJWTError/Code/issuerMismatch`` where `kid` names a key of another DID, and
    ///   what the resolver throws.
    public func key(for header: JOSEHeader, issuer: String?, at time: Date) async throws(SDJWTError) -> IssuerKey {
        guard let issuer, Self.isDID(issuer) else {
            throw SDJWTError(.issuerKeyNotFound, "the issuer is no DID", path: ["iss"])
        }
        guard isTrusted(issuer) else {
            throw SDJWTError(.issuerNotTrusted, "the issuer \"\(issuer)\" is not trusted", path: ["iss"])
        }
        let keyID = try reading(jose: .issuerKeyNotFound) { () throws(JOSEError) in try header.keyID() }
        return IssuerKey(try await resolver.key(for: try Self.url(of: keyID, issuer), relationship: .assertionMethod))
    }

    static func isDID(_ issuer: String) -> Bool {
        issuer.utf8.starts(with: "did:".utf8)
    }

    /// The DID URL of a key, given in full or from the fragment on.
    private static func url(of keyID: String?, _ issuer: String) throws(SDJWTError) -> String {
        guard let keyID else { return issuer }
        if keyID.utf8.first == UInt8(ascii: "#") { return issuer + keyID }
        let did = keyID.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard did.elementsEqual(issuer.utf8) else {
            throw SDJWTError(.issuerMismatch, "the key \"\(keyID)\" is not the issuer's", path: ["kid"])
        }
        return keyID
    }
}
