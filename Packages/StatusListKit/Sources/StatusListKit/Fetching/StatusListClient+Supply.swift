#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension StatusListClient {
    /// The lists that an issuer enumerates (Token Status List, section 9).
    ///
    /// - Parameter uri: From the issuer's metadata, or ``VerifiedStatusList/aggregationURI``.
    /// - Throws: ``StatusListError/Code/notFetched``, ``StatusListError/Code/notAvailable``,
    ///   ``StatusListError/Code/malformed``, ``StatusListError/Code/limitExceeded``.
    public func aggregation(at uri: String) async throws(StatusListError) -> StatusListAggregation {
        try await fetcher.aggregation(at: uri)
    }

    /// Fetches lists ahead, one after the other, and goes on after a failure.
    ///
    /// - Parameters:
    ///   - uris: The URIs of the lists.
    ///   - key: The signer that they must have.
    ///   - now: The time.
    /// - Returns: The lists that could not be fetched, with the reasons.
    @discardableResult
    public func prefetch(
        _ uris: [String],
        signedBy key: StatusListKey,
        at now: Date
    ) async -> [(uri: String, error: StatusListError)] {
        await cache.prefetch(uris) { (uri) async throws(StatusListError) in
            let list = try await list(at: uri, signedBy: key, at: now)
            if policy.forms.count > 1 {
                cache.share(uri, signedBy: ListDemand(key: key, forms: policy.forms), with: list.demand(key), at: now)
            }
            return list
        }
    }

    /// Fetches the kept lists whose next update is due, one after the other, and goes on after a failure.
    ///
    /// - Returns: The lists that could not be fetched, with the reasons; each is kept as it was.
    @discardableResult
    public func refresh(at now: Date) async -> [(uri: String, error: StatusListError)] {
        await cache.refresh(at: now) { (uri, demand) async throws(StatusListError) in
            try await list(at: uri, demand, at: now)
        }
    }

    /// The lists that are kept, and those of the snapshot that were used, with their ages and next updates, in the order of
    /// their URIs' bytes.
    public func keptLists(at now: Date) -> [KeptStatusList] { cache.keptLists(at: now) }

    /// Verifies the tokens of a snapshot, and keeps their lists as if they were fetched when they were issued.
    ///
    /// A token does not say when it was fetched. Its `ttl` counts from its `iat`: a list past it is fetched again before it is used
    /// where there is a network, however often the process starts (Token Status List, section 8.3). A kept list stays where it was
    /// not issued earlier than the one in the snapshot, and is still valid.
    ///
    /// Load the snapshot with ``load(_:)``, too, if its lists are to stand in for those that cannot be fetched.
    ///
    /// - Parameters:
    ///   - snapshot: The tokens.
    ///   - key: The signer that they must have.
    ///   - now: The time.
    /// - Returns: The lists that were refused, with the reasons.
    @discardableResult
    public func load(
        _ snapshot: StatusListSnapshot,
        signedBy key: StatusListKey,
        at now: Date
    ) -> [(uri: String, error: StatusListError)] {
        var failures: [(uri: String, error: StatusListError)] = []
        for (uri, token) in snapshot.tokens {
            do throws(StatusListError) {
                let list = try token.verify(for: uri, with: key, policy: policy, at: now).list()
                for demand in Set([list.demand(key), ListDemand(key: key, forms: policy.forms)]) {
                    cache.keep(list, signedBy: demand, at: now)
                }
            } catch {
                failures.append((uri, error))
            }
        }
        return failures
    }

    /// The tokens of the lists that are kept now, and later ones that the client was given, for use where there is no network.
    public func snapshot() -> StatusListSnapshot {
        var snapshot = StatusListSnapshot()
        for (uri, token) in cache.tokens { snapshot.append(token, for: uri) }
        return snapshot
    }
}

extension VerifiedStatusList {
    /// The demand for a list in the form of this one alone.
    fileprivate func demand(_ key: StatusListKey) -> ListDemand { ListDemand(key: key, forms: [token.form]) }
}
