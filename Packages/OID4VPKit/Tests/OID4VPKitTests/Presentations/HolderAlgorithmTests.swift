import CryptoCore
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import SDJWTKit
import Testing

/// The holder's signatures under a verifier's lists of algorithms.
struct HolderAlgorithmTests {
    private static func query(_ format: String, _ meta: JSONValue = [:]) -> JSONObject {
        PresentationScene.dcql(["id": "q", "format": .string(format), "meta": meta])
    }

    private static let ofMembers: JSONValue = ["type_values": [["https://club.example/Member"]]]

    private func asked(
        _ query: JSONObject,
        _ formats: JSONObject
    ) async throws -> (AuthenticatedRequest, PresentationRequest) {
        let metadata: JSONObject = ["vp_formats_supported": .object(formats)]
        return try await PresentationScene.request(query, others: ["client_metadata": .object(metadata)])
    }

    /// Prepares the answer of a wallet that evaluates the query alone, without the metadata.
    private func prepare(
        _ credential: PresentableCredential,
        _ format: String,
        _ lists: JSONObject,
        _ scene: PresentationScene
    ) async throws -> UnsignedPresentations {
        let meta = format.hasPrefix("dc") || format.hasPrefix("mso") ? [:] : Self.ofMembers
        let (authenticated, request) = try await asked(Self.query(format, meta), [format: .object(lists)])
        let query = try #require(request.query.dcql)
        return try await PresentationBuilder(
            request,
            PresentationBinding(authenticated, request, mdocGeneratedNonce: "W")
        )
        .prepare(
            query.evaluate(over: [credential].queryable).preferredPlan(),
            of: [credential],
            keys: try scene.keys(),
            at: PresentationScene.now
        )
    }

    private func header(_ unsigned: UnsignedPresentations) throws -> JSONValue {
        let pending = try #require(unsigned.pendingSignatures.first)
        let header = try #require(pending.bytesToSign.split(separator: UInt8(ascii: ".")).first)
        return try JSONValue(parsing: Base64URL.decode(header))
    }

    @Test func areThoseOfTheKeyInTheCredential() async throws {
        let scene = try await PresentationScene.make()
        #expect(try await scene.sdJWT().queryable.holderAlgorithms == ["ES256"])
        #expect(try await scene.mdoc().queryable.holderAlgorithms == ["-7", "-9", "ES256"])
        #expect(try await scene.linkedData().queryable.holderAlgorithms == nil)
        let ed25519 = try JWK(scene.holderKey.publicKey).members
        let bound = try await scene.sdJWT(confirmation: ["jwk": .object(ed25519)])
        #expect(bound.queryable.holderAlgorithms == ["EdDSA", "Ed25519"])
        let named = try await scene.sdJWT(confirmation: ["kid": "did:web:holder.example#1"])
        #expect(named.queryable.holderAlgorithms == nil)
        let unbound = try await scene.sdJWT(confirmation: nil)
        #expect(unbound.queryable.holderAlgorithms == nil)
    }

    @Test func chooseTheCredentialThatTheVerifierTakes() async throws {
        let scene = try await PresentationScene.make()
        let ed25519 = try JWK(scene.holderKey.publicKey).members
        let credentials = [
            try await scene.sdJWT("first", confirmation: ["jwk": .object(ed25519)]), try await scene.sdJWT("second"),
        ]
        let request = try await asked(Self.query("dc+sd-jwt"), ["dc+sd-jwt": ["kb-jwt_alg_values": ["ES256"]]])
        let unsigned = try await scene.prepare(credentials, for: request)
        #expect(unsigned.pendingSignatures.map(\.credentials) == [["second"]])
        #expect(try header(unsigned)["alg"] == "ES256")
    }

