public import CredentialTransport
public import JOSEKit
import JSONKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keys that an issuer publishes at `/.well-known/jwt-vc-issuer` below its https URL (SD-JWT VC, JWT VC Issuer Metadata).
///
/// Only trusted issuers are asked: anyone who can publish a document can be an issuer, which does not make the issuer
/// credible. Fetched keys are cached for as long as the issuer's answers say, within bounds. A credential whose `kid` is not
/// among the cached keys, or that is signed by none of them, causes a new request to the issuer, so that new keys are known
/// at once, but at a limited rate. Several tasks that need the same keys at once share one request.
public struct IssuerMetadataKeys: IssuerKeyResolver {
    private let transport: any HTTPTransport
    private let isTrusted: @Sendable (String) -> Bool
    private let limits: HTTPLimits
    private let redirects: Int
    private let tolerances: Set<SDJWTTolerance>
    private let cache: DocumentCache<ExactText, PublishedKeys, SDJWTError>

    /// The keys of an issuer, and the deviations that a tolerance let pass on the way to them.
    private struct PublishedKeys {
        let keys: JWKSet
        let deviations: [Deviation]
    }

    /// Makes a resolver with a cache of its own.
    ///
    /// - Parameters:
    ///   - transport: Fetches the documents.
    ///   - limits: The limits for the size of a document and the time of its request.
    ///   - redirects: The largest number of redirects for a document, each to an https URL (SD-JWT VC, retrieving documents
    ///     and resources via HTTP); the transport's rules for the first URL hold for every target too.
    ///   - caching: The options for keeping keys: by default those of 256 issuers, as the header of the answer says, for an
    ///     hour at most, or else for 300 seconds. Its refetch interval limits the requests that strangers can cause with
    ///     unknown `kid`s.
    ///   - tolerances: The deviations that are accepted, of which ``SDJWTTolerance/appendedMetadataPath`` plays a part
    ///     here; by default none.
    ///   - isTrusted: Returns `true` for a trusted issuer, by its `iss`.
    public init(
        transport: any HTTPTransport,
        limits: HTTPLimits = .default,
        redirects: Int = 3,
        caching: DocumentCacheOptions = DocumentCacheOptions(
            maximumCount: 256,
            maximumLifetime: 3600,
            defaultLifetime: 300
        ),
        tolerances: Set<SDJWTTolerance> = [],
        trusting isTrusted: @escaping @Sendable (_ issuer: String) -> Bool
    ) {
        self.tolerances = tolerances
        self.transport = transport
        self.limits = limits
        self.redirects = redirects
        self.isTrusted = isTrusted
        cache = DocumentCache(options: caching) { $0.code == .retrievalFailed }
    }

    /// Makes a resolver for a list of issuers.
    public init(transport: any HTTPTransport, issuers: Set<ExactText>) {
        self.init(transport: transport) { issuers.contains(ExactText($0)) }
    }

    /// The keys of an issuer, among which the header's `kid` chooses.
    ///
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/issuerKeyNotFound`` if `iss` is not an https URL or the
    ///   document is not of the demanded form, ``SDJWTError/Code/issuerNotTrusted``, ``SDJWTError/Code/issuerMismatch``
    ///   if the document is another issuer's, or ``SDJWTError/Code/retrievalFailed``.
    public func key(for header: JOSEHeader, issuer: String?, at time: Date) async throws(SDJWTError) -> IssuerKey {
        try await key(for: header, issuer: issuer, at: time, areRefused: false)
    }

    /// The keys as the issuer publishes them now, such as a new one under the same `kid`; nil after a failure.
    public func renewedKey(for header: JOSEHeader, issuer: String?, at time: Date) async -> IssuerKey? {
        try? await key(for: header, issuer: issuer, at: time, areRefused: true)
    }

    /// - Parameter areRefused: Pass `true` if none of the cached keys has made the signature, so that they are fetched again.
    private func key(
        for header: JOSEHeader,
        issuer: String?,
        at time: Date,
        areRefused: Bool
    ) async throws(SDJWTError) -> IssuerKey {
        guard let issuer else { throw SDJWTError(.issuerKeyNotFound, "there is no issuer to ask", path: ["iss"]) }
        let identifier = try IssuerIdentifier(issuer)
        guard isTrusted(issuer) else {
            throw SDJWTError(.issuerNotTrusted, "the issuer \"\(issuer)\" is not trusted", path: ["iss"])
        }
        let keyID = try reading(jose: .issuerKeyNotFound) { () throws(JOSEError) in try header.keyID() }
        let keys = try await cache.document(
            for: ExactText(issuer),
            at: time,
            isSufficient: { !areRefused && $0.keys.contains(keyID) },
            fetch: { () async throws(SDJWTError) in try await fetch(issuer, identifier) }
        ).value
        return IssuerKey(.jwkSet(keys.keys), deviations: keys.deviations)
    }

