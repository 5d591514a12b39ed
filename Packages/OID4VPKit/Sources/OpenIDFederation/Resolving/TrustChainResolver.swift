public import CredentialTransport
import JOSEKit
@_spi(Layers) public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Finds and verifies the trust chains of entities (OpenID Federation 1.0, section 10).
///
/// A chain that came with a message is taken where it verifies. Otherwise the statements are fetched, from the entity upwards to
/// a trust anchor, and kept until the first of them expires. The chain is verified each time that it is used.
///
/// ```swift
/// let resolver = TrustChainResolver(policy: FederationPolicy(anchors: [anchor]), transport: transport)
/// let entity = try await resolver.entity(EntityIdentifier("https://shop.example"), at: now).get()
/// let metadata = try entity.metadata(of: "openid_credential_verifier")
/// ```
public struct TrustChainResolver: Sendable {
    /// The trust anchors and algorithms.
    public let policy: FederationPolicy
    let transport: (any HTTPTransport)?
    let limits: FederationLimits
    private let clock: any Clock<Duration>
    private let chains: DocumentCache<EntityIdentifier, TrustChain, FederationError>
    /// The key sets that entities publish by reference.
    let keySets: DocumentCache<KeySetReference, PublishedKeySet, FederationError>

    /// Makes a resolver with caches of its own.
    ///
    /// - Parameters:
    ///   - policy: The trust anchors and algorithms.
    ///   - transport: Fetches statements and key sets; nil to take only chains that come with a message, so that nothing is
    ///     fetched from addresses that strangers name.
    ///   - limits: The limits for a search.
    ///   - clock: The clock for the time of a search.
    ///   - caching: The options for keeping chains and key sets: by default those of 256 entities for an hour at most, key sets
    ///     for 300 seconds where the answer says nothing. Options of your own need a `maximumLifetime`: a key that was
    ///     withdrawn is trusted until then.
    public init(
        policy: FederationPolicy,
        transport: (any HTTPTransport)? = nil,
        limits: FederationLimits = FederationLimits(),
        clock: any Clock<Duration> = ContinuousClock(),
        caching: DocumentCacheOptions = DocumentCacheOptions(
            maximumCount: 256,
            maximumLifetime: 3600,
            defaultLifetime: 300
        )
    ) {
        self.policy = policy
        self.transport = transport
        self.limits = limits
        self.clock = clock
        let cancellation = FederationError(.cancelled, "the task was cancelled")
        chains = DocumentCache(options: caching, cancellation: cancellation) { $0.code == .retrievalFailed }
        keySets = DocumentCache(options: caching, cancellation: cancellation) { $0.code == .retrievalFailed }
    }

    /// Indicates that statements are fetched, so that no chain needs to come with a message.
    public var fetchesStatements: Bool { transport != nil }

    /// The requests and the time for the searches of one authentication.
    package func newAllowance() -> SearchAllowance { SearchAllowance(limits, on: clock) }

    /// The verification of an entity's trust chain.
    ///
    /// - Parameters:
    ///   - id: The entity.
    ///   - chain: The chain that came with a message; nil for none.
    ///   - time: The time.
    ///   - isSufficient: Returns `false` for an entity that lacks something, such as a key. Its statements are fetched again
    ///     then, at a limited rate.
    public func entity(
        _ id: EntityIdentifier,
        given chain: TrustChain? = nil,
        at time: Date,
        isSufficient: (FederationEntity) -> Bool = { _ in true }
    ) async -> Verification<FederationEntity> {
        await entity(id, given: chain, at: time, within: newAllowance(), isSufficient: isSufficient)
    }

    /// The verification of an entity's trust chain, with what others have left of the requests.
    package func entity(
        _ id: EntityIdentifier,
        given chain: TrustChain?,
        at time: Date,
        within allowance: SearchAllowance,
        isSufficient: (FederationEntity) -> Bool
    ) async -> Verification<FederationEntity> {
        let verification = await chainVerification(
            id,
            given: chain,
            at: time,
            within: allowance,
            isSufficient: isSufficient
        )
        return await requiringTrustMarks(verification, at: time, within: allowance)
    }

