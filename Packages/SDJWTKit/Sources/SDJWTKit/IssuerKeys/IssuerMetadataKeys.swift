public import CredentialTransport
public import JOSEKit
import JSONKit
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keys that an issuer publishes at `/.well-known/jwt-vc-issuer` below its https URL (SD-JWT VC, JWT VC Issuer Metadata).
///
/// Only trusted issuers are asked: whoever can publish a document can be an issuer, which says nothing about what the issuer is
/// to be believed. What was fetched is kept for a while.
public final class IssuerMetadataKeys: IssuerKeyResolver {
    private struct Entry {
        let keys: JWKSet
        let expiration: Date
    }

    private let transport: any HTTPTransport
    private let isTrusted: @Sendable (String) -> Bool
    private let lifetime: TimeInterval
    private let limits: HTTPLimits
    private let entries = Mutex<[String: Entry]>([:])

    /// How many issuers' keys are kept at most.
    public static let maximumEntries = 256

    /// Makes a resolver.
    ///
    /// - Parameters:
    ///   - transport: Fetches the documents.
    ///   - limits: How large a document may be and how long it may take.
    ///   - lifetime: How long keys are kept, in seconds.
    ///   - isTrusted: Whether an issuer, by `iss`, is trusted.
    public init(
        transport: any HTTPTransport,
        limits: HTTPLimits = .default,
        lifetime: TimeInterval = 300,
        trusting isTrusted: @escaping @Sendable (_ issuer: String) -> Bool
    ) {
        self.transport = transport
        self.limits = limits
        self.lifetime = lifetime
        self.isTrusted = isTrusted
    }

    /// Makes a resolver for a list of issuers.
    public convenience init(transport: any HTTPTransport, issuers: Set<String>) {
        self.init(transport: transport) { issuers.contains(bytesOf: $0) }
    }

    /// The keys of an issuer, among which the header's `kid` chooses.
    ///
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/issuerKeyNotFound`` where `iss` is no https URL or the document is not
    ///   of the demanded form, ``SDJWTError/Code/issuerNotTrusted``, ``SDJWTError/Code/issuerMismatch`` where the document is
    ///   another issuer's, or ``SDJWTError/Code/retrievalFailed``.
    public func key(for header: JOSEHeader, issuer: String?, at time: Date) async throws(SDJWTError) -> IssuerKey {
        guard let issuer else { throw SDJWTError(.issuerKeyNotFound, "there is no issuer to ask", path: ["iss"]) }
        let identifier = try IssuerIdentifier(issuer)
        guard isTrusted(issuer) else {
            throw SDJWTError(.issuerNotTrusted, "the issuer \"\(issuer)\" is not trusted", path: ["iss"])
        }
        if let keys = entries.withLock({ $0[issuer] }), keys.expiration > time { return IssuerKey(.jwkSet(keys.keys)) }
        let keys = try await fetch(issuer, identifier)
        entries.withLock { entries in
            if entries.count >= Self.maximumEntries { entries = entries.filter { $0.value.expiration > time } }
            if entries.count >= Self.maximumEntries { entries.removeAll() }
            entries[issuer] = Entry(keys: keys, expiration: time.addingTimeInterval(lifetime))
        }
        return IssuerKey(.jwkSet(keys))
    }

    private func fetch(_ issuer: String, _ identifier: IssuerIdentifier) async throws(SDJWTError) -> JWKSet {
        let metadata = try await fetchObject(try identifier.metadataURL())
        guard let named = metadata["issuer"]?.stringValue, named.utf8.elementsEqual(issuer.utf8) else {
            throw SDJWTError(.issuerMismatch, "the metadata are those of another issuer", path: ["issuer"])
        }
        switch (metadata["jwks"], metadata["jwks_uri"]) {
        case (let value?, nil): return try Self.keys(value)
        case (nil, let value?):
            guard let text = value.stringValue, let url = try? HTTPURL(text), url.scheme == .https else {
                throw SDJWTError(.issuerKeyNotFound, "jwks_uri is no https URL", path: ["jwks_uri"])
            }
            return try Self.keys(.object(try await fetchObject(url)))
        default:
            throw SDJWTError(.issuerKeyNotFound, "the metadata have not exactly one of jwks and jwks_uri")
        }
    }

    private static func keys(_ value: JSONValue) throws(SDJWTError) -> JWKSet {
        try reading(jose: .issuerKeyNotFound) { () throws(JOSEError) in try JWKSet(json: value) }
    }

    private func fetchObject(_ url: HTTPURL) async throws(SDJWTError) -> JSONObject {
        let body = try await transport.document(at: url, limits: limits)
        return try reading(.issuerKeyNotFound) { () throws(JSONError) in
            try JSONDocument(body, limits: JSONLimits(size: body.count, depth: 64)).root.object().value()
        }
    }
}
