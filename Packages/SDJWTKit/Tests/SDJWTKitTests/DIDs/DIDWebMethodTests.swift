import CredentialTransport
import CryptoCore
import JOSEKit
import JSONKit
import SDJWTKit
import Testing

@Suite struct DIDWebMethodTests {
    private static let did = "did:web:issuer.example"
    private static let url = "https://issuer.example/.well-known/did.json"
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    private func method(_ name: String, _ key: JSONObject) -> JSONValue {
        .object(JSONObject([("id", .string(name)), ("type", "JsonWebKey"), ("controller", .string(Self.did))] + key))
    }

    private func jwk(_ key: PublicKey) throws -> JSONObject {
        ["publicKeyJwk": .object(try JWK(key).members)]
    }

    private func key(
        _ document: JSONValue,
        _ name: String = did + "#1",
        for relationship: VerificationRelationship = .assertionMethod,
        at url: String = url
    ) async throws -> PublicKey {
        let answer = InMemoryHTTPAnswer.ok(document.encoded(), type: try MediaType("application/did+json"))
        let method = DIDWebMethod(transport: InMemoryHTTPTransport([url: answer]))
        return try await method.key(for: name, relationship: relationship).publicKey()
    }

    /// A document with all methods listed for making claims.
    private func document(_ methods: JSONValue..., id: String = did) -> JSONValue {
        let names = methods.compactMap { $0["id"] }
        return ["id": .string(id), "verificationMethod": .array(methods), "assertionMethod": .array(names)]
    }

    @Test(arguments: [
        ("did:web:w3c-ccg.github.io", "https://w3c-ccg.github.io/.well-known/did.json"),
        ("did:web:w3c-ccg.github.io:user:alice", "https://w3c-ccg.github.io/user/alice/did.json"),
        ("did:web:example.com%3A3000:user:alice", "https://example.com:3000/user/alice/did.json"),
        ("did:web:example.com%3a3000", "https://example.com:3000/.well-known/did.json"),
        ("did:web:example.com:u%20x", "https://example.com/u%20x/did.json"),
    ])
    func thePlaceOfTheDocument(did: String, url: String) async throws {
        let document = document(method("#1", try jwk(scene.issuer.publicKey)), id: did)
        #expect(try await key(document, did + "#1", at: url) == scene.issuer.publicKey)
        #expect(try await key(document, did, at: url) == scene.issuer.publicKey)
    }

