import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPTesting
import OpenIDFederation
import Synchronization
import TestSupport
import Testing

/// Finding chains: from the entity upwards, within limits, past entities that do not answer, and again after a change.
struct TrustChainResolverTests {
    private static let type = "openid_credential_verifier"
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let federation: TestFederation

    init() throws {
        federation = try TestFederation(at: now)
    }

    /// The metadata of an entity with an address for statements about others.
    private static func fetching(_ host: String) -> JSONObject {
        ["federation_entity": ["federation_fetch_endpoint": .string("https://\(host)/fetch?v=1")]]
    }

    private static func answer(_ statement: EntityStatement) throws -> InMemoryHTTPAnswer {
        .ok(
            Array(try statement.compactSerialization().utf8),
            type: try MediaType("application/entity-statement+jwt")
        )
    }

    /// The answers of all entities of the federation.
    private func answers(
        metadata: JSONObject = [:],
        hints: [EntityIdentifier]? = nil,
        at time: Date? = nil
    ) async throws -> [String: InMemoryHTTPAnswer] {
        let federation = federation
        let validity = (time ?? now).addingTimeInterval(-60)...(time ?? now).addingTimeInterval(3600)
        let verifier = try await federation.statement(of: federation.verifier) { builder in
            builder.metadata = [Self.type: .object(metadata)]
            builder.authorityHints = hints ?? [federation.intermediate.id]
            builder.validity = validity
        }
        let intermediate = try await federation.statement(of: federation.intermediate) { builder in
            builder.metadata = Self.fetching("intermediate.example")
            builder.authorityHints = [federation.anchor.id]
            builder.validity = validity
        }
        let anchor = try await federation.statement(of: federation.anchor) { builder in
            builder.metadata = Self.fetching("anchor.example")
            builder.validity = validity
        }
        let aboutVerifier = try await federation.statement(of: federation.intermediate, about: federation.verifier) {
            $0.validity = validity
        }
        let aboutIntermediate = try await federation.statement(of: federation.anchor, about: federation.intermediate) {
            $0.validity = validity
        }
        return try [
            "https://v.example/.well-known/openid-federation": Self.answer(verifier),
            "https://intermediate.example/unit/.well-known/openid-federation": Self.answer(intermediate),
            "https://anchor.example/.well-known/openid-federation": Self.answer(anchor),
            "https://intermediate.example/fetch?v=1&sub=https%3A%2F%2Fv.example": Self.answer(aboutVerifier),
            "https://anchor.example/fetch?v=1&sub=https%3A%2F%2Fintermediate.example%2Funit":
                Self.answer(aboutIntermediate),
        ]
    }

    private func resolver(
        _ transport: (any HTTPTransport)?,
        limits: FederationLimits = FederationLimits()
    ) throws -> TrustChainResolver {
        TrustChainResolver(
            policy: try federation.policy,
            transport: transport,
            limits: limits,
            clock: ManualClock()
        )
    }

    @Test func statementsAreFetchedUpwards() async throws {
        let transport = InMemoryHTTPTransport(try await answers(metadata: ["client_name": "Shop"]))
        let resolver = try resolver(transport)
        let entity = try await resolver.entity(federation.verifier.id, at: now).get()
        #expect(try entity.metadata(of: Self.type) == ["client_name": "Shop"])
        #expect(entity.path.count == 3)
        #expect(transport.requests.count == 5)
        // The chain is kept, and verified again at each time.
        _ = try await resolver.entity(federation.verifier.id, at: now.addingTimeInterval(600)).get()
        #expect(transport.requests.count == 5)
    }