    private func fetch(
        _ issuer: String,
        _ identifier: IssuerIdentifier
    ) async throws(SDJWTError) -> FetchedDocument<PublishedKeys> {
        let (metadata, response, deviations) = try await fetchMetadata(identifier)
        guard let named = metadata["issuer"]?.stringValue, named.hasSameBytes(as: issuer) else {
            throw SDJWTError(.issuerMismatch, "the metadata are those of another issuer", path: ["issuer"])
        }
        switch (metadata["jwks"], metadata["jwks_uri"]) {
        case (let value?, nil):
            return FetchedDocument(PublishedKeys(keys: try Self.keys(value), deviations: deviations), from: response)
        case (nil, let value?):
            guard let text = value.stringValue, let url = try? HTTPURL(text), url.scheme == .https else {
                throw SDJWTError(.issuerKeyNotFound, "jwks_uri is no https URL", path: ["jwks_uri"])
            }
            let (keySet, keyResponse) = try await fetchObject(url)
            return FetchedDocument(
                PublishedKeys(keys: try Self.keys(.object(keySet)), deviations: deviations),
                lifetime: lifetime([response, keyResponse]),
                size: keyResponse.body.count
            )
        default:
            throw SDJWTError(.issuerKeyNotFound, "the metadata have not exactly one of jwks and jwks_uri")
        }
    }

    /// The metadata at the specified place, or at that of earlier drafts if nothing is there.
    private func fetchMetadata(
        _ identifier: IssuerIdentifier
    ) async throws(SDJWTError) -> (JSONObject, HTTPTransportResponse, [Deviation]) {
        do throws(SDJWTError) {
            let (metadata, response) = try await fetchObject(try identifier.metadataURL())
            return (metadata, response, [])
        } catch {
            let isMissing = [404, 410].contains((error.cause as? TransportError)?.status)
            guard isMissing, tolerances.contains(.appendedMetadataPath),
                let url = try identifier.appendedMetadataURL()
            else { throw error }
            let (metadata, response) = try await fetchObject(url)
            return (
                metadata, response, [Deviation(SDJWTTolerance.appendedMetadataPath.description, at: ["iss"])]
            )
        }
    }

    /// The lifetime of keys that depend on several answers: the shortest, each of which may be the default one.
    private func lifetime(_ responses: [HTTPTransportResponse]) -> TimeInterval? {
        responses.map { $0.freshnessLifetime ?? cache.options.defaultLifetime }.min()
    }

    private static func keys(_ value: JSONValue) throws(SDJWTError) -> JWKSet {
        try reading(jose: .issuerKeyNotFound) { () throws(JOSEError) in try JWKSet(json: value) }
    }

    private func fetchObject(_ url: HTTPURL) async throws(SDJWTError) -> (JSONObject, HTTPTransportResponse) {
        let response = try await transport.document(at: url, limits: limits, redirects: redirects)
        let members = try reading(.issuerKeyNotFound) { () throws(JSONError) in
            let limits = JSONLimits(size: response.body.count, depth: 64)
            return try JSONDocument(response.body, limits: limits).root.object().value()
        }
        return (members, response)
    }
}

extension HTTPTransport {
    /// The answer with a JSON document.
    func document(
        at url: HTTPURL,
        limits: HTTPLimits,
        redirects: Int
    ) async throws(SDJWTError) -> HTTPTransportResponse {
        do throws(TransportError) {
            let keySet = try MediaType("application/jwk-set+json")
            // Of the successful statuses, these have the document as their content (RFC 9110, section 15.3).
            let request = HTTPTransportRequest.get(
                url,
                accepting: [.json, keySet],
                statuses: [200, 203],
                limits: limits
            )
            return try await response(to: request, followingRedirects: redirects)
        } catch {
            throw SDJWTError(.retrievalFailed, "\(url) cannot be fetched", cause: error)
        }
    }
}

extension JWKSet {
    /// Returns `true` if the set has keys with an identifier; always without one.
    fileprivate func contains(_ keyID: String?) -> Bool {
        keyID.map { !keys(withID: $0).isEmpty } ?? true
    }
}
