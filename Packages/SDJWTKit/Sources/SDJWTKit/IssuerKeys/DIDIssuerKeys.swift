public import DIDKit
public import JOSEKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keys of issuers whose `iss` is a DID.
///
/// The header's `kid` names one of its keys, which the DID must list for making claims (`assertionMethod`). Without `kid`,
/// and where it is the DID alone, the DID must list exactly one.
///
/// Drafts of SD-JWT VC had this way and dropped it; ecosystems still use it.
public struct DIDIssuerKeys: IssuerKeyResolver {
    private let resolver: any DIDResolver
    private let isTrusted: @Sendable (String) -> Bool

    /// Makes a resolver.
    ///
    /// - Parameters:
    ///   - resolver: Finds the documents of DIDs.
    ///   - isTrusted: Returns `true` for a trusted issuer, by its `iss`.
    public init(_ resolver: any DIDResolver, trusting isTrusted: @escaping @Sendable (_ issuer: String) -> Bool) {
        self.resolver = resolver
        self.isTrusted = isTrusted
    }

    /// The key that the header names.
    ///
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/issuerKeyNotFound`` if `iss` is not a DID,
    ///   ``SDJWTError/Code/issuerNotTrusted``, ``SDJWTError/Code/issuerMismatch`` if `kid` names a key of another DID,
    ///   ``SDJWTError/Code/invalidDID``, ``SDJWTError/Code/unsupportedDID``,
    ///   ``SDJWTError/Code/verificationMethodNotFound``, ``SDJWTError/Code/retrievalFailed``.
    public func key(for header: JOSEHeader, issuer: String?, at time: Date) async throws(SDJWTError) -> IssuerKey {
        guard let issuer, Self.isDID(issuer) else {
            throw SDJWTError(.issuerKeyNotFound, "the issuer is no DID", path: ["iss"])
        }
        guard isTrusted(issuer) else {
            throw SDJWTError(.issuerNotTrusted, "the issuer \"\(issuer)\" is not trusted", path: ["iss"])
        }
        let keyID = try reading(jose: .issuerKeyNotFound) { () throws(JOSEError) in try header.keyID() }
        do throws(DIDError) {
            let issuer = try DID(issuer)
            let url = try Self.url(keyID, of: issuer)
            if url.did == issuer {
                return IssuerKey(try await resolver.namedMethod(url, for: .assertionMethod, at: time).jwk())
            }
        } catch {
            throw SDJWTError(error)
        }
        throw SDJWTError(.issuerMismatch, "the key \"\(keyID ?? "")\" is not the issuer's", path: ["kid"])
    }

    /// The key that the header names, or the only one of the DID, as it is published now; nil after a failure.
    public func renewedKey(for header: JOSEHeader, issuer: String?, at time: Date) async -> IssuerKey? {
        guard let issuer, isTrusted(issuer), let did = try? DID(issuer),
            let document = try? await resolver.renewedDocument(of: did, at: time)
        else { return nil }
        let key = try? Self.key(for: header, of: did, in: document, at: time)
        return key.map { IssuerKey($0) }
    }

    private static func key(for header: JOSEHeader, of did: DID, in document: DIDDocument, at time: Date) throws -> JWK?
    {
        let url = try url(header.keyID(), of: did)
        guard url.did == did else { return nil }
        guard !url.isDID else { return try document.onlyVerificationMethod(for: .assertionMethod, at: time).jwk() }
        return try document.verificationMethod(url, for: .assertionMethod, at: time).jwk()
    }

    /// The name of the key, or the issuer's DID where the header names none.
    private static func url(_ keyID: String?, of issuer: DID) throws(DIDError) -> DIDURL {
        guard let keyID else { return try DIDURL(issuer.text) }
        return try DIDURL(keyID, relativeTo: issuer)
    }

    static func isDID(_ issuer: String) -> Bool {
        issuer.utf8.starts(with: "did:".utf8)
    }
}

extension DIDResolver {
    /// The method of a name, or the only one for the purpose where the name is a DID alone.
    func namedMethod(
        _ url: DIDURL,
        for relationship: VerificationRelationship,
        at time: Date
    ) async throws(DIDError) -> VerificationMethod {
        guard !url.isDID else { return try await onlyVerificationMethod(of: url.did, for: relationship, at: time) }
        return try await verificationMethod(url, for: relationship, at: time)
    }
}

extension SDJWTError {
    /// The error for a DID without the key that is sought.
    init(_ error: DIDError) {
        let code: Code =
            switch error.code {
            case .unsupportedKey, .unsupportedMethod: .unsupportedDID
            case .verificationMethodNotFound, .verificationMethodRevoked, .verificationMethodExpired:
                .verificationMethodNotFound
            case .retrievalFailed: .retrievalFailed
            case .limitExceeded: .limitExceeded
            default: .invalidDID
            }
        self.init(code, error.message, path: ["did"] + error.path, cause: error)
    }
}