    /// The verification of an entity's trust chain, whatever trust marks it has.
    func chainVerification(
        _ id: EntityIdentifier,
        given chain: TrustChain?,
        at time: Date,
        within allowance: SearchAllowance,
        isSufficient: (FederationEntity) -> Bool
    ) async -> Verification<FederationEntity> {
        let given = chain.map { chain in
            chain.statements.count - 1 > limits.chainLength
                ? Self.refusal(FederationError(.limitExceeded, "the chain is too long"), at: time)
                : chain.verify(about: id, policy: policy, at: time)
        }
        if let given, let entity = given.verified, transport == nil || isSufficient(entity) { return given }
        do throws(FederationError) {
            return try await fetched(id, at: time, allowance, isSufficient)
        } catch {
            return given ?? Self.refusal(error, at: time)
        }
    }

    /// The verified chain of an entity, which is fetched or kept, for the entity to send along or for others to keep.
    ///
    /// - Parameters:
    ///   - id: The entity.
    ///   - time: The time.
    /// - Throws: ``FederationError/Code/noTrustChain`` without a transport, and where none leads to a trust anchor;
    ///   ``FederationError/Code/retrievalFailed``, ``FederationError/Code/limitExceeded``, and the errors of the entity's own
    ///   statement.
    public func chain(of id: EntityIdentifier, at time: Date) async throws(FederationError) -> TrustChain {
        let chain = try await fetchedChain(id, at: time, newAllowance()) { _ in true }
        if let refusal = chain.verify(about: id, policy: policy, at: time).refusal {
            throw FederationError(.noTrustChain, "the kept chain of \(id) does not verify", cause: refusal)
        }
        return chain
    }

    private static func refusal(_ error: FederationError, at time: Date) -> Verification<FederationEntity> {
        var checklist = Checklist(TrustChain.checks, at: time)
        let reason = Reason(error.code.description)
        let isOutage = error.code == .retrievalFailed || error.code == .cancelled
        checklist.record(
            .structure,
            isOutage ? .unavailable(reason, error.messageWithCause) : .failed(reason, error.messageWithCause),
            at: error.path
        )
        return checklist.verification(of: nil)
    }

    private func fetched(
        _ id: EntityIdentifier,
        at time: Date,
        _ allowance: SearchAllowance,
        _ isSufficient: (FederationEntity) -> Bool
    ) async throws(FederationError) -> Verification<FederationEntity> {
        try await fetchedChain(id, at: time, allowance, isSufficient).verify(about: id, policy: policy, at: time)
    }

    private func fetchedChain(
        _ id: EntityIdentifier,
        at time: Date,
        _ allowance: SearchAllowance,
        _ isSufficient: (FederationEntity) -> Bool
    ) async throws(FederationError) -> TrustChain {
        guard let transport else {
            throw FederationError(.noTrustChain, "no chain of \(id) came, and none is fetched")
        }
        guard !allowance.isExhausted else {
            guard let kept = chains.keptDocument(for: id, at: time), !kept.isStale else { throw allowance.excess }
            return kept.value
        }
        return try await chains.document(
            for: id,
            at: time,
            isCurrent: { $0.unverifiedExpirationTime.addingTimeInterval(policy.clockSkew) > time },
            isSufficient: { chain in
                chain.verify(about: id, policy: policy, at: time).verified.map(isSufficient) ?? false
            },
            fetch: { () async throws(FederationError) in
                var search = TrustChainSearch(
                    policy: policy,
                    transport: transport,
                    limits: limits,
                    clock: clock,
                    allowance: allowance,
                    time: time
                )
                let chain = try await search.chain(of: id)
                return FetchedDocument(
                    chain,
                    lifetime: chain.unverifiedExpirationTime.timeIntervalSince(time),
                    size: chain.statements.reduce(0) { $0 + $1.size }
                )
            }
        ).value
    }
}
