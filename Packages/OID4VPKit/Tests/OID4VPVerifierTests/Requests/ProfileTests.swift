import CredentialTesting
import CryptoCore
import JOSEKit
import JSONKit
import OID4VPVerifier
import TestSupport
import Testing

/// No request is made that deviates from the party's profile.
struct ProfileTests {
    private func expectViolation(
        _ rule: ProfileRule,
        _ scene: Scene,
        _ content: RequestContent,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: OID4VPVerifierError.self, sourceLocation: sourceLocation) {
            _ = try RequestBuilder(scene.party).makeRequest(content, at: Scene.now)
        }
        #expect(error?.code == .invalidRequest, sourceLocation: sourceLocation)
        let namesIt = error?.description.contains(".\(rule)") == true
        #expect(namesIt, "\(String(describing: error))", sourceLocation: sourceLocation)
    }

    @Test func haip() async throws {
        var scene = try await Scene()
        scene.party.profile = .haip
        let content = RequestContent(.dcql(try Scene.query([.sdJWT, .mdoc])), address: Scene.address)
        let builder = RequestBuilder(scene.party)
        let request = try builder.makeRequest(content, at: Scene.now)
        #expect(request.deviations.isEmpty)
        let link = try builder.link(toReference: "https://v.example/1", for: request)
        #expect(link.hasPrefix("haip-vp://?"))
        await expectError(.invalidRequest) { try await builder.signedLink(for: request, at: Scene.now) }
        var changed = content
        changed.mode = .directPost
        expectViolation(.responseMode, scene, changed)
        changed = content
        changed.query = .dcql(try Scene.query([.linkedData]))
        expectViolation(.format, scene, changed)
        var other = scene
        other.party.encryption.key = .ephemeral(.p384)
        expectViolation(.encryption, other, content)
        other = scene
        other.party.encryption.encryptions = [.a128GCM]
        expectViolation(.offeredEncryptions, other, content)
        other = scene
        other.party.encryption.key = .fixed(
            try JWK(PrivateKey.generate(.p256), keyID: "k", use: .encryption, algorithm: "ECDH-ES")
        )
        expectViolation(.ephemeralKey, other, content)
        other = scene
        other.party.client = .redirectURI
        expectViolation(.clientIdentifier, other, content)
        let root = scene.pki.readerAuthority
        other.party.client = try .x509Hash(chain: [root.certificate], signer: root.signer)
        expectViolation(.certificateChain, other, content)
        other.party.client = try .x509Hash(
            chain: [scene.pki.reader, root.certificate],
            signer: SoftwareSigner(scene.pki.readerKey)
        )
        expectViolation(.certificateChain, other, content)
        other.party.profile = .haip.tolerating([.certificateChain])
        let tolerated = try RequestBuilder(other.party).makeRequest(content, at: Scene.now)
        #expect(tolerated.deviations.map(\.tolerance) == ["haip.certificateChain"])
        changed = content
        changed.version = .draft23
        changed.query = .definition(try PresentationDefinition(json: Scene.definition(.sdJWT)))
        expectViolation(.version, scene, changed)
        // The origin vouches for an unsigned request over the Digital Credentials API.
        other = scene
        other.party.client = .redirectURI
        var platform = content
        platform.mode = .digitalCredentialsJWT
        platform.address = nil
        #expect(try RequestBuilder(other.party).makeRequest(platform, at: Scene.now).expectation.clientID == nil)
    }

    @Test func aWalletsMetadataLeaveTheEncryptionsOfHAIPInTheRequest() async throws {
        var scene = try await Scene()
        scene.party.profile = .haip
        let content = RequestContent(.dcql(try Scene.query([.sdJWT])), address: Scene.address)
        let builder = RequestBuilder(scene.party)
        let request = try builder.makeRequest(content, at: Scene.now)
        let form =
            "wallet_metadata=" + #"{"vp_formats_supported":{"dc%2Bsd-jwt":{}},"#
            + #""authorization_encryption_enc_values_supported":["A256GCM"]}"#
        let post = try RequestURIPost(form: form)
        let object = try await builder.signedObject(of: request, for: post, at: Scene.now)
        let claims = try JSONValue(parsing: JWS(compact: object).unverifiedPayload ?? [])
        let listed = claims["client_metadata"]?["encrypted_response_enc_values_supported"]
        #expect(listed == ["A256GCM", "A128GCM"])
    }

    @Test func aLinkForThisDeviceDemandsAResponseCode() async throws {
        let scene = try await Scene()
        func link(_ profile: PresentationProfile?, _ redirect: String?, polling: Bool = false) async throws -> String? {
            var party = scene.party
            party.profile = profile
            let server = try TransactionServer(
                url: "https://verifier.example/oid4vp",
                relyingParties: ["shop": ServedRelyingParty(party)],
                services: TransactionServices(clock: EngineWorld.sessionClock(ManualClock()))
            )
            var wish = TransactionRequest(of: "shop", for: try Scene.query([.sdJWT]))
            wish.redirect = try redirect.map { try RedirectTemplate($0) }
            wish.allowsPolling = polling
            let started = try await server.start(wish)
            #expect(started.qrText != nil)
            return started.link
        }
        let redirect = "https://shop.example/done#code={response_code}"
        #expect(try await link(.haip, redirect) != nil)
        #expect(try await link(.haip, nil) == nil)
        #expect(try await link(.haip, redirect, polling: true) == nil)
        #expect(try await link(.haip.tolerating([.redirect]), nil) != nil)
        #expect(try await link(nil, nil) != nil)
    }

    @Test func iso18013() async throws {
        var scene = try await Scene()
        scene.party.profile = .iso18013_7.tolerating([.clientIdentifier])
        func definition(_ change: (inout JSONObject) -> Void = { _ in }) throws -> ResponseExpectation.Query {
            var constraints: JSONObject = [
                "limit_disclosure": "required",
                "fields": [["path": ["$['org.iso.18013.5.1']['family_name']"], "intent_to_retain": false]],
            ]
            change(&constraints)
            return .definition(
                try PresentationDefinition(json: [
                    "id": "mDL",
                    "input_descriptors": [
                        [
                            "id": .string(Scene.docType), "format": ["mso_mdoc": ["alg": ["ES256"]]],
                            "constraints": .object(constraints),
                        ]
                    ],
                ])
            )
        }
        var content = RequestContent(try definition(), address: Scene.address, version: .draft23)
        let request = try RequestBuilder(scene.party).makeRequest(content, at: Scene.now)
        #expect(request.deviations.map(\.tolerance) == ["iso18013_7.clientIdentifier"])
        content.query = try definition { $0["limit_disclosure"] = nil }
        expectViolation(.limitDisclosure, scene, content)
        content.query = try definition { $0["fields"] = [["path": ["$['a']['b']"]]] }
        expectViolation(.intentToRetain, scene, content)
        content.query = .definition(try PresentationDefinition(json: Scene.definition(.jwt)))
        expectViolation(.format, scene, content)
    }
}