    /// The chain for a party that sends it along.
    @Test func chainsForOthers() async throws {
        let transport = InMemoryHTTPTransport(try await answers())
        let resolver = try resolver(transport)
        let id = federation.verifier.id
        let chain = try await resolver.chain(of: id, at: now)
        #expect(chain.verify(about: id, policy: resolver.policy, at: now).refusal == nil)
        _ = try await resolver.chain(of: id, at: now.addingTimeInterval(600))
        #expect(transport.requests.count == 5)
        let offline = await #expect(throws: FederationError.self) {
            _ = try await self.resolver(nil).chain(of: id, at: now)
        }
        #expect(offline?.code == .noTrustChain)
    }

    @Test func expiredChainsAreFetchedAgain() async throws {
        let current = Mutex(try await answers())
        let transport = InMemoryHTTPTransport { request in
            current.withLock { $0[request.url.description] } ?? InMemoryHTTPAnswer(status: 404)
        }
        let resolver = try resolver(transport)
        _ = try await resolver.entity(federation.verifier.id, at: now).get()
        let later = now.addingTimeInterval(3600)
        let renewed = try await answers(metadata: ["client_name": "New"], at: later)
        current.withLock { $0 = renewed }
        let entity = try await resolver.entity(federation.verifier.id, at: later).get()
        #expect(try entity.metadata(of: Self.type)["client_name"] == "New")
        #expect(transport.requests.count == 10)
    }

    @Test func insufficientChainsAreFetchedAgain() async throws {
        let transport = InMemoryHTTPTransport(try await answers())
        let resolver = try resolver(transport)
        _ = try await resolver.entity(federation.verifier.id, at: now).get()
        for _ in 0..<3 {
            let later = now.addingTimeInterval(40)
            _ = try await resolver.entity(federation.verifier.id, at: later, isSufficient: { _ in false }).get()
        }
        #expect(transport.requests.count == 10)
    }

    @Test func chainsThatCameAlong() async throws {
        let chain = try await federation.chain(metadata: ["client_name": "Given"])
        let transport = InMemoryHTTPTransport(try await answers(metadata: ["client_name": "Fetched"]))
        let offline = try await resolver(nil).entity(federation.verifier.id, given: chain, at: now).get()
        #expect(try offline.metadata(of: Self.type)["client_name"] == "Given")
        let online = try resolver(transport)
        let given = try await online.entity(federation.verifier.id, given: chain, at: now).get()
        #expect(try given.metadata(of: Self.type)["client_name"] == "Given")
        #expect(transport.requests.isEmpty)
        // One that is refused, or lacks something, is replaced by what the entities publish.
        let broken = try TrustChain(Array(chain.statements.prefix(2)))
        let fetched = try await online.entity(federation.verifier.id, given: broken, at: now).get()
        #expect(try fetched.metadata(of: Self.type)["client_name"] == "Fetched")
        let lacking = await online.entity(federation.verifier.id, given: chain, at: now) { entity in
            entity.metadata[Self.type]?["client_name"] == "Fetched"
        }
        #expect(try lacking.get().metadata(of: Self.type)["client_name"] == "Fetched")
        #expect(
            try await resolver(nil).entity(federation.verifier.id, given: broken, at: now).refusal?.check
                == .issuerTrust
        )
        #expect(try await resolver(nil).entity(federation.verifier.id, at: now).refusal?.reason == "noTrustChain")
        // A chain that is longer than the limit counts as none.
        let short = try resolver(nil, limits: FederationLimits(chainLength: 1))
        #expect(await short.entity(federation.verifier.id, given: chain, at: now).refusal?.reason == .limitExceeded)
        // Where nobody answers, the refusal of the given chain is told.
        let silent = try resolver(InMemoryHTTPTransport([:]))
        #expect(await silent.entity(federation.verifier.id, given: broken, at: now).refusal?.check == .issuerTrust)
    }

    /// A superior without an answer may be the one that leads to an anchor; one that says that there is nothing is not.
    @Test func superiorsThatDoNotAnswer() async throws {
        let silent = try EntityIdentifier("https://silent.example")
        let unknown = try EntityIdentifier("https://unknown.example")
        func transport(_ hints: [EntityIdentifier]) async throws -> InMemoryHTTPTransport {
            var answers = try await answers(hints: hints)
            answers["https://silent.example/.well-known/openid-federation"] = InMemoryHTTPAnswer(status: 503)
            return InMemoryHTTPTransport(answers)
        }
        let found = try await resolver(transport([silent, unknown, federation.intermediate.id]))
            .entity(federation.verifier.id, at: now).get()
        #expect(found.path[1] == federation.intermediate.id)
        for hints in [[silent], [silent, unknown], [unknown, silent]] {
            let refusal = try await resolver(transport(hints)).entity(federation.verifier.id, at: now).refusal
            #expect(refusal?.reason == "retrievalFailed")
            #expect(refusal?.isUnavailable == true)
        }
        let refusal = try await resolver(transport([unknown])).entity(federation.verifier.id, at: now).refusal
        #expect(refusal?.reason == "noTrustChain")
        #expect(refusal?.isUnavailable == false)
        let nobody = try await resolver(InMemoryHTTPTransport([:])).entity(federation.verifier.id, at: now).refusal
        #expect(nobody?.reason == "noTrustChain")
    }

    /// No statement is fetched twice, whichever paths lead to it.
    @Test func pathsThatMeet() async throws {
        let other = try TestFederation.Member("https://other.example", keyID: "o1")
        var answers = try await answers(hints: [other.id, federation.intermediate.id])
        // The anchor knows the intermediate by another key, so that no path verifies.
        let stranger = try TestFederation.Member(federation.intermediate.id.text.text, keyID: "x1")
        answers["https://anchor.example/fetch?v=1&sub=https%3A%2F%2Fintermediate.example%2Funit"] = try Self.answer(
            try await federation.statement(of: federation.anchor, about: stranger)
        )
        answers["https://other.example/.well-known/openid-federation"] = try Self.answer(
            try await federation.statement(of: other) { builder in
                builder.metadata = Self.fetching("other.example")
                builder.authorityHints = [federation.intermediate.id]
            }
        )
        answers["https://other.example/fetch?v=1&sub=https%3A%2F%2Fv.example"] = try Self.answer(
            try await federation.statement(of: other, about: federation.verifier)
        )
        answers["https://intermediate.example/fetch?v=1&sub=https%3A%2F%2Fother.example"] = try Self.answer(
            try await federation.statement(of: federation.intermediate, about: other)
        )
        let transport = InMemoryHTTPTransport(answers)
        let refusal = try await resolver(transport).entity(federation.verifier.id, at: now).refusal
        #expect(refusal?.reason == "noTrustChain")
        #expect(transport.requests.count == Set(transport.requests.map(\.url)).count)
        #expect(transport.requests.count == 8)
    }

    @Test func timeOfASearch() async throws {
        let clock = ManualClock()
        let answers = try await answers()
        let transport = InMemoryHTTPTransport { request in
            clock.advance(by: .seconds(4))
            return answers[request.url.description] ?? InMemoryHTTPAnswer(status: 404)
        }
        for (seconds, isFound) in [(17, true), (16, false)] {
            let resolver = TrustChainResolver(
                policy: try federation.policy,
                transport: transport,
                limits: FederationLimits(time: .seconds(seconds)),
                clock: clock
            )
            let verification = await resolver.entity(federation.verifier.id, at: now)
            #expect((verification.verified != nil) == isFound)
            if !isFound { #expect(verification.refusal?.reason == "limitExceeded") }
        }
    }

    /// A caller that gives up does not wait for the search.
    @Test func cancellation() async throws {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let (started, start) = AsyncStream<Void>.makeStream()
        let transport = InMemoryHTTPTransport { _ in
            start.finish()
            for await _ in stream {}
            return InMemoryHTTPAnswer(status: 404)
        }
        let resolver = try resolver(transport)
        let task = Task { await resolver.entity(federation.verifier.id, at: now) }
        for await _ in started {}
        task.cancel()
        let refusal = await task.value.refusal
        #expect(refusal?.reason == "cancelled")
        #expect(refusal?.isUnavailable == true)
        continuation.finish()
    }

    /// Entities that name one another as superiors lead nowhere, and end the search.
    @Test func circles() async throws {
        var answers = try await answers()
        let intermediate = try await federation.statement(of: federation.intermediate) { builder in
            builder.metadata = Self.fetching("intermediate.example")
            builder.authorityHints = [federation.verifier.id, federation.intermediate.id]
        }
        answers["https://intermediate.example/unit/.well-known/openid-federation"] = try Self.answer(intermediate)
        let transport = InMemoryHTTPTransport(answers)
        let refusal = try await resolver(transport).entity(federation.verifier.id, at: now).refusal
        #expect(refusal?.reason == "noTrustChain")
        #expect(transport.requests.count == 3)
    }

    @Test func limits() async throws {
        let answers = try await answers()
        let few = InMemoryHTTPTransport(answers)
        let enough = try resolver(few, limits: FederationLimits(requests: 5))
        #expect(await enough.entity(federation.verifier.id, at: now).verified != nil)
        let bounds: [(FederationLimits, Reason)] = [
            (FederationLimits(requests: 4), "limitExceeded"), (FederationLimits(chainLength: 2), "noTrustChain"),
            (FederationLimits(superiors: 0), "noTrustChain"), (FederationLimits(superiors: -1), "noTrustChain"),
            (FederationLimits(documentSize: 100), "noTrustChain"),
        ]
        for (limits, reason) in bounds {
            let refused = try resolver(InMemoryHTTPTransport(answers), limits: limits)
            #expect(await refused.entity(federation.verifier.id, at: now).refusal?.reason == reason)
        }
        #expect(
            try await resolver(InMemoryHTTPTransport(answers), limits: FederationLimits(superiors: 1, chainLength: 3))
                .entity(federation.verifier.id, at: now).verified != nil
        )
    }

    /// An entity answers for itself alone, and a superior about the one that was asked for.
    @Test func answersAboutOthers() async throws {
        let valid = try await answers()
        let url = "https://v.example/.well-known/openid-federation"
        var changed = valid
        changed[url] = valid["https://anchor.example/.well-known/openid-federation"]
        let other = try await resolver(InMemoryHTTPTransport(changed)).entity(federation.verifier.id, at: now)
        #expect(other.refusal?.reason == .malformed)
        changed = valid
        let fetch = "https://intermediate.example/fetch?v=1&sub=https%3A%2F%2Fv.example"
        changed[fetch] = valid["https://anchor.example/fetch?v=1&sub=https%3A%2F%2Fintermediate.example%2Funit"]
        let foreign = try await resolver(InMemoryHTTPTransport(changed)).entity(federation.verifier.id, at: now)
        #expect(foreign.refusal?.reason == "noTrustChain")
        changed = valid
        let silent = try await federation.statement(of: federation.intermediate) {
            $0.authorityHints = [federation.anchor.id]
        }
        changed["https://intermediate.example/unit/.well-known/openid-federation"] = try Self.answer(silent)
        let unnamed = try await resolver(InMemoryHTTPTransport(changed)).entity(federation.verifier.id, at: now)
        #expect(unnamed.refusal?.reason == "noTrustChain")
    }
}

