import CredentialTransport
import JOSEKit
import JSONKit
import OID4VPMessages

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The keys that registered clients publish at their `jwks_uri`, kept for a while.
///
/// Only the addresses of the wallet's own register are asked. Keys are kept for as long as the answer says, within bounds. A
/// request whose `kid` is not among the kept keys, or that has none and is signed by none of them, causes another fetch, at a
/// limited rate, so that new keys are known at once and strangers cannot cause many.
struct ClientKeys: Sendable {
    private let transport: any HTTPTransport
    private let limits: HTTPLimits
    private let cache: DocumentCache<HTTPURL, JWKSet, OID4VPError>

    init(transport: any HTTPTransport, limits: HTTPLimits, caching: DocumentCacheOptions) {
        self.transport = transport
        self.limits = limits
        cache = DocumentCache(options: caching) { $0.code == .keysNotRetrieved }
    }

    /// The keys at an address.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - keyID: The key that is sought; nil for any.
    ///   - areRefused: Pass `true` if none of the kept keys has made a signature, so that they are fetched again.
    ///   - time: The time.
    /// - Throws: `OID4VPError` with code `keysNotRetrieved`, `invalidMetadata` or
    ///   `limitExceeded`.
    func keys(
        at url: HTTPURL,
        with keyID: String?,
        areRefused: Bool = false,
        at time: Date
    ) async throws(OID4VPError) -> JWKSet {
        try await cache.document(
            for: url,
            at: time,
            isSufficient: { keys in !areRefused && keyID.map { !keys.keys(withID: $0).isEmpty } ?? true },
            fetch: { () async throws(OID4VPError) in try await transport.keys(at: url, limits: limits) }
        ).value
    }
}

extension HTTPTransport {
    /// Fetches a set of public keys.
    ///
    /// - Throws: `OID4VPError` with code `keysNotRetrieved`, `invalidMetadata` or `limitExceeded`.
    func keys(
        at url: HTTPURL,
        limits: HTTPLimits,
        path: [String] = ["jwks_uri"]
    ) async throws(OID4VPError) -> FetchedDocument<JWKSet> {
        let response: HTTPTransportResponse
        do throws(TransportError) {
            let types = [MediaType.json, try MediaType("application/jwk-set+json")]
            response = try await self.response(
                to: .get(url, accepting: AcceptedContent(types), limits: limits)
            )
        } catch {
            throw OID4VPError(.keysNotRetrieved, "the keys cannot be fetched", path: path, cause: error)
        }
        let value: JSONValue
        do throws(JSONError) {
            let jsonLimits = JSONLimits(size: limits.maximumBodySize, depth: 64)
            value = try JSONValue(parsing: response.body, limits: jsonLimits)
        } catch {
            throw OID4VPError(.invalidMetadata, "it is not JSON", path: path, cause: error)
        }
        return FetchedDocument(try JWKSet(public: value, at: path), from: response)
    }
}
