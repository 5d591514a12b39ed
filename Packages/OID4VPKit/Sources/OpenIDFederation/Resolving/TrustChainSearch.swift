import CredentialTransport
import JOSEKit
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A search for the shortest chain from an entity to a trust anchor (OpenID Federation 1.0, section 10.1).
struct TrustChainSearch {
    private let policy: FederationPolicy
    private let transport: any HTTPTransport
    private let limits: FederationLimits
    private let time: Date
    private let remainingTime: RemainingTime
    private let allowance: SearchAllowance
    /// The statements that have been fetched, with those that could not be; none is fetched twice.
    private var statements: [HTTPURL: Result<EntityStatement, FederationError>] = [:]
    /// The first request without an answer: with it the search may have found a chain.
    private var outage: FederationError?
    /// The reason that a path was given up: of a path to a trust anchor, if there was one.
    private var failure: FederationError?

    /// A chain that may go on: its statements, and the configuration of the entity at its end.
    private struct Path {
        var statements: [EntityStatement]
        var entities: [EntityIdentifier]
        var top: EntityStatement
    }

    init(
        policy: FederationPolicy,
        transport: any HTTPTransport,
        limits: FederationLimits,
        clock: any Clock<Duration>,
        allowance: SearchAllowance,
        time: Date
    ) {
        self.allowance = allowance
        self.policy = policy
        self.transport = transport
        self.limits = limits
        self.time = time
        remainingTime = RemainingTime(limits.time, on: clock)
    }

    /// The first chain that verifies, shorter ones first.
    ///
    /// - Throws: ``FederationError/Code/retrievalFailed`` where an entity did not answer,
    ///   ``FederationError/Code/limitExceeded``, ``FederationError/Code/noTrustChain`` with the reason that a path was given up,
    ///   and the errors of the entity's own statement.
    mutating func chain(of id: EntityIdentifier) async throws(FederationError) -> TrustChain {
        let configuration = try await self.configuration(of: id)
        if policy.anchor(id) != nil, let chain = verified([configuration], about: id) { return chain }
        var paths = [Path(statements: [configuration], entities: [id], top: configuration)]
        var next = 0
        while next < paths.count {
            let path = paths[next]
            next += 1
            for superior in superiors(of: path) {
                guard let extended = try await extended(path, by: superior) else { continue }
                if policy.anchor(superior) != nil,
                    let chain = verified(extended.statements + [extended.top], about: id)
                {
                    return chain
                }
                if extended.statements.count < limits.chainLength { paths.append(extended) }
            }
        }
        if let outage { throw outage }
        throw FederationError(.noTrustChain, "no chain leads from \(id) to a trust anchor", cause: failure)
    }

    /// The superiors that the entity at the end names, trust anchors first, without those that the path has passed.
    private mutating func superiors(of path: Path) -> [EntityIdentifier] {
        let named = path.top.content.authorityHints.filter { !path.entities.contains($0) }
        if named.count > limits.superiors {
            failure = failure ?? FederationError(.limitExceeded, "more than \(limits.superiors) superiors are named")
        }
        let anchors = named.filter { policy.anchor($0) != nil }
        return Array((anchors + named.filter { policy.anchor($0) == nil }).prefix(max(0, limits.superiors)))
    }

    /// The path with the statement of a superior about its end; nil if the superior makes none.
    private mutating func extended(
        _ path: Path,
        by superior: EntityIdentifier
    ) async throws(FederationError) -> Path? {
        do throws(FederationError) {
            let configuration = try await configuration(of: superior)
            let subject = path.top.unverifiedSubject
            let statement = try await statement(of: configuration, about: subject)
            guard statement.unverifiedIssuer == superior, statement.unverifiedSubject == subject else {
                throw FederationError(.malformed, "\(superior) answers with a statement about another entity")
            }
            return Path(
                statements: path.statements + [statement],
                entities: path.entities + [superior],
                top: configuration
            )
        } catch {
            guard error.code != .limitExceeded || !isExhausted else { throw error }
            if error.code == .retrievalFailed { outage = outage ?? error } else { failure = failure ?? error }
            return nil
        }
    }

    private mutating func verified(_ statements: [EntityStatement], about id: EntityIdentifier) -> TrustChain? {
        guard let chain = try? TrustChain(statements) else {
            failure = FederationError(.limitExceeded, "the chain is too long")
            return nil
        }
        if let refusal = chain.verify(about: id, policy: policy, at: time).refusal {
            failure = FederationError(.noTrustChain, "\(refusal)")
            return nil
        }
        return chain
    }

    // MARK: Fetching

    private mutating func configuration(of id: EntityIdentifier) async throws(FederationError) -> EntityStatement {
        let statement = try await fetch(id.configurationURL)
        guard statement.isConfiguration, statement.unverifiedSubject == id else {
            throw FederationError(.malformed, "\(id) publishes no configuration of its own")
        }
        return statement
    }

    private mutating func statement(
        of superior: EntityStatement,
        about subject: EntityIdentifier
    ) async throws(FederationError) -> EntityStatement {
        guard let endpoint = superior.fetchEndpoint else {
            throw FederationError(
                .malformed,
                "\(superior.unverifiedSubject) names no address for statements about others"
            )
        }
        return try await fetch(endpoint.appendingQueryItem("sub", subject.text.text))
    }

    /// The statement at an address, which is asked once.
    private mutating func fetch(_ url: HTTPURL) async throws(FederationError) -> EntityStatement {
        if let known = statements[url] { return try known.get() }
        guard !isExhausted else {
            let bounds = "\(limits.requests) requests or \(limits.time)"
            throw FederationError(.limitExceeded, "the search takes more than \(bounds)")
        }
        allowance.countRequest()
        do throws(FederationError) {
            let response = try await transport.document(
                at: url,
                types: [EntityStatement.type],
                HTTPLimits(maximumBodySize: limits.documentSize, timeout: min(remainingTime.now, .seconds(10))),
                refusal: .noTrustChain
            )
            let statement = try EntityStatement(compact: response.body, limits: JOSELimits(size: limits.documentSize))
            statements[url] = .success(statement)
            return statement
        } catch {
            statements[url] = .failure(error)
            throw error
        }
    }

    /// Indicates that nothing more is fetched.
    private var isExhausted: Bool { statements.count >= limits.requests || remainingTime.now <= .zero }
}

extension EntityStatement {
    /// The size of the token in bytes.
    var size: Int { (try? compactSerialization().utf8.count) ?? 0 }
}