extension TrustChainResolverTests {
    private func keys(
        _ metadata: JSONObject,
        _ answers: [String: InMemoryHTTPAnswer] = [:]
    ) async throws -> JWKSet {
        let chain = try await federation.chain(metadata: metadata)
        let resolver = try resolver(InMemoryHTTPTransport(answers))
        let entity = try await resolver.entity(federation.verifier.id, given: chain, at: now).get()
        return try await resolver.keys(of: Self.type, entity, at: now)
    }

    /// A set that the verifier signs.
    private func signedSet(
        _ changes: JSONObject = [:],
        type: String = "jwk-set+jwt",
        keyID: String? = "f1",
        by key: PrivateKey? = nil
    ) async throws -> InMemoryHTTPAnswer {
        var claims: JSONObject = [
            "iss": "https://v.example", "sub": "https://v.example",
            "keys": [.object(try JWK(federation.verifier.key.publicKey, keyID: "r1").members)],
        ]
        for (name, value) in changes { claims[name] = value.isNull ? JSONValue?.none : value }
        let signer = try SoftwareSigner(key ?? federation.verifier.key)
        let token = try await JWT.sign(JWTClaims(claims), header: JOSEHeader(type: type, keyID: keyID), with: signer)
        return .ok(
            Array(try token.compactSerialization().utf8),
            type: try MediaType("application/jwk-set+jwt")
        )
    }

