public import CredentialTransport
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Finds out the status of credentials: fetches lists, verifies them, and keeps them for as long as they may be.
///
/// Several tasks that need the same list at once share one request, which goes on when one of them is cancelled. A list is
/// kept under its URI and its signer, so that what one party signed never answers for another.
///
/// ```swift
/// let client = StatusListClient(transport: transport, policy: policy)
/// switch await client.status(for: reference, signedBy: .publicKey(issuerKey), at: now) {
/// case .valid: accept()
/// case .unknown(let obstacle): refuse(because: obstacle)
/// default: refuse()
/// }
/// ```
///
/// A client without a transport answers from what it was given, until the tokens expire.
public final class StatusListClient: Sendable {
    /// The policy for tokens.
    public let policy: StatusListPolicy
    /// The options for fetching and caching lists.
    public let options: StatusListClientOptions

    let fetcher: StatusListFetcher
    private let cache: DocumentCache<ListKey, VerifiedStatusList, StatusListError>

    /// A list as verified for one signer, since the signature of one party proves nothing to a caller that trusts another.
    private struct ListKey: Hashable {
        let uri: ExactText
        let signer: StatusListKey

        /// The URI tells lists apart; comparing looks at the signer, too.
        func hash(into hasher: inout Hasher) {
            hasher.combine(uri)
        }
    }

    /// A client.
    ///
    /// - Parameters:
    ///   - transport: Fetches lists; nil without a network.
    ///   - policy: The policy for tokens.
    ///   - options: The options for fetching and caching lists.
    public init(
        transport: (any HTTPTransport)?,
        policy: StatusListPolicy,
        options: StatusListClientOptions = .default
    ) {
        self.policy = policy
        self.options = options
        fetcher = StatusListFetcher(transport: transport, policy: policy, options: options)
        cache = DocumentCache(options: options.caching) { $0.code == .notFetched }
    }

    /// The status of a credential; check it after the credential itself was found valid (Token Status List, section 8.3).
    ///
    /// - Parameters:
    ///   - reference: The reference to the credential's status.
    ///   - key: The signer that the list must have.
    ///   - now: The time.
    public func status(
        for reference: StatusReference,
        signedBy key: StatusListKey,
        at now: Date
    ) async -> CredentialStatus {
        do throws(StatusListError) {
            return try await list(at: reference.uri, signedBy: key, at: now).status(at: reference.index)
        } catch {
            return .unknown(error)
        }
    }

    /// The list of a URI, verified and of the time.
    ///
    /// - Parameters:
    ///   - uri: The `uri` of references to the list.
    ///   - key: The signer that the list must have.
    ///   - now: The time.
    /// - Throws: ``StatusListError/Code/notFetched``, ``StatusListError/Code/notAvailable``, and what the token is refused for.
    public func list(
        at uri: String,
        signedBy key: StatusListKey,
        at now: Date
    ) async throws(StatusListError) -> VerifiedStatusList {
        let listKey = ListKey(uri: ExactText(uri), signer: key)
        guard fetcher.transport != nil else {
            guard let kept = cache.keptDocument(for: listKey, at: now) else {
                throw StatusListError(.notAvailable, "the list is not at hand, and there is no network", path: [uri])
            }
            return try kept.value.current(policy, at: now)
        }
        let list = try await cache.document(
            for: listKey,
            at: now,
            isCurrent: { $0.verify(policy: policy, at: now).verified != nil },
            fetch: { [fetcher, policy] () async throws(StatusListError) in
                try await fetcher.token(at: uri, time: nil).verified(for: uri, key, policy, at: now).fetched
            }
        )
        return try list.value.current(policy, at: now)
    }

    /// The lists that are kept now.
    var keptLists: [VerifiedStatusList] { Array(cache.documents.values) }

    /// Keeps a list that was verified.
    func keep(_ list: VerifiedStatusList, signedBy key: StatusListKey, at now: Date) {
        cache.insert(list.fetched, for: ListKey(uri: ExactText(list.uri), signer: key), at: now)
    }

    /// Drops every list and every memory of failures.
    public func removeAll() {
        cache.removeAll()
    }
}

extension StatusListToken {
    /// The verified list.
    ///
    /// - Throws: ``StatusListError/Code/refused``.
    func verified(
        for uri: String,
        _ key: StatusListKey,
        _ policy: StatusListPolicy,
        at time: Date
    ) throws(StatusListError) -> VerifiedStatusList {
        do throws(Refusal) {
            return try verify(for: uri, with: key, policy: policy, at: time).get()
        } catch {
            throw StatusListError(error)
        }
    }
}

extension VerifiedStatusList {
    /// The list with its lifetime, and the bytes that it and its token take.
    fileprivate var fetched: FetchedDocument<VerifiedStatusList> {
        FetchedDocument(self, lifetime: timeToLive, size: list.bytes.count + token.encodedBytes.count)
    }

    /// The list, if it is still valid.
    ///
    /// - Throws: ``StatusListError/Code/refused``.
    fileprivate func current(_ policy: StatusListPolicy, at time: Date) throws(StatusListError) -> VerifiedStatusList {
        do throws(Refusal) {
            return try verify(policy: policy, at: time).get()
        } catch {
            throw StatusListError(error)
        }
    }
}
