public import CredentialTransport
public import CryptoCore
public import StatusListKit
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

    private let transport: (any HTTPTransport)?
    private let stored: IdentifierListSnapshot
    private let cache: DocumentCache<Key, VerifiedIdentifierList, StatusListError>

    private struct Key: Hashable {
        let uri: ExactText
        let anchors: [Certificate]
    }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - transport: Fetches lists; nil without a network.
    ///   - snapshot: The tokens to use for lists that cannot be fetched.
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
        self.transport = transport
        self.policy = policy
        self.signers = signers
        self.options = options
        stored = snapshot
        cache = DocumentCache(options: options.caching) { $0.code == .notFetched }
    }

    /// The list of a URI, verified and of the time.
    ///
    /// - Parameters:
    ///   - uri: The `uri` of references to the list.
    ///   - anchors: The certificates that the signer's chain must end at.
    ///   - now: The time.
    /// - Throws: `StatusListError` with code `notFetched` or `notAvailable`, and what the token is refused for.
    public func list(
        at uri: String,
        anchors: [Certificate],
        at now: Date
    ) async throws(StatusListError) -> VerifiedIdentifierList {
        let list = try await cache.document(
            for: Key(uri: ExactText(uri), anchors: anchors),
            at: now,
            isCurrent: { $0.verify(policy: policy, at: now).verified != nil },
            fetch: { () async throws(StatusListError) in try await self.fetch(uri, anchors, at: now) }
        )
        do throws(Refusal) {
            return try list.value.verify(policy: policy, at: now).get()
        } catch {
            throw StatusListError(error)
        }
    }

    /// The tokens of the lists that are kept now, for use where there is no network.
    public func snapshot() -> IdentifierListSnapshot {
        var snapshot = stored
        for list in cache.documents.values { snapshot.insert(list.token, for: list.uri) }
        return snapshot
    }

    private func fetch(
        _ uri: String,
        _ anchors: [Certificate],
        at now: Date
    ) async throws(StatusListError) -> FetchedDocument<VerifiedIdentifierList> {
        let token = try await token(at: uri)
        let list: VerifiedIdentifierList
        do throws(Refusal) {
            list = try token.verify(for: uri, anchors: anchors, signers: signers, policy: policy, at: now).get()
        } catch {
            throw StatusListError(error)
        }
        return FetchedDocument(list, lifetime: list.timeToLive, size: token.encodedBytes.count)
    }

    /// The token from the network, or else from the snapshot.
    private func token(at uri: String) async throws(StatusListError) -> IdentifierListToken {
        guard let transport else {
            if let token = stored[uri] { return token }
            throw StatusListError(.notAvailable, "the list is not at hand, and there is no network", path: [uri])
        }
        let body: [UInt8]
        do {
            body = try await transport.body(
                at: uri,
                accepting: [.identifierListCWT],
                limits: HTTPLimits(maximumBodySize: policy.limits.tokenSize, timeout: options.timeout),
                redirects: options.redirects
            )
        } catch {
            if let token = stored[uri] { return token }
            throw StatusListError(.notFetched, error.message, path: [uri], cause: error)
        }
        return try IdentifierListToken(cwt: body, limits: policy.limits)
    }
}
