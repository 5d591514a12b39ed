import JOSEKit
import JSONKit
import OID4VPMessages
import Testing

struct WalletMetadataTests {
    private var metadata: WalletMetadata {
        var metadata = WalletMetadata(formats: [
            .sdJWT: FormatAlgorithms(algorithms: ["ES256"], holderAlgorithms: ["EdDSA"]),
            .mdoc: FormatAlgorithms(algorithms: ["-7", "-9"], holderAlgorithms: ["-65537"]),
            .linkedData: FormatAlgorithms(proofTypes: ["Ed25519Signature2020"], cryptosuites: ["eddsa-rdfc-2022"]),
            .jwt: FormatAlgorithms(algorithms: ["ES256K"]),
        ])
        metadata.clientRules = [.preRegistered, .decentralizedIdentifier, .x509SANURI, .redirectURI]
        metadata.requestAlgorithms = [.es256]
        metadata.encryptionAlgorithms = [.ecdhES]
        metadata.encryptions = [.a256GCM]
        metadata.responseTypes = ["vp_token"]
        metadata.responseModes = [.directPostJWT]
        metadata.issuer = "https://self-issued.me/v2"
        return metadata
    }

    @Test func writesOpenID4VP1() {
        #expect(
            JSONValue.object(metadata.json(for: [.v1])) == [
                "vp_formats_supported": [
                    "dc+sd-jwt": ["sd-jwt_alg_values": ["ES256"], "kb-jwt_alg_values": ["EdDSA"]],
                    "jwt_vc_json": ["alg_values": ["ES256K"]],
                    "ldp_vc": [
                        "proof_type_values": ["Ed25519Signature2020"], "cryptosuite_values": ["eddsa-rdfc-2022"],
                    ],
                    "mso_mdoc": ["issuerauth_alg_values": [-7, -9], "deviceauth_alg_values": [-65537]],
                ],
                "client_id_prefixes_supported": ["pre-registered", "decentralized_identifier", "redirect_uri"],
                "request_object_signing_alg_values_supported": ["ES256"],
                "authorization_encryption_alg_values_supported": ["ECDH-ES"],
                "authorization_encryption_enc_values_supported": ["A256GCM"],
                "response_types_supported": ["vp_token"], "response_modes_supported": ["direct_post.jwt"],
                "issuer": "https://self-issued.me/v2",
            ]
        )
    }

    @Test func writesDrafts() {
        let json = metadata.json(for: [.draft21])
        #expect(json["client_id_schemes_supported"] == ["pre-registered", "did", "x509_san_uri", "redirect_uri"])
        #expect(json["presentation_definition_uri_supported"] == true && json["client_id_prefixes_supported"] == nil)
        #expect(
            json["vp_formats_supported"] == [
                "dc+sd-jwt": ["alg_values_supported": ["ES256"]], "jwt_vc_json": ["alg_values_supported": ["ES256K"]],
                "ldp_vc": ["alg_values_supported": ["Ed25519Signature2020", "eddsa-rdfc-2022"]],
                "mso_mdoc": ["alg_values_supported": ["ES256"]],
            ]
        )
        let both = metadata.json(for: [.draft23, .v1])
        #expect(both["client_id_schemes_supported"] != nil && both["client_id_prefixes_supported"] != nil)
        #expect(both["vp_formats_supported"]?["mso_mdoc"]?.objectValue?.count == 3)
    }

    /// The name of a federation is that of each version: `entity_id`, `https` from draft 22 on, and `openid_federation`.
    @Test func namesFederationsByTheVersion() throws {
        var metadata = metadata
        metadata.clientRules = [.federation]
        for (version, name) in [(OpenID4VPVersion.draft21, "entity_id"), (.draft23, "https")] {
            let members = metadata.json(for: [version])
            #expect(members["client_id_schemes_supported"] == [.string(name)])
            #expect(try WalletMetadata(members).clientRules == [.federation])
        }
        let all = metadata.json(for: [.draft21, .draft23, .v1])
        #expect(all["client_id_schemes_supported"] == ["entity_id", "https"])
        #expect(all["client_id_prefixes_supported"] == ["openid_federation"])
        #expect(try WalletMetadata(all).clientRules == [.federation])
    }

    @Test func namesNoAlgorithmsForRequestsOfClientsThatNeedNone() {
        for rule in [ClientIdentifier.Rule.preRegistered, .redirectURI] {
            #expect(metadata.forClient(rule).requestAlgorithms == nil)
            #expect(metadata.forClient(rule).encryptionAlgorithms == [.ecdhES])
        }
        #expect(metadata.forClient(.x509Hash).requestAlgorithms == [.es256])
    }

    @Test func readsWhatItWrites() throws {
        let read = try WalletMetadata(parsing: JSONValue.object(metadata.json(for: [.v1])).text())
        #expect(read.formats == metadata.formats && read.requestAlgorithms == [.es256])
        #expect(read.clientRules == [.preRegistered, .decentralizedIdentifier, .redirectURI])
        #expect(read.encryptionAlgorithms == [.ecdhES] && read.encryptions == [.a256GCM])
        #expect(read.responseModes == [.directPostJWT] && read.issuer == "https://self-issued.me/v2")
        let draft = try WalletMetadata(metadata.json(for: [.draft21]))
        #expect(draft.clientRules == metadata.clientRules)
        let both = try WalletMetadata(metadata.json(for: [.draft23, .v1]))
        #expect(both.clientRules.map(Set.init) == metadata.clientRules.map(Set.init))
        #expect(draft.formats[.mdoc]?.algorithms == ["ES256"])
    }

    @Test func refusesMalformedMetadata() {
        let refused = [
            "", "[]", "{}", "{\"vp_formats_supported\":{}}", "{\"vp_formats_supported\":{\"a\":1}}",
            "{\"vp_formats_supported\":{\"a\":{}},\"vp_formats_supported\":{\"a\":{}}}",
            "{\"vp_formats_supported\":{\"a\":{}},\"issuer\":1}",
            "{\"vp_formats_supported\":{\"a\":{\"alg_values\":1}}}",
            "{\"vp_formats_supported\":{\"a\":{}},\"jwks\":{\"keys\":[{\"kty\":\"oct\",\"k\":\"AA\"}]}}",
        ]
        for text in refused { expect(.invalidMetadata) { () throws(OID4VPError) in try WalletMetadata(parsing: text) } }
        let many = (0...64).map { "\"f\($0)\":{}" }.joined(separator: ",")
        expect(.limitExceeded) { () throws(OID4VPError) in
            try WalletMetadata(parsing: "{\"vp_formats_supported\":{\(many)}}")
        }
        expect(.limitExceeded) { () throws(OID4VPError) in
            try WalletMetadata(parsing: String(repeating: " ", count: 65 << 10))
        }
        let unknown = "{\"vp_formats_supported\":{\"a\":{}},\"client_id_prefixes_supported\":[\"frob\"],\"x\":1}"
        #expect((try? WalletMetadata(parsing: unknown))?.clientRules == [])
    }

    /// A list is never empty (section 10.1), and without one nothing is said.
    @Test func namesNoClientsWhereNothingIsKnownOfThem() throws {
        var metadata = WalletMetadata(formats: [.sdJWT: FormatAlgorithms()])
        for rules in [nil, [], [ClientIdentifier.Rule.x509SANURI]] {
            metadata.clientRules = rules
            let members = metadata.json(for: [.v1])
            #expect(members["client_id_prefixes_supported"] == nil)
            #expect(try WalletMetadata(members).clientRules == nil)
        }
        #expect(metadata.json(for: [.draft21])["client_id_schemes_supported"] == ["x509_san_uri"])
    }
}
