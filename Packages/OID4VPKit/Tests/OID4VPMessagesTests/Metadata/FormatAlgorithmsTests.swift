import Foundation
import JSONKit
import OID4VPMessages
import Testing

/// The algorithms in the metadata of verifiers, and what they exclude.
struct FormatAlgorithmsTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let formats: [JSONObject] = [
        ["id": "pid", "format": "dc+sd-jwt", "meta": [:]], ["id": "mdl", "format": "mso_mdoc", "meta": [:]],
        ["id": "club", "format": "ldp_vc", "meta": [:]], ["id": "token", "format": "jwt_vc_json", "meta": [:]],
    ]

    private func request(
        _ metadata: JSONObject,
        version: OpenID4VPVersion = .v1,
        query others: JSONObject? = nil,
        options: RequestReadingOptions = .strict
    ) throws(OID4VPError) -> PresentationRequest {
        var members: JSONObject = [
            "response_type": "vp_token", "response_mode": "direct_post", "response_uri": "https://v.example/post",
            "nonce": "n-0S6_WzA2Mj", "client_metadata": .object(metadata),
        ]
        let dcql: JSONObject = ["dcql_query": ["credentials": .array(Self.formats.map { .object($0) })]]
        for (name, value) in others ?? dcql { members[name] = value }
        let parameters = AuthorizationParameters(members)
        let target = try ResponseTarget(parameters, version: version, client: nil)
        return try PresentationRequest(parameters, version: version, target: target, options: options)
    }

    private func credential(
        _ name: CredentialName,
        _ format: CredentialFormat,
        _ issuer: [ExactText],
        _ holder: [ExactText]? = nil
    ) -> TestCredential {
        var credential = TestCredential(name, format)
        credential.issuerAlgorithms = issuer
        credential.holderAlgorithms = holder
        return credential
    }

    private var store: [TestCredential] {
        [
            credential("pid", .sdJWT, ["ES256"], ["ES256"]), credential("old", .olderSDJWT, ["ES384"], ["EdDSA"]),
            credential("mdl", .mdoc, ["ES256", "-7", "-9"], ["EdDSA", "-8", "-19"]),
            credential("club", .linkedData, ["Ed25519Signature2020"]),
            credential("rdfc", .linkedData, ["DataIntegrityProof", "eddsa-rdfc-2022"]),
            credential("token", .jwt, ["ES256"]),
        ]
    }

    /// The credentials that algorithms alone keep from answering.
    private func excluded(_ request: PresentationRequest) throws -> Set<CredentialName> {
        let mismatches = try request.evaluate(over: store, at: Self.now).queries.flatMap(\.mismatches)
        return Set(mismatches.filter { $0.reason == .algorithm }.map(\.credential))
    }

    @Test(
        arguments: [
            (["dc+sd-jwt": ["sd-jwt_alg_values": ["ES256"]]], ["old"]),
            (["vc+sd-jwt": ["kb-jwt_alg_values": ["EdDSA", "Ed25519"]]], ["pid"]),
            (["dc+sd-jwt": ["sd-jwt_alg_values": ["ES256"], "kb-jwt_alg_values": ["EdDSA"]]], ["pid", "old"]),
            (["mso_mdoc": ["issuerauth_alg_values": [-9], "deviceauth_alg_values": [-19]]], []),
            (["mso_mdoc": ["issuerauth_alg_values": [-35]]], ["mdl"]),
            // A key that signs makes no MACs here.
            (["mso_mdoc": ["deviceauth_alg_values": [-65537]]], ["mdl"]),
            (["ldp_vc": ["proof_type_values": ["DataIntegrityProof"]]], ["club"]),
            (["ldp_vc": ["cryptosuite_values": ["ecdsa-rdfc-2019"]]], ["rdfc"]),
            (
                ["ldp_vc": ["proof_type_values": ["DataIntegrityProof"], "cryptosuite_values": ["eddsa-rdfc-2022"]]],
                ["club"]
            ),
            (["jwt_vc_json": ["alg_values": ["ES384"]]], ["token"]),
            // The members of drafts, and what is said of formats that nobody asked for.
            (["mso_mdoc": ["alg": ["ES384"]], "jwt_vc_json": ["alg": ["ES384"]], "other": ["alg_values": [1]]], []),
            (["dc+sd-jwt": [:], "jwt_vc_json": ["alg_values": []]], []),
        ] as [(JSONObject, [CredentialName])]
    )
    func excludeCredentials(_ formats: JSONObject, _ names: [CredentialName]) throws {
        #expect(try excluded(request(["vp_formats_supported": .object(formats)])) == Set(names))
    }

    @Test(
        arguments: [
            (["vc+sd-jwt": ["sd-jwt_alg_values": ["ES256"]]], ["old"]),
            (["mso_mdoc": ["alg": ["ES384"]]], ["mdl"]),
            (["ldp_vc": ["proof_type": ["eddsa-rdfc-2022"]]], ["club"]),
            (["jwt_vc": ["alg": ["EdDSA"]]], ["token"]),
            // These are about presentations.
            (["ldp_vp": ["proof_type": ["Ed25519Signature2018"]], "jwt_vp_json": ["alg": ["EdDSA"]]], []),
        ] as [(JSONObject, [CredentialName])]
    )
    func excludeCredentialsInDrafts(_ formats: JSONObject, _ names: [CredentialName]) throws {
        let metadata: JSONObject = ["vp_formats": .object(formats)]
        #expect(try excluded(request(metadata, version: .draft23)) == Set(names))
        let options = RequestReadingOptions(tolerances: [.olderFormats])
        #expect(try excluded(request(metadata, options: options)) == Set(names))
    }

    @Test func countForDefinitions() throws {
        let definition: JSONObject = [
            "presentation_definition": ["id": "d", "input_descriptors": [["id": "i", "constraints": [:]]]]
        ]
        let formats: JSONObject = ["vc+sd-jwt": ["sd-jwt_alg_values": ["ES256"]]]
        let request = try request(["vp_formats": .object(formats)], version: .draft23, query: definition)
        #expect(try excluded(request) == ["old"])
        // What the metadata do not name is no answer, whatever the definition says.
        let matches = try request.evaluate(over: store, at: Self.now).queries.flatMap(\.matches)
        #expect(matches.map(\.credential) == ["pid"])
    }

    @Test(
        arguments: [
            (["ldp_vp": [:]], ["club", "rdfc"]), (["jwt_vp": [:]], ["token"]), (["mso_mdoc": [:]], []),
            ([:], ["club", "rdfc", "token"]),
        ] as [(JSONObject, [CredentialName])]
    )
    func ignoreFormatsOfDefinitionsThatTheyDoNotName(_ formats: JSONObject, _ names: [CredentialName]) throws {
        let accepted: JSONObject = [
            "ldp_vc": ["proof_type": ["Ed25519Signature2020", "DataIntegrityProof"]], "jwt_vc": ["alg": ["ES256"]],
        ]
        let definition: JSONObject = [
            "presentation_definition": [
                "id": "d", "format": .object(accepted), "input_descriptors": [["id": "i", "constraints": [:]]],
            ]
        ]
        let request = try request(["vp_formats": .object(formats)], version: .draft23, query: definition)
        let matches = try request.evaluate(over: store, at: Self.now).queries.flatMap(\.matches)
        #expect(matches.map(\.credential) == names)
    }

    @Test(
        arguments: [
            ["dc+sd-jwt": "ES256"], ["dc+sd-jwt": ["sd-jwt_alg_values": "ES256"]],
            ["jwt_vc_json": ["alg_values": .array(Array(repeating: "ES256", count: 65))]],
        ] as [JSONObject]
    )
    func refuseMalformedLists(_ formats: JSONObject) {
        let code: OID4VPError.Code = formats["jwt_vc_json"] == nil ? .invalidMetadata : .limitExceeded
        expect(code) { () throws(OID4VPError) in try request(["vp_formats_supported": .object(formats)]) }
    }

    @Test func needAResolvedQuery() throws {
        let request = try request([:], query: ["scope": "pid"])
        expect(.invalidSelection) { () throws(OID4VPError) in try request.evaluate(over: [], at: Self.now) }
    }
}