    @Test(arguments: [
        "did:web:", "did:web:example.com:", "did:web:example.com::a", "did:web:example.com/path",
        "did:web:example.com%2Fetc", "did:web:user%40example.com", "did:web:example.com%3Aabc",
        "did:web:example.com%3A",
        "did:web:example.com%3A70000", "did:web:127.0.0.1", "did:web:%5B%3A%3A1%5D", "did:web:example.com:..:secret",
        "did:web:example.com:%2e%2e:secret", "did:web:example.com:.", "did:web:example.com%3A443%3A1",
        "did:web:example.com:a%2Fb", "did:web:example.com:a%5cb", "did:web:example.com:a%3fb",
        "did:web:exam%0d%0aple.com",
        "did:web:example.com:a%00", "did:web:%zz", "did:web:a%2", "did:key:issuer.example",
    ])
    func namesThatLeadNowhere(did: String) async {
        let transport = InMemoryHTTPTransport([:])
        await expectRefusal(.invalidDID) {
            try await DIDWebMethod(transport: transport).key(for: did + "#1", relationship: .assertionMethod)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func keysInTheirForms() async throws {
        let key = try PrivateKey.generate(.ed25519).publicKey
        let raw = try #require(key.rawRepresentation)
        let forms: [JSONValue] = [
            ["id": "#1", "type": "Multikey", "publicKeyMultibase": .string("z" + base58([0xed, 0x01] + raw))],
            [
                "id": "#1", "type": "Multikey",
                "publicKeyMultibase": .string("u" + Base64URL.encode([0xed, 0x01] + raw)),
            ],
            ["id": "#1", "type": "Ed25519VerificationKey2018", "publicKeyBase58": .string(base58(raw))],
            .object(JSONObject([("id", .string(Self.did + "#1"))] + (try jwk(key)))),
        ]
        for form in forms { #expect(try await self.key(document(form)) == key) }
        // A method may stand in the list of a purpose, beside the names of others.
        let embedded: JSONValue = ["id": .string(Self.did), "assertionMethod": ["#2", forms[0]]]
        #expect(try await self.key(embedded) == key)
    }

    @Test func formsThatAreNotTaken() async throws {
        for form: JSONObject in [["publicKeyHex": "00"], ["publicKeyPem": "x"], ["publicKeyBase58": "1"]] {
            await expectRefusal(.unsupportedDID) { try await key(document(method("#1", form))) }
        }
        let both = JSONObject([("publicKeyMultibase", "z1")] + (try jwk(scene.issuer.publicKey)))
        for form: JSONObject in [
            [:], both, ["publicKeyJwk": 1], ["publicKeyMultibase": 1], ["publicKeyMultibase": "u="],
        ] {
            await expectRefusal(.invalidDID) { try await key(document(method("#1", form))) }
        }
        let secret = JSONObject([("publicKeyJwk", .object(try JWK(PrivateKey.generate(.p256)).membersWithSecrets()))])
        await expectRefusal(.invalidDID) { try await key(document(method("#1", secret))) }
    }

    @Test func documentsThatAreNotTaken() async throws {
        let own = method("#1", try jwk(scene.issuer.publicKey))
        await expectRefusal(.invalidDID) { try await key(document(own, id: "did:web:other.example")) }
        await expectRefusal(.invalidDID) { try await key(document(own, method(Self.did + "#1", [:]))) }
        for document: JSONValue in [
            [], ["id": .string(Self.did), "verificationMethod": 1, "assertionMethod": ["#1"]],
            ["id": .string(Self.did), "verificationMethod": [own], "assertionMethod": "#1"],
        ] {
            await expectRefusal(.invalidDID) { try await key(document) }
        }
        // A malformed method is skipped.
        for other: JSONValue in [[:], 1, ["id": 1], method("#2", [:])] {
            #expect(try await key(document(other, own)) == scene.issuer.publicKey)
            await expectRefusal(.verificationMethodNotFound) { try await key(document(other), Self.did + "#1") }
        }
        await expectRefusal(.verificationMethodNotFound) { try await key(document(own), Self.did + "#2") }
        await expectRefusal(.verificationMethodNotFound) { try await key(document()) }
        let two = document(own, method("#2", try jwk(scene.holder.publicKey)))
        await expectRefusal(.verificationMethodNotFound) { try await key(two, Self.did) }
        let many = (0...256).map { method("#\($0)", [:]) }
        await expectRefusal(.limitExceeded) {
            try await key(["id": .string(Self.did), "verificationMethod": .array(many), "assertionMethod": ["#1"]])
        }
    }

    /// Issuers make claims, holders authenticate themselves, and a key serves only the purposes that the document lists
    /// it for (Decentralized Identifiers 1.0, section 5.3).
    @Test func keysAreForWhatTheyAreListedFor() async throws {
        let method = method("#1", try jwk(scene.issuer.publicKey))
        let lists = ["assertionMethod", "authentication", "keyAgreement", "capabilityInvocation"]
        for list in lists {
            for element: JSONValue in ["#1", .string(Self.did + "#1"), method] {
                var members: JSONObject = ["id": .string(Self.did)]
                members["verificationMethod"] = element.objectValue == nil ? [method] : []
                members[list] = [element]
                let document = JSONValue.object(members)
                for relationship in [VerificationRelationship.assertionMethod, .authentication, .keyAgreement] {
                    for name in [Self.did + "#1", Self.did] {
                        if relationship.rawValue == list {
                            #expect(try await key(document, name, for: relationship) == scene.issuer.publicKey)
                        } else {
                            await expectRefusal(.verificationMethodNotFound) {
                                try await key(document, name, for: relationship)
                            }
                        }
                    }
                }
            }
        }
        let unlisted: JSONValue = ["id": .string(Self.did), "verificationMethod": [method]]
        await expectRefusal(.verificationMethodNotFound) { try await key(unlisted) }
        let elsewhere: JSONValue = [
            "id": .string(Self.did), "verificationMethod": [method], "assertionMethod": ["did:web:other.example#1"],
        ]
        await expectRefusal(.verificationMethodNotFound) { try await key(elsewhere) }
    }

    /// The restrictions of a key in the document hold for the issuer's signature.
    @Test(
        arguments: [
            ("use", "enc", false), ("use", "sig", true), ("alg", "ES384", false), ("alg", "ES256", true),
            ("key_ops", ["sign"], false), ("key_ops", [], false), ("key_ops", ["verify"], true),
        ] as [(String, JSONValue, Bool)]
    )
    func restrictionsOfAKeyAreKept(name: String, value: JSONValue, isVerified: Bool) async throws {
        var members = try JWK(scene.issuer.publicKey).members
        members[name] = value
        let document = document(method("#1", ["publicKeyJwk": .object(members)]))
        let answer = InMemoryHTTPAnswer.ok(document.encoded(), type: .json)
        let resolver = DIDWebMethod(transport: InMemoryHTTPTransport([Self.url: answer]))
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: DIDIssuerKeys(resolver) { $0 == Self.did },
            clock: { [now = scene.now] in now }
        )
        let builder = SDJWTBuilder(credentialType: "t", claims: ["iss": .string(Self.did)])
        let credential = try await builder.sign(with: scene.issuer, header: ["kid": "#1"])
        let verification = await verifier.verify(credential, expecting: .noKeyBinding)
        #expect((verification.verified != nil) == isVerified, "\(verification.checks)")
        if !isVerified { #expect(verification.refusal?.check == .issuerSignature) }
    }

    @Test func documentsThatCannotBeHad() async throws {
        let large = InMemoryHTTPAnswer.ok(Array(repeating: 0x20, count: 70_000), type: .json)
        let answers: [InMemoryHTTPAnswer] = [
            InMemoryHTTPAnswer(status: 404), large, .ok([], type: try MediaType("text/html")),
        ]
        for answer in answers {
            let method = DIDWebMethod(transport: InMemoryHTTPTransport([Self.url: answer]))
            await expectRefusal(.retrievalFailed) {
                try await method.key(for: Self.did + "#1", relationship: .assertionMethod)
            }
        }
    }

    @Test func anIssuerAndAHolderWithDIDs() async throws {
        let document = document(method("#1", try jwk(scene.issuer.publicKey)))
        let answer = InMemoryHTTPAnswer.ok(document.encoded(), type: .json)
        let resolver = DIDMethods([
            "web": DIDWebMethod(transport: InMemoryHTTPTransport([Self.url: answer])), "jwk": DIDJWKMethod(),
        ])
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: DIDIssuerKeys(resolver) { $0 == Self.did },
            holderKeys: resolver,
            clock: { [now = scene.now] in now }
        )
        let holder = "did:jwk:" + Base64URL.encode(try JWK(scene.holder.publicKey).encoded())
        let claims: JSONObject = ["iss": .string(Self.did), "cnf": ["kid": .string(holder + "#0")]]
        let builder = SDJWTBuilder(credentialType: "t", claims: claims)
        let credential = try await builder.sign(with: scene.issuer, header: ["kid": "#1"])
        let presentation = try await credential.bound(by: scene.holder, scene.keyBinding)
        let verification = await verifier.verify(presentation, expecting: .keyBinding(scene.expectation))
        #expect(verification.verified?.keyBinding?.key == scene.holder.publicKey, "\(verification.checks)")
    }

    @Test func methodsWithoutAResolver() async throws {
        let methods = DIDMethods.local
        await expectRefusal(.unsupportedDID) {
            try await methods.key(for: Self.did + "#1", relationship: .assertionMethod)
        }
        await expectRefusal(.invalidDID) { try await methods.key(for: "x", relationship: .assertionMethod) }
        let key = try PrivateKey.generate(.ed25519).publicKey
        let did = "did:key:z" + base58([0xed, 0x01] + (try #require(key.rawRepresentation)))
        #expect(try await methods.key(for: did, relationship: .authentication).publicKey() == key)
    }
}
