public import CredentialTransport
import JSONKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The DID method `web`: the DID names a document at an https URL (did:web Method Specification).
///
/// The owner of the name owns the DID, so the caller decides whether that name is trusted. Documents are kept for as long as
/// their server says, within bounds; a verification method that a kept document lacks causes a new request, at a limited
/// rate.
public struct DIDWebMethod: DIDResolver {
    /// The types of DID documents, and those that servers give to files that they do not know: the content decides (DID 1.1,
    /// section 6.1).
    private static let mediaTypes = [
        "application/did", "application/did+json", "application/did+ld+json", "application/ld+json", "text/plain",
        "application/octet-stream",
    ]

    private let transport: any HTTPTransport
    private let limits: HTTPLimits
    private let cache: DocumentCache<DID, DIDDocument, DIDError>

    /// Makes a resolver with a cache of its own.
    ///
    /// - Parameters:
    ///   - transport: Fetches the documents.
    ///   - limits: The limits for the size of a document and the time of its request.
    ///   - caching: The options for keeping documents: as the answer's header says, for an hour at most, or else for 300
    ///     seconds by default.
    public init(
        transport: any HTTPTransport,
        limits: HTTPLimits = .default,
        caching: DocumentCacheOptions = DocumentCacheOptions(
            maximumCount: 256,
            maximumLifetime: 3600,
            defaultLifetime: 300
        )
    ) {
        self.transport = transport
        self.limits = limits
        cache = DocumentCache(options: caching) { $0.code == .retrievalFailed }
    }

    /// The document of a DID, kept or fetched.
    ///
    /// - Throws: ``DIDError/Code/unsupportedMethod`` for another method, ``DIDError/Code/malformed`` for an identifier that
    ///   names no https URL, ``DIDError/Code/retrievalFailed``, ``DIDError/Code/malformedDocument``,
    ///   ``DIDError/Code/limitExceeded``.
    public func document(of did: DID, at time: Date) async throws(DIDError) -> DIDDocument {
        try await document(of: did, at: time) { _ in true }
    }

    /// The document of a DID, fetched again unless that was done a moment ago.
    public func renewedDocument(of did: DID, at time: Date) async throws(DIDError) -> DIDDocument {
        try await document(of: did, at: time) { _ in false }
    }

    /// The verification method of a name; a kept document without it is fetched again.
    public func verificationMethod(
        _ url: DIDURL,
        for relationship: VerificationRelationship,
        at time: Date
    ) async throws(DIDError) -> VerificationMethod {
        let document = try await document(of: url.did, at: time) { document in
            document.verificationMethods(for: relationship, at: time).contains { $0.id == url }
        }
        return try document.verificationMethod(url, for: relationship, at: time)
    }

    private func document(
        of did: DID,
        at time: Date,
        _ isSufficient: (DIDDocument) -> Bool
    ) async throws(DIDError) -> DIDDocument {
        try did.requireMethod("web")
        let url = try DIDWebLocation(did.identifier).documentURL
        return try await cache.document(for: did, at: time, isSufficient: isSufficient) { () async throws(DIDError) in
            let response = try await fetch(url)
            let limits = JSONLimits(size: limits.maximumBodySize, depth: 64)
            return FetchedDocument(try DIDDocument(decoding: response.body, of: did, limits: limits), from: response)
        }.value
    }

    private func fetch(_ url: HTTPURL) async throws(DIDError) -> HTTPTransportResponse {
        do throws(TransportError) {
            let types = try Self.mediaTypes.map { name throws(TransportError) in try MediaType(name) }
            return try await transport.response(
                to: .get(url, accepting: AcceptedContent([.json] + types), limits: limits)
            )
        } catch {
            throw DIDError(.retrievalFailed, "\(url) cannot be fetched", cause: error)
        }
    }
}
