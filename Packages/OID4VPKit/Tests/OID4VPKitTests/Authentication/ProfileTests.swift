import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import SDJWTKit
import TestSupport
import Testing

struct ProfileTests {
    private func policy(_ scene: X509Scene, _ profile: PresentationProfile) -> RequestAuthenticationPolicy {
        var policy = scene.policy
        policy.profile = profile
        return policy
    }

    private func profiled(
        _ scene: X509Scene,
        _ changes: JSONObject,
        _ profile: PresentationProfile = .haip
    ) async throws -> AuthenticatedRequest {
        let claims = try scene.claims(PrivateKey.generate(.p256), changes)
        return try await scene.verification(claims, policy(scene, profile)).get()
    }

    // MARK: HAIP

    @Test func acceptsRequestsOfHAIP() async throws {
        let scene = try await X509Scene()
        let claims = try scene.claims(PrivateKey.generate(.p256))
        let verification = try await scene.verification(claims, policy(scene, .haip))
        #expect(verification.deviations.isEmpty && verification.results(of: .profile).map(\.outcome) == [.passed])
        let content = try verification.get().presentationRequest()
        #expect(content.deviations.isEmpty && content.encryption?.encryption == .a256GCM)
        #expect(content.bindsWherePossible)
    }

    @Test func acceptsFurtherAlgorithmsOfAnEcosystem() throws {
        var traits = RequestTraits(
            version: .v1,
            clientRule: .x509Hash,
            channel: .redirects,
            responseMode: .directPostJWT,
            isByReference: true,
            algorithm: .es384
        )
        let ecosystem = PresentationProfile.haip.accepting(requestAlgorithms: [.es384])
        #expect(PresentationProfile.haip.deviations(of: traits).map(\.tolerance) == ["haip.requestAlgorithm"])
        #expect(ecosystem.deviations(of: traits).isEmpty)
        traits.algorithm = .es256
        #expect(ecosystem.deviations(of: traits).isEmpty)
        traits.algorithm = .rs256
        #expect(ecosystem.deviations(of: traits).map(\.tolerance) == ["haip.requestAlgorithm"])
    }

