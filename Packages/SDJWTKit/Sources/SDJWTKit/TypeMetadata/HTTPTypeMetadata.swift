public import CredentialTransport
import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Type metadata documents that are fetched from the URL in their type's name, and cached.
///
/// A request tells the publisher that such a credential is in use. Local documents avoid the request if they come
/// first; see ``TypeMetadataSources``. A document is kept for as long as the publisher's answer says, within bounds. One that
/// does not match the digests of a credential is fetched again, at a limited rate. The digests are compared with the bytes as
/// received in any case. An answer that is no metadata of the type is not kept: it counts as a failure, and the publisher is soon
/// asked again.
public struct HTTPTypeMetadata: TypeMetadataSource {
    private let transport: any HTTPTransport
    private let limits: HTTPLimits
    private let redirects: Int
    private let cache: DocumentCache<ExactText, [UInt8], SDJWTError>
    private let clock: @Sendable () -> Date

    /// Makes a source with a cache of its own.
    ///
    /// - Parameters:
    ///   - transport: Fetches the documents.
    ///   - limits: The limits for the size of a document and the time of its request.
    ///   - redirects: The largest number of redirects for a document, each to an https URL (SD-JWT VC, retrieving documents
    ///     and resources via HTTP); the transport's rules for the first URL hold for every target too.
    ///   - caching: The options for keeping documents: 64 of 16 MiB together by default, each as the header of the answer
    ///     says, for a day at most, or else for an hour.
    ///   - clock: Returns the time; read once per document.
    public init(
        transport: any HTTPTransport,
        limits: HTTPLimits = HTTPLimits(maximumBodySize: 256 * 1024),
        redirects: Int = 3,
        caching: DocumentCacheOptions = DocumentCacheOptions(maximumSize: 16 << 20),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.transport = transport
        self.limits = limits
        self.redirects = redirects
        self.clock = clock
        cache = DocumentCache(options: caching) { $0.code == .retrievalFailed }
    }

    /// The document of a type whose name is an https URL.
    ///
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/typeMetadataNotFound`` for another name,
    ///   ``SDJWTError/Code/retrievalFailed``, ``SDJWTError/Code/malformedTypeMetadata`` for an answer that is not type metadata or
    ///   another type's, or ``SDJWTError/Code/limitExceeded``.
    public func document(for type: String) async throws(SDJWTError) -> [UInt8] {
        try await document(for: type, matching: nil)
    }

    /// The document of a type; a kept one that does not have the digests is fetched again.
    public func document(
        for type: String,
        matching integrity: IntegrityMetadata?
    ) async throws(SDJWTError) -> [UInt8] {
        guard let url = try? HTTPURL(type), url.scheme == .https else {
            throw SDJWTError(.typeMetadataNotFound, "the type \"\(type)\" is no https URL")
        }
        return try await cache.document(
            for: ExactText(type),
            at: clock(),
            isSufficient: { document in integrity?.matches(document) ?? true },
            fetch: { () async throws(SDJWTError) in
                let response = try await transport.document(at: url, limits: limits, redirects: redirects)
                _ = try TypeMetadataDocument(decoding: response.body, of: type)
                return FetchedDocument(response.body, from: response)
            }
        ).value
    }
}
