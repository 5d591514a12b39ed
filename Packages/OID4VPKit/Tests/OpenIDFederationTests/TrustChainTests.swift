import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPTesting
import OpenIDFederation
import Testing
import VerificationCore

/// Trust chains: what a verified one says, and each refusal.
struct TrustChainTests {
    private static let type = "openid_credential_verifier"
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let federation: TestFederation

    init() throws {
        federation = try TestFederation(at: now)
    }

    /// The statements of the verifier's chain, each of which a test may change.
    private func chain(
        verifier changeVerifier: (inout EntityStatementBuilder) throws -> Void = { _ in },
        intermediate changeIntermediate: (inout EntityStatementBuilder) throws -> Void = { _ in },
        anchor changeAnchor: (inout EntityStatementBuilder) throws -> Void = { _ in }
    ) async throws -> TrustChain {
        try await TrustChain([
            federation.statement(of: federation.verifier) { builder in
                builder.metadata = [Self.type: ["client_name": "Shop", "scope": "a b"], "federation_entity": [:]]
                builder.authorityHints = [federation.intermediate.id]
                try changeVerifier(&builder)
            },
            federation.statement(of: federation.intermediate, about: federation.verifier, changing: changeIntermediate),
            federation.statement(of: federation.anchor, about: federation.intermediate, changing: changeAnchor),
        ])
    }

    private func verification(
        _ chain: TrustChain,
        about subject: EntityIdentifier? = nil,
        policy: FederationPolicy? = nil,
        at time: Date? = nil
    ) throws -> Verification<FederationEntity> {
        chain.verify(
            about: subject ?? federation.verifier.id,
            policy: try policy ?? federation.policy,
            at: time ?? now
        )
    }

    private func expect(
        _ reason: Reason,
        _ check: Check,
        _ chain: TrustChain,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let refusal = try verification(chain).refusal
        #expect(refusal?.reason == reason, sourceLocation: location)
        #expect(refusal?.check == check, sourceLocation: location)
    }

    @Test func verifiedChain() async throws {
        let chain = try await chain()
        let entity = try verification(chain).get()
        #expect(entity.id == federation.verifier.id)
        #expect(entity.path == [federation.verifier.id, federation.intermediate.id, federation.anchor.id])
        #expect(try entity.metadata(of: Self.type)["client_name"] == "Shop")
        #expect(entity.keys.keys.map(\.keyID) == ["f1"])
        #expect(entity.expirationTime == now.addingTimeInterval(3600))
        #expect(throws: FederationError.self) { _ = try entity.metadata(of: "openid_provider") }
        // The header parameter carries the same statements.
        let received = try TrustChain(header: chain.headerValue())
        #expect(try verification(received).verified != nil)
    }

    @Test func anchorsOwnStatement() async throws {
        let statements = try await chain().statements
        let own = try await federation.statement(of: federation.anchor)
        #expect(try verification(TrustChain(statements + [own])).verified?.path.count == 3)
        // An anchor may be the subject itself.
        let alone = try verification(TrustChain([own]), about: federation.anchor.id)
        #expect(alone.verified?.path == [federation.anchor.id])
        // Its statement about itself must be signed by the key that the verifier knows.
        var other = try TestFederation.Member(federation.anchor.id.text.text, keyID: "a1")
        let forged = try await federation.statement(of: other)
        try expect("invalidSignature", .signatures, TrustChain(statements + [forged]))
        other = try TestFederation.Member("https://other.example", keyID: "o1")
        try expect(.malformed, .structure, TrustChain(statements + [await federation.statement(of: other)]))
    }

