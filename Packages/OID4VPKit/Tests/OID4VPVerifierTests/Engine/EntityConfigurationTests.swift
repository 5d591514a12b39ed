import CredentialServing
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import JOSEKit
import JSONKit
import OID4VPVerifier
import OpenIDFederation
import Synchronization
import TestSupport
import Testing

/// The configuration of an entity, as others fetch it over time.
struct EntityConfigurationTests {
    /// A signer that fails while it is off.
    private final class Switchable: Signer {
        private let signer: SoftwareSigner
        let isOn = Mutex(true)

        init(_ key: PrivateKey) throws { signer = try SoftwareSigner(key) }

        var publicKey: PublicKey { signer.publicKey }
        var algorithm: SignatureAlgorithm { signer.algorithm }

        func signature(for message: [UInt8]) async throws -> [UInt8] {
            guard isOn.withLock({ $0 }) else { throw CancellationError() }
            return try signer.signature(for: message)
        }
    }

    private let clock = ManualClock()
    private let signer: Switchable
    private let builder: EntityStatementBuilder

    init() throws {
        let key = try PrivateKey.generate(.p256)
        signer = try Switchable(key)
        builder = EntityStatementBuilder(
            issuer: try EntityIdentifier("https://verifier.example"),
            keys: JWKSet([try JWK(key.publicKey, keyID: "f1")]),
            validity: EngineWorld.start...EngineWorld.start + 100,
            metadata: ["openid_credential_verifier": ["client_name": "Shop"]]
        )
    }

    private func publication() throws -> EntityConfigurationServer {
        try EntityConfigurationServer(builder, signer: signer, keyID: "f1", clock: EngineWorld.sessionClock(clock))
    }

    private func text(_ publication: EntityConfigurationServer) async throws -> String {
        try await publication.configuration().token.compactSerialization()
    }

    @Test func isSignedAnewInTime() async throws {
        let publication = try publication()
        let first = try await text(publication)
        clock.advance(by: .seconds(49))
        #expect(try await text(publication) == first)
        clock.advance(by: .seconds(1))
        let second = try await publication.configuration()
        #expect(try second.token.compactSerialization() != first)
        // A chain of the entity itself verifies for as long as the second is valid, and no longer.
        let policy = FederationPolicy(anchors: [FederationTrustAnchor(id: builder.issuer, keys: builder.keys)])
        for (seconds, isValid) in [(149.0, true), (300, false)] {
            let time = EngineWorld.start + seconds
            let verification = try TrustChain([second]).verify(about: builder.issuer, policy: policy, at: time)
            #expect((verification.verified != nil) == isValid)
        }
    }

    @Test func aKeptOneStandsInForASignerThatFails() async throws {
        let publication = try publication()
        let first = try await text(publication)
        signer.isOn.withLock { $0 = false }
        clock.advance(by: .seconds(98))
        #expect(try await text(publication) == first)
        clock.advance(by: .seconds(1))
        await #expect(throws: FederationError.self) { _ = try await publication.configuration() }
        let answer = try await InMemoryServer(publication.engine()).response(to: .get("/openid-federation"))
        #expect(answer.status == .internalServerError)
        signer.isOn.withLock { $0 = true }
        #expect(try await text(publication) != first)
    }

    @Test func isAtTheAddressOfTheEntity() async throws {
        let publication = try publication()
        let http = InMemoryServer(try MountedEngines(["/.well-known": publication.engine()]))
        let answer = try await http.response(to: .get(builder.issuer.configurationURL.path))
        #expect(answer.status == .ok)
        #expect(answer.headerFields[.contentType] == "application/entity-statement+jwt")
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(try EntityStatement(compact: text).unverifiedIssuer == builder.issuer)
    }

    @Test func configurationsThatCannotBePublished() throws {
        var other = builder
        other.subject = try EntityIdentifier("https://other.example")
        var brief = builder
        brief.validity = EngineWorld.start...EngineWorld.start + 1
        var foreign = builder
        foreign.keys = JWKSet([try JWK(PrivateKey.generate(.p256).publicKey, keyID: "f1")])
        for (faulty, path) in [(other, "sub"), (brief, "exp"), (foreign, "jwks")] {
            let error = #expect(throws: FederationError.self) {
                _ = try EntityConfigurationServer(faulty, signer: signer, keyID: "f1")
            }
            #expect(error?.code == .malformed && error?.path == [path])
        }
        #expect(throws: FederationError.self) {
            _ = try EntityConfigurationServer(builder, signer: signer, keyID: "f2")
        }
    }
}
