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
    private let stored: IdentifierListSnapshot
    private let cache: ListCache<[Certificate], VerifiedIdentifierList>

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - transport: Fetches lists; nil without a network.
    ///   - snapshot: The tokens to use for lists that cannot be fetched; of one that was fetched before, the later counts.
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
        stored = snapshot
        cache = ListCache(policy: policy, options: options.caching)
    }

    /// The list of a URI, verified and of the time.
    ///
    /// - Parameters:
    ///   - uri: The `uri` of references to the list.
    ///   - anchors: The certificates that the signer's chain must end at.
    ///   - now: The time.
    /// - Throws: ``StatusListError/Code/notFetched``, ``StatusListError/Code/notAvailable``, and the refusals of the
    ///   token.
    public func list(
        at uri: String,
        anchors: [Certificate],
        at now: Date
    ) async throws(StatusListError) -> VerifiedIdentifierList {
        let verify: @Sendable (IdentifierListToken) throws(StatusListError) -> VerifiedIdentifierList = {
            [policy, signers] token throws(StatusListError) in
            try token.verify(for: uri, anchors: anchors, signers: signers, policy: policy, at: now).list()
        }
        let fetch = { @Sendable [fetcher] () async throws(StatusListError) -> VerifiedIdentifierList in
            try verify(try await fetcher.token(at: uri))
        }
        let token = stored[uri]
        let snapshot = { @Sendable () async throws(StatusListError) -> VerifiedIdentifierList? in
            try token.map(verify)
        }
        return try await cache.list(
            at: uri,
            signedBy: anchors,
            at: now,
            fetch: fetcher.transport == nil ? nil : fetch,
            snapshot: snapshot
        )
    }

    /// The tokens of the lists that are kept now, and of those that the client was given, for use where there is no network.
    public func snapshot() -> IdentifierListSnapshot {
        var snapshot = stored
        for list in cache.lists { snapshot.insert(list.token, for: list.uri) }
        return snapshot
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

    func token(at uri: String) async throws(StatusListError) -> IdentifierListToken {
        guard let transport else { throw .notAvailable(uri) }
        let response: HTTPTransportResponse
        do {
            let request = HTTPTransportRequest.get(
                try HTTPURL(uri),
                accepting: [.identifierListCWT],
                statuses: .successful,
                limits: HTTPLimits(maximumBodySize: policy.limits.tokenSize, timeout: options.timeout)
            )
            response = try await transport.response(to: request, followingRedirects: options.redirects)
        } catch {
            throw StatusListError(.notFetched, error.message, path: [uri], cause: error)
        }
        return try IdentifierListToken(cwt: response.body, limits: policy.limits)
    }
}
