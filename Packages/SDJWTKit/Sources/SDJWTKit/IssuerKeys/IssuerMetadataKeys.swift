public import CredentialTransport
public import JOSEKit
import JSONKit
import Synchronization
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keys that an issuer publishes at `/.well-known/jwt-vc-issuer` below its https URL (SD-JWT VC, JWT VC Issuer Metadata).
///
/// Only trusted issuers are asked: anyone who can publish a document can be an issuer, which does not make the issuer
/// credible. Fetched keys are cached for a while. A credential whose `kid` is not among the cached keys causes a new
/// request to the issuer, so that new keys are known at once, but at a limited rate. Several tasks that need the same
/// keys at once share one request.
public final class IssuerMetadataKeys: IssuerKeyResolver {
    private typealias Outcome = Result<JWKSet, SDJWTError>

    private struct Entry {
        let keys: JWKSet
        let expiration: Date
        /// The time of the last request for the keys, with or without success.
        var lastRequest: Date
    }

    /// The cached keys by issuer.
    private struct State {
        var entries: [ExactText: Entry] = [:]
        var requests: [ExactText: Task<Outcome, Never>] = [:]
    }

    private let transport: any HTTPTransport
    private let isTrusted: @Sendable (String) -> Bool
    private let lifetime: TimeInterval
    private let minimumInterval: TimeInterval
    private let limits: HTTPLimits
    private let state = Mutex(State())

    /// The largest number of issuers whose keys are cached.
    public static let maximumEntries = 256

    /// Makes a resolver.
    ///
    /// - Parameters:
    ///   - transport: Fetches the documents.
    ///   - limits: The limits for the size of a document and the time of its request.
    ///   - lifetime: The time that keys are cached, in seconds.
    ///   - minimumInterval: The shortest time between two requests for the keys of one issuer while some are cached, in
    ///     seconds. It limits the requests that strangers can cause with unknown `kid`s.
    ///   - isTrusted: Returns `true` for a trusted issuer, by its `iss`.
    public init(
        transport: any HTTPTransport,
        limits: HTTPLimits = .default,
        lifetime: TimeInterval = 300,
        minimumInterval: TimeInterval = 30,
        trusting isTrusted: @escaping @Sendable (_ issuer: String) -> Bool
    ) {
        self.transport = transport
        self.limits = limits
        self.lifetime = lifetime
        self.minimumInterval = minimumInterval
        self.isTrusted = isTrusted
    }

    /// Makes a resolver for a list of issuers.
    public convenience init(transport: any HTTPTransport, issuers: Set<ExactText>) {
        self.init(transport: transport) { issuers.contains(ExactText($0)) }
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
        let keyID = try reading(jose: .issuerKeyNotFound) { () throws(JOSEError) in try header.keyID() }
        switch source(of: issuer, identifier, keyID: keyID, at: time) {
        case .kept(let keys): return IssuerKey(.jwkSet(keys))
        case .request(let request, let kept):
            switch await request.value {
            case .success(let keys): return IssuerKey(.jwkSet(keys))
            case .failure(let error):
                guard let kept else { throw error }
                return IssuerKey(.jwkSet(kept))
            }
        }
    }

    /// The source of keys.
    private enum Source {
        case kept(JWKSet)
        /// A request under way, and the cached keys in case it fails.
        case request(Task<Outcome, Never>, kept: JWKSet?)
    }

    private func source(
        of issuer: String,
        _ identifier: IssuerIdentifier,
        keyID: String?,
        at time: Date
    ) -> Source {
        let name = ExactText(issuer)
        return state.withLock { state in
            var kept: JWKSet?
            if let entry = state.entries[name], entry.expiration > time {
                let isKnown = keyID.map { !entry.keys.keys(withID: $0).isEmpty } ?? true
                let isEarly = abs(time.timeIntervalSince(entry.lastRequest)) < minimumInterval
                if isKnown || (isEarly && state.requests[name] == nil) { return .kept(entry.keys) }
                kept = entry.keys
            }
            if let request = state.requests[name] { return .request(request, kept: kept) }
            state.entries[name]?.lastRequest = time
            // The request continues for other callers when one caller is cancelled.
            let request = Task<Outcome, Never> {
                let outcome = await self.outcome(of: issuer, identifier)
                self.finish(outcome, of: issuer, at: time)
                return outcome
            }
            state.requests[name] = request
            return .request(request, kept: kept)
        }
    }

    private func outcome(of issuer: String, _ identifier: IssuerIdentifier) async -> Outcome {
        do throws(SDJWTError) {
            return .success(try await fetch(issuer, identifier))
        } catch {
            return .failure(error)
        }
    }

    private func finish(_ outcome: Outcome, of issuer: String, at time: Date) {
        let name = ExactText(issuer)
        state.withLock { state in
            state.requests[name] = nil
            guard case .success(let keys) = outcome else { return }
            if state.entries.count >= Self.maximumEntries {
                state.entries = state.entries.filter { $0.value.expiration > time }
            }
            if state.entries.count >= Self.maximumEntries { state.entries.removeAll() }
            let expiration = time.addingTimeInterval(lifetime)
            state.entries[name] = Entry(keys: keys, expiration: expiration, lastRequest: time)
        }
    }

    private func fetch(_ issuer: String, _ identifier: IssuerIdentifier) async throws(SDJWTError) -> JWKSet {
        let metadata = try await fetchObject(try identifier.metadataURL())
        guard let named = metadata["issuer"]?.stringValue, named.hasSameBytes(as: issuer) else {
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