    @Test func takeTheNameOnTheList() async throws {
        let scene = try await PresentationScene.make()
        let ed25519 = try JWK(scene.holderKey.publicKey).members
        let credential = try await scene.sdJWT(confirmation: ["jwk": .object(ed25519)])
        for name in ["EdDSA", "Ed25519"] {
            let lists: JSONObject = ["kb-jwt_alg_values": [.string(name)]]
            #expect(try header(await prepare(credential, "dc+sd-jwt", lists, scene))["alg"] == .string(name))
        }
        let token = try await scene.token()
        let unsigned = try await prepare(token, "jwt_vc_json", ["alg_values": ["Ed25519"]], scene)
        #expect(try header(unsigned)["alg"] == "Ed25519")
    }

    /// A definition lists the algorithms of the holder, too.
    @Test(
        arguments: [
            ("vc+sd-jwt", ["vc+sd-jwt": ["kb-jwt_alg_values": ["Ed25519"]]], true),
            ("vc+sd-jwt", ["vc+sd-jwt": ["sd-jwt_alg_values": ["ES256"], "kb-jwt_alg_values": ["ES384"]]], false),
            ("ldp_vc", ["ldp_vp": ["proof_type": ["Ed25519Signature2020"]]], true),
            ("ldp_vc", ["ldp_vp": ["proof_type": ["RsaSignature2018"]]], false),
            ("jwt_vc_json", ["jwt_vp_json": ["alg": ["Ed25519"]]], true),
            ("jwt_vc_json", ["jwt_vp_json": ["alg": ["ES384"]]], false),
        ] as [(String, JSONObject, Bool)]
    )
    func areOnTheListsOfADefinition(_ format: String, _ formats: JSONObject, _ isTaken: Bool) async throws {
        let scene = try await PresentationScene.make()
        let ed25519 = try JWK(scene.holderKey.publicKey).members
        let credential: PresentableCredential =
            switch format {
            case "vc+sd-jwt": try await scene.sdJWT(confirmation: ["jwk": .object(ed25519)])
            case "ldp_vc": try await scene.linkedData()
            default: try await scene.token()
            }
        func request(_ formats: JSONObject) async throws -> (AuthenticatedRequest, PresentationRequest) {
            try await PresentationScene.request(
                PresentationScene.definition(["id": "d", "format": .object(formats), "constraints": [:]])
            )
        }
        let asked = try await request(formats)
        guard isTaken else {
            // The wallet has chosen by another definition.
            let plan = try await request([:]).1.evaluate(over: [credential].queryable, at: PresentationScene.now)
                .preferredPlan()
            let binding = try PresentationBinding(asked.0, asked.1, mdocGeneratedNonce: "W")
            await expect(.formatsNotSupported) {
                _ = try await PresentationBuilder(asked.1, binding)
                    .prepare(plan, of: [credential], keys: try scene.keys(), at: PresentationScene.now)
            }
            return
        }
        let unsigned = try await scene.prepare([credential], for: asked)
        guard format != "ldp_vc" else { return }
        #expect(try header(unsigned)["alg"] == "Ed25519")
    }

    @Test(
        arguments: [
            ("dc+sd-jwt", ["kb-jwt_alg_values": ["ES384"]]), ("mso_mdoc", ["deviceauth_alg_values": [-35]]),
            ("ldp_vc", ["proof_type_values": ["DataIntegrityProof"]]),
            ("ldp_vc", ["proof_type_values": ["JsonWebSignature2020"], "cryptosuite_values": ["eddsa-rdfc-2022"]]),
            ("jwt_vc_json", ["alg_values": ["ES384"]]),
        ] as [(String, JSONObject)]
    )
    func refuseAKeyThatTheVerifierDoesNotTake(_ format: String, _ lists: JSONObject) async throws {
        let scene = try await PresentationScene.make()
        let credential: PresentableCredential =
            switch format {
            case "dc+sd-jwt": try await scene.sdJWT()
            case "mso_mdoc": try await scene.mdoc()
            case "ldp_vc": try await scene.linkedData()
            default: try await scene.token()
            }
        let error = await #expect(throws: OID4VPError.self) {
            _ = try await prepare(credential, format, lists, scene)
        }
        #expect(error?.code == .formatsNotSupported)
        #expect(error?.authorizationCode == .formatsNotSupported)
    }
}
