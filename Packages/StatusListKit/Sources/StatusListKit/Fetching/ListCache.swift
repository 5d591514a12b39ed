import CredentialTransport
import Synchronization
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A verified list, as a client keeps it.
protocol KeptList: Sendable {
    associatedtype Token: ListToken

    var uri: String { get }
    var token: Token { get }
    var issuedAt: Date { get }
    var timeToLive: TimeInterval? { get }
    var expirationTime: Date? { get }
    /// The bytes that the list and its token take.
    var size: Int { get }

    /// Verifies that the list is still valid.
    func verify(policy: StatusListPolicy, at time: Date) -> Verification<Self>
}

/// The lists of a client: those fetched, and those of a snapshot for where nothing can be fetched.
///
/// A statement never gives way to an older one: of the fetched list, the kept one and those of the snapshot, each valid, the
/// one issued last counts, with and without a network.
final class ListCache<Signer: Hashable & Sendable, List: KeptList>: Sendable {
    /// A list as verified for one signer, since the signature of one party proves nothing to a caller that trusts another.
    struct Key: Hashable, CustomStringConvertible {
        let uri: ExactText
        let signer: Signer

        /// The URI, as observers are told it.
        var description: String { uri.text }

        /// The URI tells lists apart; comparing looks at the signer, too.
        func hash(into hasher: inout Hasher) {
            hasher.combine(uri)
        }
    }

    /// Fetches a token, with the lifetime that the answer's header gives it.
    typealias Source = @Sendable () async throws(StatusListError) -> FetchedDocument<List.Token>
    /// Verifies a token.
    typealias Verifier = @Sendable (List.Token) throws(StatusListError) -> List
    /// Lists that could not be fetched, or were refused, with the reasons.
    typealias Failures = [(uri: String, error: StatusListError)]

    private let policy: StatusListPolicy
    private let fetched: DocumentCache<Key, List, StatusListError>
    /// The lists of the snapshot that were asked for, verified.
    private let stored: DocumentCache<Key, List, StatusListError>
    private let loaded: Mutex<LoadedTokens<List.Token>>

    init(
        policy: StatusListPolicy,
        options: DocumentCacheOptions,
        snapshot tokens: [(uri: String, token: List.Token)]
    ) {
        self.policy = policy
        loaded = Mutex(LoadedTokens(tokens, limits: policy.limits))
        fetched = DocumentCache(options: options) { $0.code == .notFetched }
        stored = DocumentCache(options: options) { _ in false }
    }

    /// The list of a URI, verified and of the time.
    ///
    /// - Parameters:
    ///   - uri: The list.
    ///   - signer: The signer that the list must have.
    ///   - maximumAge: The age from which on a kept list is fetched again, in seconds since `iat`; nil for none.
    ///   - now: The time.
    ///   - fetch: Fetches the token; nil without a network.
    ///   - verify: Verifies a token, a fetched one or one of the snapshot.
    /// - Throws: ``StatusListError/Code/notFetched``, ``StatusListError/Code/notAvailable``, and the refusals of the
    ///   token.
    func list(
        at uri: String,
        signedBy signer: Signer,
        refreshingAfter maximumAge: TimeInterval?,
        at now: Date,
        fetch: Source?,
        verify: @escaping Verifier
    ) async throws(StatusListError) -> List {
        let key = Key(uri: ExactText(uri), signer: signer)
        do throws(StatusListError) {
            guard let fetch else { return try await kept(key, verify, at: now) }
            let document = try await fetched.document(
                for: key,
                at: now,
                isCurrent: isCurrent(at: now),
                isSufficient: { list in maximumAge.map { now.timeIntervalSince(list.issuedAt) <= $0 } ?? true },
                choosing: { [policy] fetched, kept in
                    guard kept.isLater(than: fetched.value, under: policy, at: now) else { return fetched }
                    return FetchedDocument(kept, lifetime: fetched.lifetime, expiration: fetched.expiration)
                },
                fetch: { () async throws(StatusListError) in
                    let token = try await fetch()
                    return FetchedDocument(
                        try verify(token.value),
                        lifetime: token.lifetime,
                        expiration: token.expiration
                    )
                }
            )
            let list = try document.value.verify(policy: policy, at: now).list()
            guard let stored = await stored(key, verify, at: now), stored.issuedAt > list.issuedAt else { return list }
            return latest(stored, for: key, at: now)
        } catch {
            guard error.code == .notFetched, let stored = await stored(key, verify, at: now) else { throw error }
            return latest(stored, for: key, at: now)
        }
    }

    /// The tokens of the kept lists, and the loaded tokens that claim a later time of issue: those of one URI in the order of
    /// these times.
    ///
    /// A loaded token can be forged, or signed by another party. Each is kept beside the verified ones, in no one's place.
    var tokens: [(uri: String, token: List.Token)] {
        let lists = fetched.documents.merging(stored.documents) { $1.isLater(than: $0) ? $1 : $0 }.values
        var byURI = Dictionary(grouping: lists) { ExactText($0.uri) }
            .mapValues { $0.sorted { $0.issuedAt < $1.issuedAt }.map { (issuedAt: $0.issuedAt, token: $0.token) } }
        for (uri, tokens) in loaded.withLock({ $0.byTimeOfIssue }) {
            let last = byURI[uri]?.last?.issuedAt
            byURI[uri, default: []] += tokens.filter { token in last.map { token.issuedAt > $0 } ?? true }
        }
        return byURI.flatMap { (uri, tokens) in tokens.map { (uri: uri.text, token: $0.token) } }
    }