    @Test func keySets() async throws {
        let url = "https://v.example/keys"
        let set: JSONValue = ["keys": [.object(try JWK(federation.verifier.key.publicKey, keyID: "r1").members)]]
        let plain = InMemoryHTTPAnswer.ok(set.encoded(), type: try MediaType("application/jwk-set+json"))
        #expect(try await keys(["jwks": set]).keys.map(\.keyID) == ["r1"])
        #expect(try await keys(["jwks_uri": .string(url)], [url: plain]).keys.map(\.keyID) == ["r1"])
        let json = InMemoryHTTPAnswer.ok(set.encoded(), type: .json)
        #expect(try await keys(["jwks_uri": .string(url)], [url: json]).keys.map(\.keyID) == ["r1"])
        #expect(try await keys(["signed_jwks_uri": .string(url)], [url: signedSet()]).keys.map(\.keyID) == ["r1"])
    }

    @Test func refusedKeySets() async throws {
        let url = "https://v.example/keys"
        let reference: JSONObject = ["signed_jwks_uri": .string(url)]
        let refused: [InMemoryHTTPAnswer] = [
            try await signedSet(type: "JWT"), try await signedSet(by: PrivateKey.generate(.p256)),
            try await signedSet(["sub": "https://other.example"]), try await signedSet(["exp": 1_700_000_000]),
            try await signedSet(["keys": nil]), try await signedSet(["iss": nil]),
            try await signedSet(["iss": "https://other.example"]), try await signedSet(keyID: nil),
            try await signedSet(keyID: ""), InMemoryHTTPAnswer(status: 404),
            .ok(Array("x".utf8), type: try MediaType("application/jwk-set+jwt")),
            .ok(Array("x".utf8), type: .json),
        ]
        for answer in refused {
            let error = await #expect(throws: FederationError.self) { _ = try await keys(reference, [url: answer]) }
            #expect(error?.code == .invalidKeySet)
        }
        let broken = InMemoryHTTPAnswer.ok(Array("x".utf8), type: try MediaType("application/jwk-set+json"))
        let malformed: [JSONObject] = [
            [:], ["jwks": ["keys": 1]], ["jwks": ["keys": [["kty": "oct", "k": "AAAA"]]]],
            ["jwks_uri": "http://v.example/keys"], ["jwks_uri": .string(url)],
        ]
        for metadata in malformed {
            let error = await #expect(throws: FederationError.self) { _ = try await keys(metadata, [url: broken]) }
            #expect(error?.code == .invalidKeySet)
        }
        let silent = await #expect(throws: FederationError.self) {
            _ = try await keys(reference, [url: InMemoryHTTPAnswer(status: 500)])
        }
        #expect(silent?.code == .retrievalFailed)
    }

    /// A signed set is kept until it expires, whatever the answer says, and no longer than its signer's key.
    @Test func expiredKeySets() async throws {
        let url = "https://v.example/keys"
        let set = try await signedSet(["exp": 1_800_000_090]).caching("max-age=86400")
        let transport = InMemoryHTTPTransport([url: set])
        let resolver = try resolver(transport)
        let chain = try await federation.chain(metadata: ["signed_jwks_uri": .string(url)])
        let entity = try await resolver.entity(federation.verifier.id, given: chain, at: now).get()
        // The clock skew is 60 s.
        for time in [0, 89, 90, 149] {
            _ = try await resolver.keys(of: Self.type, entity, at: now.addingTimeInterval(TimeInterval(time)))
            #expect(transport.requests.count == 1)
        }
        await #expect(throws: FederationError.self) {
            _ = try await resolver.keys(of: Self.type, entity, at: now.addingTimeInterval(151))
        }
        #expect(transport.requests.count == 2)
    }

    /// A kept set without the key that is sought is fetched again, at a limited rate.
    @Test func keptKeySets() async throws {
        let url = "https://v.example/keys"
        let transport = InMemoryHTTPTransport([url: try await signedSet()])
        let resolver = try resolver(transport)
        let chain = try await federation.chain(metadata: ["signed_jwks_uri": .string(url)])
        let entity = try await resolver.entity(federation.verifier.id, given: chain, at: now).get()
        for (keyID, time, count) in [("r1", 0, 1), ("r1", 40, 1), ("r2", 40, 2), ("r2", 41, 2)] {
            let time = now.addingTimeInterval(TimeInterval(time))
            _ = try await resolver.keys(of: Self.type, entity, with: keyID, at: time)
            #expect(transport.requests.count == count)
        }
    }

    /// Using up the requests of an authentication does not extend the lifetime of kept keys.
    @Test func keptKeySetsAndChainsWithoutRequestsLeft() async throws {
        let url = "https://v.example/keys"
        let set: JSONValue = ["keys": [.object(try JWK(federation.verifier.key.publicKey, keyID: "r1").members)]]
        var answers = try await answers(metadata: ["jwks_uri": .string(url)])
        answers[url] = .ok(set.encoded(), type: try MediaType("application/jwk-set+json"))
        let transport = InMemoryHTTPTransport(answers)
        let resolver = TrustChainResolver(
            policy: try federation.policy,
            transport: transport,
            limits: FederationLimits(requests: 6),
            clock: ManualClock(),
            caching: DocumentCacheOptions(maximumLifetime: 600)
        )
        let (id, allowance) = (federation.verifier.id, resolver.newAllowance())
        func keys(at offset: TimeInterval) async throws -> JWKSet {
            let time = now.addingTimeInterval(offset)
            let entity = try await resolver.entity(id, given: nil, at: time, within: allowance) { _ in true }.get()
            return try await resolver.keys(
                of: Self.type,
                entity,
                with: "r1",
                areRefused: false,
                at: time,
                within: allowance
            )
        }
        for offset in [0, 599] {
            #expect(try await keys(at: TimeInterval(offset)).keys.count == 1)
            #expect(transport.requests.count == 6)
        }
        let chain = try await federation.chain(metadata: ["jwks_uri": .string(url)])
        let entity = try await resolver.entity(id, given: chain, at: now).get()
        let late = now.addingTimeInterval(601)
        let error = await #expect(throws: FederationError.self) {
            _ = try await resolver.keys(
                of: Self.type,
                entity,
                with: "r1",
                areRefused: false,
                at: late,
                within: allowance
            )
        }
        #expect(error?.code == .limitExceeded)
        let again = await resolver.entity(id, given: nil, at: late, within: allowance) { _ in true }
        #expect(again.refusal?.reason == .limitExceeded)
        #expect(transport.requests.count == 6)
    }
}
