public import JOSEKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Several ways to find an issuer's key, of which header and issuer select one before anything is tried.
///
/// Certificates in the header are used where that way is permitted, then a DID, then the metadata below an https URL. A
/// refusal by the selected way is final; no other one is tried.
public struct IssuerKeyMechanisms: IssuerKeyResolver {
    private let certificates: X509IssuerKeys?
    private let metadata: IssuerMetadataKeys?
    private let dids: DIDIssuerKeys?

    /// Sets the permitted ways; `nil` forbids one.
    public init(
        certificates: X509IssuerKeys? = nil,
        metadata: IssuerMetadataKeys? = nil,
        dids: DIDIssuerKeys? = nil
    ) {
        self.certificates = certificates
        self.metadata = metadata
        self.dids = dids
    }

    /// The key of an issuer.
    ///
    /// - Throws: ``SDJWTError/Code/issuerKeyNotFound`` if no permitted way fits, and the errors of the selected one.
    public func key(for header: JOSEHeader, issuer: String?, at time: Date) async throws(SDJWTError) -> IssuerKey {
        guard let way = way(for: header, issuer) else {
            throw SDJWTError(.issuerKeyNotFound, "no permitted way leads to the key of the issuer \"\(issuer ?? "")\"")
        }
        return try await way.key(for: header, issuer: issuer, at: time)
    }

    /// The key that the selected way finds now, or nil.
    public func renewedKey(for header: JOSEHeader, issuer: String?, at time: Date) async -> IssuerKey? {
        await way(for: header, issuer)?.renewedKey(for: header, issuer: issuer, at: time)
    }

    /// The way that header and issuer select.
    private func way(for header: JOSEHeader, _ issuer: String?) -> (any IssuerKeyResolver)? {
        if let certificates, header.contains("x5c") { return certificates }
        if let dids, let issuer, DIDIssuerKeys.isDID(issuer) { return dids }
        if let metadata, let issuer, (try? IssuerIdentifier(issuer)) != nil { return metadata }
        return nil
    }
}