    @Test func statementsOutOfPlace() async throws {
        let statements = try await chain().statements
        for indices in [[1], [1, 2], [0, 2], [0, 2, 1], [0, 1, 1, 2], [0, 0, 1, 2], [0, 1, 2, 2]] {
            try expect(.malformed, .structure, TrustChain(indices.map { statements[$0] }))
        }
        #expect(
            try verification(TrustChain(statements), about: federation.intermediate.id).refusal?.reason == .malformed
        )
        try expect(.malformed, .structure, await chain(verifier: { $0.authorityHints = [federation.anchor.id] }))
        // Without the anchor's statement the chain ends at nobody the verifier trusts.
        try expect(.issuerNotTrusted, .issuerTrust, TrustChain(Array(statements.prefix(2))))
        try expect(.issuerNotTrusted, .issuerTrust, TrustChain(Array(statements.prefix(1))))
    }

    @Test func circlesAreRefused() async throws {
        let statements = try await chain().statements
        let back = try await federation.statement(of: federation.verifier, about: federation.intermediate) {
            $0.authorityHints = []
        }
        try expect(.malformed, .structure, TrustChain(Array(statements.prefix(2)) + [back]))
    }

    @Test func times() async throws {
        let chain = try await chain()
        #expect(try verification(chain, at: now.addingTimeInterval(3600 + 60)).refusal?.reason == .expired)
        #expect(try verification(chain, at: now.addingTimeInterval(3600 + 59)).verified != nil)
        #expect(try verification(chain, at: now.addingTimeInterval(-3600 - 61)).refusal?.reason == .issuedInFuture)
        try expect(
            .expired,
            .validity,
            await self.chain(anchor: { $0.validity = now.addingTimeInterval(-3600)...now.addingTimeInterval(-61) })
        )
    }

    @Test func signatures() async throws {
        // An intermediate that the anchor knows by another key.
        let other = try TestFederation(at: now)
        let foreign = try await other.statement(of: other.intermediate, about: federation.verifier)
        let statements = try await chain().statements
        try expect("invalidSignature", .signatures, TrustChain([statements[0], foreign, statements[2]]))
        // A superior that knows the verifier by another key.
        try expect(
            "invalidSignature",
            .signatures,
            await chain(intermediate: { $0.keys = JWKSet([try JWK(PrivateKey.generate(.p256).publicKey, keyID: "f1")]) }
            )
        )
        // A verifier whose own set lacks the key.
        let own = try JWS(compact: statements[0].token.compactSerialization())
        var claims = try JWTClaims(decoding: own.unverifiedPayload ?? [])
        claims["jwks"] = ["keys": [.object(try JWK(PrivateKey.generate(.p256).publicKey, keyID: "f2").members)]]
        let lacking = try await JWT.sign(
            claims,
            header: own.unverifiedHeader(),
            with: SoftwareSigner(federation.verifier.key)
        )
        let statement = try EntityStatement(compact: lacking.compactSerialization())
        try expect(.issuerKeyNotFound, .signatures, TrustChain([statement] + statements.dropFirst()))
        let valid = try await chain()
        var policy = try federation.policy
        policy.algorithms = [.es384]
        #expect(try verification(valid, policy: policy).refusal?.reason == "algorithmNotAllowed")
        policy = try FederationPolicy(anchors: [
            FederationTrustAnchor(
                id: federation.anchor.id,
                keys: JWKSet([JWK(other.anchor.key.publicKey, keyID: "a0")])
            )
        ])
        #expect(try verification(valid, policy: policy).refusal?.check == .signatures)
        // The keys of several entries for one anchor count together.
        policy.anchors += try federation.policy.anchors
        #expect(try verification(valid, policy: policy).verified != nil)
    }

    /// Metadata that a superior states come before the policies, and only for the types that the entity has.
    @Test func statedMetadata() async throws {
        let chain = try await chain(
            intermediate: { builder in
                builder.metadata = [
                    Self.type: ["client_name": "Branch", "logo_uri": "x"], "openid_provider": ["x": 1],
                ]
            },
            anchor: { builder in
                builder.metadata = [Self.type: ["client_name": "not its own"]]
                builder.claims["metadata_policy"] = [Self.type: ["client_name": ["one_of": ["Branch"]]]]
            }
        )
        let metadata = try verification(chain).get().metadata
        #expect(metadata[Self.type] == ["client_name": "Branch", "scope": "a b", "logo_uri": "x"])
        #expect(!metadata.contains("openid_provider"))
    }

    @Test func policiesOfTheChain() async throws {
        let first: JSONValue = [Self.type: ["scope": ["subset_of": ["a", "b"]]]]
        let second: JSONValue = [Self.type: ["scope": ["subset_of": ["b", "c"]]]]
        let chain = try await chain(
            intermediate: { $0.claims["metadata_policy"] = second },
            anchor: { $0.claims["metadata_policy"] = first }
        )
        #expect(try verification(chain).get().metadata(of: Self.type)["scope"] == "b")
        let refused: JSONValue = [Self.type: ["client_name": ["value": "A"]]]
        let other: JSONValue = [Self.type: ["client_name": ["value": "B"]]]
        try expect(
            "invalidMetadataPolicy",
            .metadataPolicy,
            await self.chain(
                intermediate: { $0.claims["metadata_policy"] = refused },
                anchor: { $0.claims["metadata_policy"] = other }
            )
        )
        try expect(
            "metadataPolicyViolation",
            .metadataPolicy,
            await self.chain(anchor: {
                $0.claims["metadata_policy"] = [Self.type: ["client_name": ["one_of": ["Another"]]]]
            })
        )
    }

    @Test func pathLengths() async throws {
        for (limit, isVerified) in [(0, false), (1, true)] {
            let chain = try await chain(anchor: { $0.claims["constraints"] = ["max_path_length": .integer(limit)] })
            #expect(try (verification(chain).verified != nil) == isVerified)
        }
        let below = try await chain(intermediate: { $0.claims["constraints"] = ["max_path_length": 0] })
        #expect(try verification(below).verified != nil)
        try expect(
            "constraintViolation",
            .constraints,
            await chain(anchor: { $0.claims["constraints"] = ["max_path_length": 0] })
        )
    }

    @Test(
        arguments: [
            (["permitted": [".example"]], true), (["permitted": ["v.example", "intermediate.example"]], true),
            (["permitted": ["v.example"]], false), (["permitted": []], false), (["permitted": [".v.example"]], false),
            (["excluded": ["v.example"]], false), (["excluded": [".example"]], false),
            (["excluded": ["other.example"]], true),
            (["permitted": [".example"], "excluded": ["V.EXAMPLE"]], false), ([:], true),
        ] as [(JSONValue, Bool)]
    )
    func names(_ constraint: JSONValue, isVerified: Bool) async throws {
        let chain = try await chain(anchor: { $0.claims["constraints"] = ["naming_constraints": constraint] })
        let verification = try verification(chain)
        #expect((verification.verified != nil) == isVerified)
        if !isVerified { #expect(verification.refusal?.reason == "constraintViolation") }
    }

    @Test func entityTypes() async throws {
        let none = try await chain(anchor: { $0.claims["constraints"] = ["allowed_entity_types": []] })
        #expect(try verification(none).get().metadata.names == ["federation_entity"])
        let both = try await chain(anchor: { $0.claims["constraints"] = ["allowed_entity_types": [.string(Self.type)]] }
        )
        #expect(try verification(both).get().metadata.names == [Self.type, "federation_entity"])
    }

    @Test func lengths() async throws {
        let statement = try await federation.statement(of: federation.anchor)
        #expect(throws: FederationError.self) { _ = try TrustChain([]) }
        #expect(throws: Never.self) { _ = try TrustChain(Array(repeating: statement, count: TrustChain.maximumLength)) }
        let error = #expect(throws: FederationError.self) {
            _ = try TrustChain(Array(repeating: statement, count: TrustChain.maximumLength + 1))
        }
        #expect(error?.code == .limitExceeded)
        let texts = JSONValue.array(Array(repeating: "x", count: TrustChain.maximumLength + 1))
        #expect(throws: FederationError.self) { _ = try TrustChain(header: texts) }
        for value in ["x", [1], ["x"]] as [JSONValue] {
            let error = #expect(throws: FederationError.self) { _ = try TrustChain(header: value) }
            #expect(error?.code == .malformed)
        }
    }
}
