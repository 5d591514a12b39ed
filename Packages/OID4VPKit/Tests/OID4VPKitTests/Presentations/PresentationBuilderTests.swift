import CryptoCore
import JSONKit
import OID4VPKit
import OID4VPMessages
import Testing

struct PresentationBuilderTests {
    private static func query(_ id: String, _ format: String = "dc+sd-jwt") -> JSONObject {
        PresentationScene.dcql(["id": .string(id), "format": .string(format), "meta": [:]])
    }

    private func builder(
        _ request: (AuthenticatedRequest, PresentationRequest)
    ) throws -> PresentationBuilder {
        PresentationBuilder(request.1, try PresentationBinding(request.0, request.1, mdocGeneratedNonce: "w"))
    }

    @Test func namesExactlyTheClaimsThatLeave() async throws {
        let scene = try await PresentationScene.make()
        let asked: JSONObject = PresentationScene.dcql(
            [
                "id": "a", "format": "mso_mdoc", "meta": ["doctype_value": "org.iso.18013.5.1.mDL"],
                "claims": [["path": ["org.iso.18013.5.1", "family_name"]]],
            ],
            ["id": "b", "format": "dc+sd-jwt", "meta": [:], "claims": [["path": ["given_name"]]]],
            ["id": "c", "format": "ldp_vc", "meta": [:]]
        )
        let store = [try await scene.mdoc(), try await scene.sdJWT(), try await scene.linkedData()]
        let request = try await PresentationScene.request(asked, mode: "direct_post.jwt")
        let plan = try request.1.evaluate(over: store.queryable, at: PresentationScene.now).preferredPlan()
        let disclosed = try zip(store, plan.entries).map { try $0.disclosedClaims(of: $1.match) }
        #expect(disclosed[0].names == ["org.iso.18013.5.1"])
        #expect(disclosed[0]["org.iso.18013.5.1"]?.objectValue?.names == ["family_name"])
        #expect(disclosed[1].contains("given_name") && disclosed[1].contains("cnf"))
        #expect(!disclosed[1].contains("family_name"))
        #expect(disclosed[2] == store[2].queryable.claims)
        await expect(.invalidSelection) { _ = try store[0].disclosedClaims(of: plan.entries[1].match) }
    }

    @Test func refusesPlansOfOtherRequests() async throws {
        let scene = try await PresentationScene.make()
        let (first, second) = (
            try await PresentationScene.request(Self.query("a")), try await PresentationScene.request(Self.query("b"))
        )
        let store = [try await scene.sdJWT()]
        let plan = try first.1.evaluate(over: store.queryable, at: PresentationScene.now).preferredPlan()
        await expect(.invalidSelection) {
            _ = try await builder(second).prepare(plan, of: store, at: PresentationScene.now)
        }
        await expect(.invalidSelection) {
            _ = try await builder(first).prepare(plan, of: [], at: PresentationScene.now)
        }
        // The same name with another format.
        let other = try await PresentationScene.request(Self.query("a", "mso_mdoc"))
        await expect(.invalidSelection) {
            _ = try await builder(other).prepare(plan, of: store, at: PresentationScene.now)
        }
    }

    /// Nothing is required and nothing is held: to the verifier that looks like a refusal.
    @Test func refusesPlansWithoutPresentations() async throws {
        var query = try #require(Self.query("a")["dcql_query"]?.objectValue)
        query["credential_sets"] = [["options": [["a"]], "required": false]]
        let request = try await PresentationScene.request(["dcql_query": .object(query)])
        let plan = try request.1.evaluate(over: [], at: PresentationScene.now).preferredPlan()
        let error = await #expect(throws: OID4VPError.self) {
            _ = try await builder(request).prepare(plan, of: [], at: PresentationScene.now)
        }
        #expect(error?.code == .unsatisfied && error?.authorizationCode == .accessDenied)
    }

    @Test func refusesPlansOfOtherDefinitions() async throws {
        let scene = try await PresentationScene.make()
        func definition(_ id: String, _ format: String) -> JSONObject {
            PresentationScene.definition(
                ["id": .string(id), "format": .object([format: [:]]), "constraints": [:]]
            )
        }
        let first = try await PresentationScene.request(definition("a", "vc+sd-jwt"))
        let store = [try await scene.sdJWT()]
        let plan = try first.1.evaluate(over: store.queryable, at: PresentationScene.now).preferredPlan()
        for other in [definition("b", "vc+sd-jwt"), definition("a", "ldp_vc")] {
            let request = try await PresentationScene.request(other)
            await expect(.invalidSelection) {
                _ = try await builder(request).prepare(plan, of: store, at: PresentationScene.now)
            }
        }
    }

    @Test func refusesQueriesThatAreNotResolved() async throws {
        let scene = try await PresentationScene.make()
        let store = [try await scene.sdJWT()]
        let asked = try await PresentationScene.request(Self.query("a")).1
        let plan = try asked.evaluate(over: store.queryable, at: PresentationScene.now).preferredPlan()
        for query in [["scope": "x"], ["presentation_definition_uri": "https://v.example/d"]] as [JSONObject] {
            let request = try await PresentationScene.request(query)
            await expect(.invalidSelection) {
                _ = try await builder(request).prepare(plan, of: store, at: PresentationScene.now)
            }
        }
    }

    @Test func reportsASignerThatFails() async throws {
        struct Failing: Signer {
            let publicKey: PublicKey
            let algorithm: SignatureAlgorithm
            func signature(for message: [UInt8]) throws -> [UInt8] { throw CancellationError() }
        }
        let scene = try await PresentationScene.make()
        let unsigned = try await scene.prepare(
            [scene.sdJWT()],
            for: try await PresentationScene.request(Self.query("a"))
        )
        let failing = Failing(publicKey: scene.deviceKey.publicKey, algorithm: .ecdsaSHA256)
        await expect(.signingFailed) { _ = try await unsigned.signed(with: [failing]) }
        // The key is the right one, the algorithm another.
        let other = Failing(publicKey: scene.deviceKey.publicKey, algorithm: .ecdsaSHA384)
        await expect(.missingHolderKey) { _ = try await unsigned.signed(with: [other]) }
    }

    @Test func failsWithTheCodeOfAServerError() {
        for code in [OID4VPError.Code.presentationFailed, .missingHolderKey, .signingFailed] {
            #expect(OID4VPError(code, "").authorizationCode == .serverError)
        }
    }
}
