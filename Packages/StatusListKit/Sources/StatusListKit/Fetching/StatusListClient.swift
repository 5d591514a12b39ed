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
/// switch await client.status(for: reference, signedBy: .publicKey(issuerKey), at: now).status {
/// case .valid: accept()
/// case .unknown(let obstacle): refuse(because: obstacle)
/// default: refuse()
/// }
/// ```
///
/// A client without a transport answers from its snapshot, until the tokens expire.
public final class StatusListClient: Sendable {
    /// The policy for tokens.
    public let policy: StatusListPolicy
    /// The options for fetching and caching lists.
    public let options: StatusListClientOptions

    let fetcher: StatusListFetcher
    let cache: ListCache<ListDemand, VerifiedStatusList>

    /// A client.
    ///
    /// - Parameters:
    ///   - transport: Fetches lists; nil without a network.
    ///   - snapshot: The tokens to use for lists that cannot be fetched, and in place of fetched ones that were issued earlier.
    ///   - policy: The policy for tokens.
    ///   - options: The options for fetching and caching lists.
    public init(
        transport: (any HTTPTransport)?,
        snapshot: StatusListSnapshot = StatusListSnapshot(),
        policy: StatusListPolicy,
        options: StatusListClientOptions = .default
    ) {
        self.policy = policy
        self.options = options
        fetcher = StatusListFetcher(transport: transport, policy: policy, options: options)
        cache = ListCache(policy: policy, options: options.caching, snapshot: snapshot.tokens)
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
    ) async -> StatusFinding {
        do throws(StatusListError) {
            return try await list(at: reference.uri, signedBy: key, at: now).finding(at: reference.index)
        } catch {
            return StatusFinding(.unknown(error))
        }
    }

    /// The list of a URI, verified and of the time.
    ///
    /// - Parameters:
    ///   - uri: The `uri` of references to the list.
    ///   - key: The signer that the list must have.
    ///   - forms: The forms of tokens that are taken, of those of the policy; nil for all. A credential in the form of SD-JWT VC
    ///     has its status in a JWT.
    ///   - maximumAge: The age from which on a kept list is fetched again before its lifetime ends, in seconds since `iat`; nil
    ///     for none. An older list is returned if there is no later one.
    ///   - now: The time.
    /// - Throws: ``StatusListError/Code/notFetched``, ``StatusListError/Code/notAvailable``, and the refusals of the
    ///   token.
    public func list(
        at uri: String,
        signedBy key: StatusListKey,
        forms: Set<StatusListToken.Form>? = nil,
        refreshingAfter maximumAge: TimeInterval? = nil,
        at now: Date
    ) async throws(StatusListError) -> VerifiedStatusList {
        let demand = ListDemand(key: key, forms: forms.map(policy.forms.intersection) ?? policy.forms)
        return try await list(at: uri, demand, refreshingAfter: maximumAge, at: now)
    }

    /// The list of a URI for a signer and forms.
    func list(
        at uri: String,
        _ demand: ListDemand,
        refreshingAfter maximumAge: TimeInterval? = nil,
        at now: Date
    ) async throws(StatusListError) -> VerifiedStatusList {
        guard !demand.forms.isEmpty else {
            throw StatusListError(.notAvailable, "the policy takes no token of the form", path: [uri])
        }
        let fetch = { @Sendable [fetcher] () async throws(StatusListError) in
            try await fetcher.token(at: uri, time: nil, in: demand.forms)
        }
        return try await cache.list(
            at: uri,
            signedBy: demand,
            refreshingAfter: maximumAge,
            at: now,
            fetch: fetcher.transport == nil ? nil : fetch
        ) { [policy] (token) throws(StatusListError) in
            guard demand.forms.contains(token.form) else {
                throw StatusListError(.notAvailable, "the token is in another form", path: [uri])
            }
            return try token.verify(for: uri, with: demand.key, policy: policy, at: now).list()
        }
    }

    /// Adds the tokens of a snapshot to those for lists that cannot be fetched, and in place of earlier ones.
    ///
    /// Each is verified when it is used, for the signer that the credential demands. Of several with one URI, the one issued last
    /// counts, whichever was loaded or fetched first.
    public func load(_ snapshot: StatusListSnapshot) {
        cache.load(snapshot.tokens)
    }

    /// Drops every list and every memory of failures.
    public func removeAll() {
        cache.removeAll()
    }
}

/// The signer that a list must have, and the forms of its token that are taken: what is kept under one answers for no other.
struct ListDemand: Hashable, Sendable {
    let key: StatusListKey
    let forms: Set<StatusListToken.Form>
}

extension VerifiedStatusList: KeptList {
    var size: Int { list.bytes.count + token.encodedBytes.count }
}