    /// Keeps a list of a snapshot that was verified, unless one that is as late is kept and still valid.
    ///
    /// When it was fetched is not known. Its lifetime counts from its issue: it must not begin anew with each start of the process.
    func keep(_ list: List, signedBy signer: Signer, at now: Date) {
        let key = Key(uri: ExactText(list.uri), signer: signer)
        fetched.insert(FetchedDocument(list), for: key, at: min(list.issuedAt, now)) { kept in
            kept.issuedAt < list.issuedAt || !self.isCurrent(at: now)(kept)
        }
    }

    /// Keeps the fetched list of one signer for another demand that it meets, for as long as for the first.
    func share(_ uri: String, signedBy signer: Signer, with other: Signer, at now: Date) {
        let (key, otherKey) = (Key(uri: ExactText(uri), signer: signer), Key(uri: ExactText(uri), signer: other))
        guard let document = fetched.keptDocument(for: key, at: now) else { return }
        let list = document.value
        let shared = FetchedDocument(list, lifetime: document.freshUntil.timeIntervalSince(document.fetched))
        fetched.insert(shared, for: otherKey, at: document.fetched) { kept in
            !kept.isLater(than: list, under: self.policy, at: now)
        }
    }

    /// The fetched lists, and those of the snapshot that were asked for, with their times, in the order of their URIs' bytes.
    func keptLists(at now: Date) -> [KeptStatusList] {
        let documents = fetched.keptDocuments(at: now)
            .merging(stored.keptDocuments(at: now)) {
                $1.value.isLater(than: $0.value, under: self.policy, at: now) ? $1 : $0
            }
        // One list can be kept for several demands.
        return Set(documents.values.map { KeptStatusList($0) })
            .sorted { ExactText($0.uri) < ExactText($1.uri) }
    }

    /// Gets lists one after the other, and goes on after a failure.
    func prefetch(
        _ uris: [String],
        _ list: (String) async throws(StatusListError) -> List
    ) async -> Failures {
        var failures: Failures = []
        for uri in uris {
            do throws(StatusListError) {
                _ = try await list(uri)
            } catch {
                failures.append((uri, error))
            }
        }
        return failures
    }

    /// Gets the lists that are due to be fetched again, one after the other, and goes on after a failure.
    func refresh(
        at now: Date,
        _ list: (String, Signer) async throws(StatusListError) -> List
    ) async -> Failures {
        let due = fetched.keptDocuments(at: now)
            .filter { $0.value.isStale || !isCurrent(at: now)($0.value.value) }.keys
            .sorted { $0.uri < $1.uri }
        var failures: Failures = []
        for key in due {
            failures += await prefetch([key.uri.text]) { (uri) async throws(StatusListError) in
                try await list(uri, key.signer)
            }
        }
        return failures
    }

    /// Adds tokens to those for lists that cannot be fetched.
    func load(_ tokens: [(uri: String, token: List.Token)]) {
        loaded.withLock { $0.insert(tokens) }
        // They are verified again, with the new ones among them.
        stored.removeAll()
    }

    /// Drops every list and every memory of failures.
    func removeAll() {
        fetched.removeAll()
        stored.removeAll()
    }

    /// The list where nothing can be fetched: the kept one, which need not be fresh, or a later one of the snapshot.
    private func kept(_ key: Key, _ verify: @escaping Verifier, at now: Date) async throws(StatusListError) -> List {
        if let stored = await stored(key, verify, at: now) { return latest(stored, for: key, at: now) }
        guard let kept = fetched.keptDocument(for: key, at: now) else {
            throw .notAvailable(key.uri.text)
        }
        return try kept.value.verify(policy: policy, at: now).list()
    }

    /// The list of the snapshot, if present and valid: of two tokens that verify, the later one.
    private func stored(_ key: Key, _ verify: @escaping Verifier, at now: Date) async -> List? {
        guard loaded.withLock({ $0.contains(key.uri) }) else { return nil }
        do throws(StatusListError) {
            let document = try await stored.document(for: key, at: now, isCurrent: isCurrent(at: now)) {
                [self] () async throws(StatusListError) in
                // They are read here, since tokens that are loaded from now on drop the outcome.
                let tokens = loaded.withLock { $0[key.uri.text] }
                let lists = tokens.compactMap { try? verify($0) }
                guard let latest = lists.max(by: { $0.issuedAt < $1.issuedAt }) else {
                    throw .notAvailable(key.uri.text)
                }
                return FetchedDocument(latest)
            }
            return document.value.verify(policy: policy, at: now).verified
        } catch {
            // The caller has an error that says more: the list could not be fetched.
            return nil
        }
    }

    private func isCurrent(at now: Date) -> (List) -> Bool {
        { list in list.verify(policy: self.policy, at: now).verified != nil }
    }

    /// A list, or the kept one if that was issued later and is still valid.
    private func latest(_ list: List, for key: Key, at now: Date) -> List {
        guard let kept = fetched.keptDocument(for: key, at: now)?.value,
            kept.isLater(than: list, under: policy, at: now)
        else { return list }
        return kept
    }
}

extension KeptList {
    /// Returns `true` for a list that was issued later.
    fileprivate func isLater(than other: Self) -> Bool { issuedAt > other.issuedAt }

    /// Returns `true` for a list that was issued later and is still valid.
    fileprivate func isLater(than other: Self, under policy: StatusListPolicy, at time: Date) -> Bool {
        isLater(than: other) && verify(policy: policy, at: time).verified != nil
    }
}

extension FetchedDocument where Document: KeptList {
    /// A list with its lifetime and size.
    ///
    /// - Parameters:
    ///   - lifetime: The lifetime by the answer's header, for a list without `ttl`.
    ///   - expiration: The end of the lifetime by the answer's header, likewise.
    fileprivate init(_ list: Document, lifetime: TimeInterval? = nil, expiration: Date? = nil) {
        self.init(list, lifetime: list.timeToLive ?? lifetime, expiration: expiration, size: list.size)
    }
}