    @Test func demandsSupportOfES256() async throws {
        let scene = try await X509Scene()
        let claims = try scene.claims(PrivateKey.generate(.p256))
        func refusal(_ profile: PresentationProfile, _ algorithms: Set<JWSAlgorithm>) -> [String] {
            var traits = RequestTraits(
                version: .v1,
                clientRule: .x509Hash,
                channel: .redirects,
                responseMode: .directPostJWT,
                isByReference: true,
                algorithm: .es384
            )
            traits.walletAlgorithms = algorithms
            return profile.deviations(of: traits).map(\.tolerance)
        }
        let ecosystem = PresentationProfile.haip.accepting(requestAlgorithms: [.es384])
        #expect(refusal(ecosystem, [.es256, .es384]).isEmpty)
        #expect(refusal(ecosystem, [.es384]) == ["haip.supportedAlgorithms"])
        #expect(refusal(.iso18013_7, [.es384]).contains("iso18013_7.supportedAlgorithms") == false)
        // The verifier takes signatures of holders with ES256, whatever else it takes.
        func deviations(_ formats: JSONValue, asking format: JSONValue = "dc+sd-jwt") async throws -> [String] {
            let query: JSONValue = [
                "credentials": [["id": "pid", "format": format, "meta": ["doctype_value": "d", "vct_values": ["v"]]]]
            ]
            var metadata = try #require(claims["client_metadata"]?.objectValue)
            metadata["vp_formats_supported"] = formats
            let profile = PresentationProfile.haip.tolerating([.supportedAlgorithms])
            let changes: JSONObject = ["client_metadata": .object(metadata), "dcql_query": query]
            return try await profiled(scene, changes, profile)
                .presentationRequest().deviations.map(\.tolerance)
        }
        let sound: [JSONValue] = [
            ["dc+sd-jwt": ["kb-jwt_alg_values": ["ES384", "ES256"], "sd-jwt_alg_values": ["ES384"]]],
            ["mso_mdoc": ["deviceauth_alg_values": [-51, -9]], "dc+sd-jwt": [:]], ["dc+sd-jwt": [:]],
            ["mso_mdoc": ["deviceauth_alg_values": [-7], "issuerauth_alg_values": [-35]], "dc+sd-jwt": [:]],
            // A format that is not asked for.
            ["mso_mdoc": ["deviceauth_alg_values": [-35]], "dc+sd-jwt": [:]],
        ]
        for formats in sound { #expect(try await deviations(formats).isEmpty, "\(formats)") }
        let unsound: [(JSONValue, JSONValue)] = [
            (["dc+sd-jwt": ["kb-jwt_alg_values": ["ES384"]]], "dc+sd-jwt"),
            (["mso_mdoc": ["deviceauth_alg_values": [-51, -35]], "dc+sd-jwt": [:]], "mso_mdoc"),
        ]
        for (formats, asked) in unsound {
            #expect(try await deviations(formats, asking: asked) == ["haip.supportedAlgorithms"], "\(formats)")
        }
    }

    private func refuse(
        _ rule: ProfileRule,
        _ scene: X509Scene,
        _ changes: JSONObject = [:],
        certificates: [Certificate]? = nil,
        byValue: Bool = false
    ) async throws {
        let claims = try scene.claims(PrivateKey.generate(.p256), changes)
        func verification(_ profile: PresentationProfile) async throws -> Verification<AuthenticatedRequest> {
            try await scene.verification(
                claims,
                policy(scene, profile),
                certificates: certificates,
                byValue: byValue
            )
        }
        let refusal = try await verification(.haip).refusal
        #expect(refusal?.check == .profile && refusal?.reason == "profileViolation", "\(rule)")
        #expect(refusal?.message.hasPrefix("haip.\(rule): ") == true)
        let tolerated = try await verification(.haip.tolerating([rule]))
        #expect(tolerated.refusal == nil && tolerated.deviations.map(\.tolerance) == ["haip.\(rule)"])
    }

    @Test func demandsTheClientAndTheWayOfHAIP() async throws {
        let scene = try await X509Scene()
        try await refuse(.clientIdentifier, scene, ["client_id": "x509_san_dns:v.example"])
        try await refuse(.responseMode, scene, ["response_mode": "direct_post"])
        try await refuse(.requestURI, scene, byValue: true)
        try await refuse(.certificateChain, scene, certificates: [scene.leaf, scene.root.certificate])
    }

    @Test func demandsSignedRequestsOfHAIP() throws {
        let traits = RequestTraits(
            version: .v1,
            clientRule: nil,
            channel: .digitalCredentials,
            responseMode: .digitalCredentialsJWT,
            isByReference: false,
            algorithm: nil
        )
        // The Digital Credentials API has requests without a signature in HAIP, too.
        #expect(PresentationProfile.haip.deviations(of: traits).isEmpty)
        var others = traits
        others.channel = .redirects
        others.responseMode = .directPostJWT
        #expect(
            PresentationProfile.haip.deviations(of: others).map(\.tolerance) == [
                "haip.signedRequest", "haip.requestURI",
            ]
        )
        others.algorithm = .edDSA
        others.isByReference = true
        others.version = .draft23
        #expect(
            PresentationProfile.haip.deviations(of: others).map(\.tolerance) == [
                "haip.version", "haip.requestAlgorithm",
            ]
        )
    }

    @Test func demandsTheContentOfHAIP() async throws {
        let scene = try await X509Scene()
        let linked: JSONValue = ["credentials": [["id": "a", "format": "ldp_vc", "meta": [:]]]]
        let other = try RequestScene.metadata(try PrivateKey.generate(.p256))
        let cases: [(ProfileRule, JSONObject)] = [
            (.format, ["dcql_query": linked]), (.offeredEncryptions, ["client_metadata": .object(other)]),
        ]
        for (rule, changes) in cases {
            let request = try await profiled(scene, changes)
            let error = #expect(throws: OID4VPError.self) { try request.presentationRequest() }
            #expect(error?.code == .profileViolation && error?.message.hasPrefix("haip.\(rule): ") == true)
            #expect(error?.authorizationCode == .invalidRequest)
            let tolerated = try await profiled(scene, changes, .haip.tolerating([rule])).presentationRequest()
            #expect(tolerated.deviations.map(\.tolerance) == ["haip.\(rule)"])
        }
    }

    @Test func usesNoOtherKeyThanThoseOfHAIP() async throws {
        let scene = try await X509Scene()
        let (first, second) = (try PrivateKey.generate(.p384), try PrivateKey.generate(.p256))
        func member(_ key: PrivateKey, _ id: String) throws -> JSONValue {
            var members = try JWK(key.publicKey, keyID: id).members
            members["alg"] = "ECDH-ES"
            return .object(members)
        }
        func metadata(_ keys: [JSONValue]) -> JSONObject {
            [
                "client_metadata": [
                    "jwks": ["keys": .array(keys)], "vp_formats_supported": ["dc+sd-jwt": [:]],
                    "encrypted_response_enc_values_supported": ["A256CBC-HS512", "A128GCM", "A256GCM"],
                ]
            ]
        }
        let both = metadata([try member(first, "k1"), try member(second, "k2")])
        let encryption = try await profiled(scene, both).presentationRequest().encryption
        // Of the two that HAIP knows, a wallet should use the stronger one.
        #expect(encryption?.key.keyID == "k2" && encryption?.encryption == .a256GCM)
        let one = try await profiled(scene, metadata([try member(first, "k1")]))
        #expect(throws: OID4VPError.self) { try one.presentationRequest() }
        let tolerant = try await profiled(
            scene,
            metadata([try member(first, "k1")]),
            .haip.tolerating([.encryption])
        ).presentationRequest()
        #expect(tolerant.encryption?.key.keyID == "k1" && tolerant.deviations.map(\.tolerance) == ["haip.encryption"])
    }

    @Test func demandsPresentationsOfHAIP() async throws {
        let haip = PresentationProfile.haip
        let leaf = try await X509Scene()
        func rules(_ kind: PresentationTraits.Kind, _ format: CredentialFormat, isBound: Bool = true) -> [String] {
            let traits = PresentationTraits(format: format, kind: kind, requiresHolderBinding: isBound)
            return haip.deviations(of: traits).map(\.tolerance)
        }
        func token(_ isJWK: Bool, _ hasBinding: Bool, _ chain: [Certificate]) -> PresentationTraits.Kind {
            .sdJWT(holderKeyIsJWK: isJWK, hasKeyBinding: hasBinding, certificates: chain)
        }
        #expect(rules(token(true, true, [leaf.leaf]), .sdJWT).isEmpty)
        #expect(rules(token(false, true, [leaf.leaf]), .sdJWT) == ["haip.keyBinding"])
        #expect(rules(token(true, false, [leaf.leaf]), .sdJWT) == ["haip.keyBinding"])
        #expect(rules(token(false, false, [leaf.leaf]), .sdJWT, isBound: false).isEmpty)
        #expect(rules(token(true, true, []), .sdJWT) == ["haip.issuerCertificates"])
        #expect(rules(token(true, true, [leaf.leaf, leaf.root.certificate]), .sdJWT) == ["haip.issuerCertificates"])
        #expect(rules(.mdoc(documents: 1, areSigned: true), .mdoc).isEmpty)
        #expect(rules(.mdoc(documents: 2, areSigned: true), .mdoc) == ["haip.singleDocument"])
        #expect(rules(.mdoc(documents: 1, areSigned: false), .mdoc) == ["haip.deviceSignature"])
        #expect(rules(.other, .linkedData) == ["haip.format"])
        var traits = PresentationTraits(format: .sdJWT, kind: token(true, true, [leaf.leaf]))
        traits.hasOtherStatus = true
        #expect(haip.deviations(of: traits).map(\.tolerance) == ["haip.statusList"])
    }

    @Test func readsBindingAndStatusOfAnSDJWT() async throws {
        let signer = try SoftwareSigner(PrivateKey.generate(.p256), algorithm: .ecdsaSHA256)
        func rules(_ claims: JSONObject) async throws -> [String] {
            let jws = try await JWS.sign(JSONValue.object(claims).encoded(), header: ["typ": "dc+sd-jwt"], with: signer)
            let token = try SDJWT(compact: jws.compactSerialization() + "~")
            // The query asks for no proof of the holder.
            let traits = PresentationTraits(token, requiresHolderBinding: false)
            return PresentationProfile.haip.tolerating([.issuerCertificates]).deviations(of: traits).map(\.tolerance)
                .filter { $0 != "haip.issuerCertificates" }
        }
        let jwk = JSONValue.object(try JWK(PrivateKey.generate(.p256).publicKey).members)
        #expect(try await rules([:]).isEmpty)
        #expect(try await rules(["cnf": ["jwk": jwk]]) == ["haip.keyBinding"])
        #expect(try await rules(["cnf": ["kid": "did:jwk:a#0"]]) == ["haip.keyBinding"])
        #expect(try await rules(["status": ["status_list": ["idx": 1, "uri": "https://i.example/1"]]]).isEmpty)
        for status in [["other": [:]], "valid", ["status_list": 1]] as [JSONValue] {
            #expect(try await rules(["status": status]) == ["haip.statusList"])
        }
    }

    @Test func refusesToSendPresentationsThatBreakTheProfile() async throws {
        let scene = try await X509Scene()
        let request = try await profiled(scene, [:])
        let content = try request.presentationRequest()
        // The presentation is no SD-JWT at all.
        let error = await #expect(throws: OID4VPError.self) {
            try await AuthorizationResponder(request).response(with: RequestScene.token, to: content, at: scene.now)
        }
        #expect(error?.code == .profileViolation && error?.path == ["vp_token", "pid"])
        let tolerant = try await profiled(scene, [:], .haip.tolerating([.keyBinding, .issuerCertificates]))
        let response = try await AuthorizationResponder(tolerant)
            .response(with: RequestScene.token, to: tolerant.presentationRequest(), at: scene.now)
        #expect(response.deviations.map(\.tolerance) == ["haip.keyBinding", "haip.issuerCertificates"])
    }

    // MARK: ISO/IEC TS 18013-7

    private static func definition(_ changes: JSONObject = [:], field: JSONObject? = nil) -> JSONValue {
        let descriptor: JSONObject = [
            "id": "org.iso.18013.5.1.mDL", "format": ["mso_mdoc": ["alg": ["ES256"]]],
            "constraints": [
                "limit_disclosure": "required",
                "fields": [
                    .object(field ?? ["path": ["$['org.iso.18013.5.1']['family_name']"], "intent_to_retain": false])
                ],
            ],
        ]
        return ["id": "pd", "input_descriptors": [.object(descriptor.merging(changes))]]
    }

    private func draft(_ definition: JSONValue) async throws -> PresentationRequest {
        let scene = try await X509Scene()
        let key = try PrivateKey.generate(.p256)
        let metadata = try RequestScene.metadata(key).merging([
            "authorization_encrypted_response_alg": "ECDH-ES", "authorization_encrypted_response_enc": "A256GCM",
        ])
        var claims = try scene.claims(
            key,
            [
                "client_id": "v.example", "client_id_scheme": "x509_san_dns", "presentation_definition": definition,
                "client_metadata": .object(metadata),
            ]
        )
        claims["dcql_query"] = nil
        let type = try MediaType("application/oauth-authz-req+jwt")
        let body = Array(try await scene.object(claims).utf8)
        let transport = InMemoryHTTPTransport(["https://v.example/r": .ok(body, type: type)])
        let verification = await RequestAuthenticator(policy: policy(scene, .iso18013_7), transport: transport)
            .authenticate(
                try AuthorizationRequest(
                    url: "mdoc-openid4vp://?client_id=v.example&client_id_scheme=x509_san_dns"
                        + "&request_uri=https%3A%2F%2Fv.example%2Fr"
                ),
                at: scene.now
            )
        return try verification.get().presentationRequest()
    }

    @Test func acceptsRequestsOfISO18013() async throws {
        let content = try await draft(Self.definition())
        #expect(content.version == .draft21 && content.deviations.isEmpty)
        #expect(content.encryption?.encryption == .a256GCM)
    }

    @Test func demandsTheDefinitionOfISO18013() async throws {
        let path = "$['org.iso.18013.5.1']['family_name']"
        let cases: [(ProfileRule, JSONValue)] = [
            (.format, Self.definition(["format": ["ldp_vc": ["proof_type": ["Ed25519Signature2020"]]]])),
            (
                .limitDisclosure,
                Self.definition([
                    "constraints": ["fields": [["path": [.string(path)], "intent_to_retain": true]]]
                ])
            ),
            (.intentToRetain, Self.definition(field: ["path": [.string(path)]])),
            (.elementPath, Self.definition(field: ["path": ["$.family_name"], "intent_to_retain": false])),
            (.elementPath, Self.definition(field: ["path": ["$['a'][*]"], "intent_to_retain": false])),
            (.elementPath, Self.definition(field: ["path": ["$['a']['b']['c']"], "intent_to_retain": false])),
        ]
        for (rule, definition) in cases {
            let error = await #expect(throws: OID4VPError.self) { try await draft(definition) }
            #expect(error?.message.hasPrefix("iso18013_7.\(rule): ") == true, "\(rule): \(String(describing: error))")
        }
    }

    @Test func demandsDraftsOfISO18013() {
        let traits = RequestTraits(
            version: .v1,
            clientRule: .x509Hash,
            channel: .redirects,
            responseMode: .directPost,
            isByReference: true,
            algorithm: .es256
        )
        #expect(
            PresentationProfile.iso18013_7.deviations(of: traits).map(\.tolerance) == [
                "iso18013_7.version", "iso18013_7.clientIdentifier", "iso18013_7.responseMode",
            ]
        )
        #expect(PresentationProfile.iso18013_7.invocationSchemes == ["mdoc-openid4vp"])
        #expect(PresentationProfile.haip.invocationSchemes.first == "haip-vp")
    }
}
