public import CredentialServing
import CredentialTransport
public import CryptoCore
import JOSEKit
public import OpenIDFederation

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Publishes an entity's configuration, and signs it anew before it expires (OpenID Federation 1.0, section 9).
///
/// ```swift
/// let configuration = EntityStatementBuilder(
///     issuer: try EntityIdentifier("https://shop.example"),
///     keys: JWKSet([try JWK(signer.publicKey, keyID: "f1")]),
///     validity: now...now.addingTimeInterval(86_400),
///     metadata: ["openid_credential_verifier": .object(try party.federationMetadata())],
///     authorityHints: [try EntityIdentifier("https://federation.example")]
/// )
/// let publication = try EntityConfigurationServer(configuration, signer: signer, keyID: "f1")
/// let engines = try MountedEngines(["/.well-known": publication.engine(), "/": try server.engine()])
/// ```
///
/// Each process has one of its own: a configuration is valid by its signature.
public actor EntityConfigurationServer {
    private let builder: EntityStatementBuilder
    private let signer: any Signer
    private let keyID: String
    private let clock: SessionClock
    private let lifetime: TimeInterval
    private var kept: (statement: EntityStatement, signed: Date)?

    /// A server of one configuration.
    ///
    /// - Parameters:
    ///   - builder: The configuration. The length of its `validity` is the lifetime of each signature, half of which is over
    ///     before the next is made.
    ///   - signer: A key with which the entity signs statements.
    ///   - keyID: Its name among the entity's keys.
    ///   - clock: The time.
    /// - Throws: `FederationError` with code `malformed` for a statement about another entity, a lifetime of less than two
    ///   seconds, and a key that is not among the builder's.
    public init(
        _ builder: EntityStatementBuilder,
        signer: any Signer,
        keyID: String,
        clock: SessionClock = .system
    ) throws(FederationError) {
        lifetime = builder.validity.upperBound.timeIntervalSince(builder.validity.lowerBound)
        guard builder.issuer == builder.subject else {
            throw FederationError(.malformed, "a configuration is about the entity itself", path: ["sub"])
        }
        guard lifetime >= 2 else {
            throw FederationError(.malformed, "it is valid for less than two seconds", path: ["exp"])
        }
        try builder.requireKey(named: keyID) { (try? $0.publicKey()) == signer.publicKey }
        self.builder = builder
        self.signer = signer
        self.keyID = keyID
        self.clock = clock
    }

    /// The configuration: the kept one, or one that is signed now.
    ///
    /// A kept one that has not expired stands in where the signer fails.
    ///
    /// - Throws: `FederationError` with code `signingFailed`, and those of reading for a statement that is not well-formed.
    public func configuration() async throws(FederationError) -> EntityStatement {
        let now = clock.now()
        if let kept, now >= kept.signed, now < kept.signed + lifetime / 2 { return kept.statement }
        var builder = builder
        builder.validity = now...now + lifetime
        do throws(FederationError) {
            let statement = try await builder.sign(with: signer, keyID: keyID)
            kept = (statement, now)
            return statement
        } catch {
            // The time is that after the signer's answer.
            if let kept, clock.now() < kept.signed + lifetime - 1 { return kept.statement }
            throw error
        }
    }

    /// The endpoint (`openid-federation`), to be mounted at `.well-known` below the path of the entity's identifier.
    public nonisolated func engine() throws(ServingError) -> RoutedEngine {
        let route = ServerRoute.get("/openid-federation") { _ in
            ServerResponse.bytes(
                Array(try await self.configuration().token.compactSerialization().utf8),
                type: try MediaType("application/entity-statement+jwt")
            )
        }
        return try RoutedEngine(
            [route],
            options: RoutedEngineOptions(cors: CORSPolicy(origins: .any)),
            clock: clock.timer
        )
    }
}
