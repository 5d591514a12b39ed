import CryptoCore
import JOSEKit
import JSONKit
import OID4VPVerifier
import Testing

/// Profiles name every deviation of a request, and no request is made with one.
struct ProfileTests {
    private func deviations(_ scene: Scene, _ content: RequestContent) -> Set<String> {
        Set(scene.party.profile.deviations(of: content, by: scene.party).map(\.tolerance))
    }

    @Test func haip() async throws {
        var scene = try await Scene()
        scene.party.profile = .haip
        var content = RequestContent(.dcql(try Scene.query([.sdJWT, .mdoc])), address: Scene.address)
        #expect(deviations(scene, content) == [])
        let request = try RequestBuilder(scene.party).makeRequest(content, at: Scene.now)
        let link = try RequestBuilder(scene.party).link(toReference: "https://v.example/1", for: request)
        #expect(link.hasPrefix("haip-vp://?"))
        content.mode = .directPost
        content.query = .dcql(try Scene.query([.linkedData]))
        scene.party.encryption = ResponseEncryptionPolicy(
            key: .ephemeral(.p384),
            algorithm: .ecdhES,
            encryptions: [.a128GCM]
        )
        scene.party.client = .redirectURI
        #expect(
            deviations(scene, content) == ["responseMode", "format", "encryptionKey", "encryption", "clientIdentifier"]
        )
        let error = #expect(throws: OID4VPVerifierError.self) {
            _ = try RequestBuilder(scene.party).makeRequest(content, at: Scene.now)
        }
        #expect(error?.code == .invalidRequest && error?.message.contains("clientIdentifier") == true)
        let root = scene.pki.readerAuthority
        scene.party.client = try .x509Hash(chain: [root.certificate], signer: root.signer)
        #expect(deviations(scene, content).contains("selfSigned"))
        scene.party.client = try .x509Hash(
            chain: [scene.pki.reader, root.certificate],
            signer: SoftwareSigner(scene.pki.readerKey)
        )
        #expect(deviations(scene, content).contains("trustAnchor"))
        content.version = .draft23
        content.query = .definition(try PresentationDefinition(json: Scene.definition(.sdJWT)))
        #expect(deviations(scene, content).isSuperset(of: ["version", "query"]))
    }

    @Test func iso18013() async throws {
        var scene = try await Scene()
        scene.party.profile = .iso18013_7
        let strict: JSONValue = [
            "id": "mDL",
            "input_descriptors": [
                [
                    "id": .string(Scene.docType), "format": ["mso_mdoc": ["alg": ["ES256"]]],
                    "constraints": [
                        "limit_disclosure": "required",
                        "fields": [["path": ["$['org.iso.18013.5.1']['family_name']"], "intent_to_retain": false]],
                    ],
                ]
            ],
        ]
        var content = RequestContent(
            .definition(try PresentationDefinition(json: strict)),
            address: Scene.address,
            version: .draft21
        )
        #expect(deviations(scene, content) == ["clientIdentifier"])
        content.query = .definition(try PresentationDefinition(json: Scene.definition(.jwt)))
        content.mode = .directPost
        content.version = .draft23
        #expect(
            deviations(scene, content)
                == ["clientIdentifier", "format", "limitDisclosure", "intentToRetain", "responseMode", "version"]
        )
        content.query = .dcql(try Scene.query([.mdoc]))
        #expect(deviations(scene, content).contains("query"))
        #expect(scene.party.profile.invocation == "mdoc-openid4vp://")
    }
}
