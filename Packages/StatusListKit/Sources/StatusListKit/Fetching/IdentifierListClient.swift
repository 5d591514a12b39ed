public import CredentialTransport
public import CryptoCore
import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Fetches identifier lists, verifies them, and keeps them for as long as they may be (ISO/IEC 18013-5 second edition,
/// 12.3.6).
///
/// Several tasks that need the same list at once share one request, which goes on when one of them is cancelled. A list is
/// kept under its URI and the anchors that its signer was measured against, so that what one party signed never answers
/// for another.
public final class IdentifierListClient: Sendable {
    /// The policy for tokens.
    public let policy: StatusListPolicy
    /// The policy for the signers of tokens.
    public let signers: CertificatePathPolicy
    /// The options for fetching and caching lists.
    public let options: StatusListClientOptions

    private let fetcher: IdentifierListFetcher
    private let cache: ListCache<[Certificate], VerifiedIdentifierList>

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - transport: Fetches lists; nil without a network.
    ///   - snapshot: The tokens to use for lists that cannot be fetched, and in place of fetched ones that were issued earlier.
    ///   - policy: The policy for tokens.
    ///   - signers: The policy for the signers of tokens.
    ///   - options: The options for fetching and caching lists.
    public init(
        transport: (any HTTPTransport)?,
        snapshot: IdentifierListSnapshot = IdentifierListSnapshot(),
        policy: StatusListPolicy = .mdoc,
        signers: CertificatePathPolicy = .statusListSigner,
        options: StatusListClientOptions = .mdoc
    ) {
        fetcher = IdentifierListFetcher(transport: transport, policy: policy, options: options)
        self.policy = policy
        self.signers = signers
        self.options = options
        cache = ListCache(policy: policy, options: options.caching, snapshot: snapshot.tokens)
    }

    /// The list of a URI, verified and of the time.
    ///
    /// - Parameters:
    ///   - uri: The `uri` of references to the list.
    ///   - anchors: The certificates that the signer's chain must end at.
    ///   - maximumAge: The age from which on a kept list is fetched again before its lifetime ends, in seconds since `iat`; nil
    ///     for none. An older list is returned if there is no later one.
    ///   - now: The time.
    /// - Throws: ``StatusListError/Code/notFetched``, ``StatusListError/Code/notAvailable``, and the refusals of the
    ///   token.
    public func list(
        at uri: String,
        anchors: [Certificate],
        refreshingAfter maximumAge: TimeInterval? = nil,
        at now: Date
    ) async throws(StatusListError) -> VerifiedIdentifierList {
        let fetch = { @Sendable [fetcher] () async throws(StatusListError) in
            try await fetcher.token(at: uri)
        }
        return try await cache.list(
            at: uri,
            signedBy: anchors,
            refreshingAfter: maximumAge,
            at: now,
            fetch: fetcher.transport == nil ? nil : fetch
        ) { [policy, signers] (token) throws(StatusListError) in
            try token.verify(for: uri, anchors: anchors, signers: signers, policy: policy, at: now).list()
        }
    }

    /// The tokens of the lists that are kept now, and later ones that the client was given, for use where there is no network.
    public func snapshot() -> IdentifierListSnapshot {
        var snapshot = IdentifierListSnapshot()
        for (uri, token) in cache.tokens { snapshot.append(token, for: uri) }
        return snapshot
    }
}

// Supply.
extension IdentifierListClient {
    /// Fetches lists ahead, one after the other, and goes on after a failure.
    ///
    /// - Parameters:
    ///   - uris: The URIs of the lists.
    ///   - anchors: The certificates that the signers' chains must end at.
    ///   - now: The time.
    /// - Returns: The lists that could not be fetched, with the reasons.
    @discardableResult
    public func prefetch(
        _ uris: [String],
        anchors: [Certificate],
        at now: Date
    ) async -> [(uri: String, error: StatusListError)] {
        await cache.prefetch(uris) { (uri) async throws(StatusListError) in
            try await list(at: uri, anchors: anchors, at: now)
        }
    }

    /// Fetches the kept lists whose next update is due, one after the other, and goes on after a failure.
    ///
    /// - Returns: The lists that could not be fetched, with the reasons; each is kept as it was.
    @discardableResult
    public func refresh(at now: Date) async -> [(uri: String, error: StatusListError)] {
        await cache.refresh(at: now) { (uri, anchors) async throws(StatusListError) in
            try await list(at: uri, anchors: anchors, at: now)
        }
    }

    /// The lists that are kept, and those of the snapshot that were used, with their ages and next updates, in the order of
    /// their URIs' bytes.
    public func keptLists(at now: Date) -> [KeptStatusList] { cache.keptLists(at: now) }

    /// Adds the tokens of a snapshot to those for lists that cannot be fetched, and in place of earlier ones.
    ///
    /// Each is verified when it is used, for the anchors that the credential demands. Of several with one URI, the one issued last
    /// counts, whichever was loaded or fetched first.
    public func load(_ snapshot: IdentifierListSnapshot) {
        cache.load(snapshot.tokens)
    }
}

extension VerifiedIdentifierList: KeptList {
    /// The bytes of the token, and what a set takes for each identifier beside its bytes.
    var size: Int { token.encodedBytes.count + 64 * identifiers.count }
}

/// Fetches identifier list tokens over HTTP.
private struct IdentifierListFetcher: Sendable {
    let transport: (any HTTPTransport)?
    let policy: StatusListPolicy
    let options: StatusListClientOptions

    func token(at uri: String) async throws(StatusListError) -> FetchedDocument<IdentifierListToken> {
        guard let transport else { throw .notAvailable(uri) }
        let response: HTTPTransportResponse
        do {
            var request = HTTPTransportRequest.get(
                try HTTPURL(uri),
                accepting: [.identifierListCWT],
                statuses: .successful,
                limits: HTTPLimits(maximumBodySize: policy.limits.tokenSize, timeout: options.timeout)
            )
            request.acceptsGzip = true
            response = try await transport.response(to: request, followingRedirects: options.redirects)
        } catch {
            throw StatusListError(.notFetched, error.message, path: [uri], cause: error)
        }
        let body = try response.body(upTo: policy.limits.tokenSize, at: uri)
        return FetchedDocument(try IdentifierListToken(cwt: body, limits: policy.limits), from: response)
    }
}
