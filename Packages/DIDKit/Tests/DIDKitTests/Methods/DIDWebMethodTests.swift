import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import Synchronization
import Testing

@Suite struct DIDWebMethodTests {
    private static let did = "did:web:issuer.example"
    private static let url = "https://issuer.example/.well-known/did.json"
    private let issuer: PublicKey
    private let holder: PublicKey

    init() throws {
        issuer = try PrivateKey.generate(.p256).publicKey
        holder = try PrivateKey.generate(.p256).publicKey
    }

    private func method(_ name: String, _ key: JSONObject, type: String = "JsonWebKey") -> JSONValue {
        .object(
            JSONObject([("id", .string(name)), ("type", .string(type)), ("controller", .string(Self.did))] + key)
        )
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
        return try await method.key(for: name, relationship).publicKey()
    }

    /// A document with all methods listed for making claims.
    private func document(_ methods: JSONValue..., id: String = did) -> JSONValue {
        let names = methods.compactMap { $0["id"] }
        return ["id": .string(id), "verificationMethod": .array(methods), "assertionMethod": .array(names)]
    }

    @Test(arguments: ["application/did", "application/did+json", "application/json", "text/plain; charset=utf-8"])
    func takesADocumentOfAnyTypeThatServersGiveIt(_ type: String) async throws {
        let document = document(method("#1", try jwk(issuer)))
        let answer = InMemoryHTTPAnswer.ok(document.encoded(), type: try MediaType(type))
        let resolver = DIDWebMethod(transport: InMemoryHTTPTransport([Self.url: answer]))
        #expect(try await resolver.key(for: Self.did + "#1", .assertionMethod).publicKey() == issuer)
    }

    @Test(arguments: [("max-age=600", 600), ("max-age=86400", 3600), ("no-store", 60), ("", 300)])
    func keepsADocumentAsLongAsItsServerSays(cacheControl: String, seconds: TimeInterval) async throws {
        let document = document(method("#1", try jwk(issuer)))
        let answer = InMemoryHTTPAnswer.ok(document.encoded(), type: .json).caching(cacheControl)
        let transport = InMemoryHTTPTransport([Self.url: answer])
        let resolver = DIDWebMethod(transport: transport)
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        for (time, count) in [(0, 1), (seconds - 1, 1), (seconds, 2)] {
            _ = try await resolver.document(of: DID(Self.did), at: start + time)
            #expect(transport.requests.count == count)
        }
    }

    @Test func refusesADocumentInHTML() async throws {
        let answer = InMemoryHTTPAnswer.ok(Array("<html>".utf8), type: try MediaType("text/html"))
        let resolver = DIDWebMethod(transport: InMemoryHTTPTransport([Self.url: answer]))
        await expectRefusal(.retrievalFailed) { () async throws(DIDError) in
            try await resolver.document(of: try DID(Self.did), at: Date())
        }
    }

    @Test(arguments: [
        ("did:web:w3c-ccg.github.io", "https://w3c-ccg.github.io/.well-known/did.json"),
        ("did:web:w3c-ccg.github.io:user:alice", "https://w3c-ccg.github.io/user/alice/did.json"),
        ("did:web:example.com%3A3000:user:alice", "https://example.com:3000/user/alice/did.json"),
        ("did:web:example.com%3a3000", "https://example.com:3000/.well-known/did.json"),
        ("did:web:example.com:u%20x", "https://example.com/u%20x/did.json"),
    ])
    func thePlaceOfTheDocument(did: String, url: String) async throws {
        let document = document(method("#1", try jwk(issuer)), id: did)
        #expect(try await key(document, did + "#1", at: url) == issuer)
        #expect(try await key(document, did, at: url) == issuer)
    }

    @Test(arguments: [
        "did:web:", "did:web:example.com:", "did:web:example.com::a",
        "did:web:example.com%2Fetc", "did:web:user%40example.com", "did:web:example.com%3Aabc",
        "did:web:example.com%3A",
        "did:web:example.com%3A70000", "did:web:127.0.0.1", "did:web:%5B%3A%3A1%5D", "did:web:example.com:..:secret",
        "did:web:example.com:%2e%2e:secret", "did:web:example.com:.", "did:web:example.com%3A443%3A1",
        "did:web:example.com:a%2Fb", "did:web:example.com:a%5cb", "did:web:example.com:a%3fb",
        "did:web:exam%0d%0aple.com",
        "did:web:example.com:a%00", "did:web:%zz", "did:web:a%2",
    ])
    func namesThatLeadNowhere(did: String) async {
        let transport = InMemoryHTTPTransport([:])
        await expectRefusal(.malformed) {
            try await DIDWebMethod(transport: transport).key(for: did + "#1")
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func keysInTheirForms() async throws {
        let key = try PrivateKey.generate(.ed25519).publicKey
        let raw = try #require(key.rawRepresentation)
        let forms: [JSONValue] = [
            method("#1", ["publicKeyMultibase": .string("z" + base58([0xed, 0x01] + raw))], type: "Multikey"),
            method(
                "#1",
                ["publicKeyMultibase": .string("u" + Base64URL.encode([0xed, 0x01] + raw))],
                type: "Multikey"
            ),
            method("#1", ["publicKeyBase58": .string(base58(raw))], type: "Ed25519VerificationKey2018"),
            method(Self.did + "#1", try jwk(key)),
        ]
        for form in forms { #expect(try await self.key(document(form)) == key) }
        // A method may stand in the list of a purpose, beside the names of others.
        let embedded: JSONValue = ["id": .string(Self.did), "assertionMethod": ["#2", forms[0]]]
        #expect(try await self.key(embedded) == key)
    }

    /// The forms of keys whose type names the curve, and PEM.
    @Test func keysOfTypesForOneCurve() async throws {
        var forms: [(String, JSONObject, PublicKey)] = []
        if EllipticCurve.secp256k1.isSupported {
            let key = try PrivateKey.generate(.secp256k1).publicKey
            let point = try #require(key.compressedRepresentation)
            let hex = point.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            for type in ["EcdsaSecp256k1VerificationKey2019", "EcdsaSecp256k1RecoveryMethod2020"] {
                forms.append((type, ["publicKeyBase58": .string(base58(point))], key))
                forms.append((type, ["publicKeyHex": .string(hex.uppercased())], key))
                forms.append((type, try jwk(key), key))
            }
        }
        let agreement = try PrivateKey.generate(.x25519).publicKey
        let raw = try #require(agreement.rawRepresentation)
        forms.append(("X25519KeyAgreementKey2019", ["publicKeyBase58": .string(base58(raw))], agreement))
        let multikey = try Multikey(agreement).text
        forms.append(("X25519KeyAgreementKey2020", ["publicKeyMultibase": .string(multikey)], agreement))
        let rsa = try PrivateKey.generateRSA(bits: 2048).publicKey
        forms.append(("RsaVerificationKey2018", ["publicKeyPem": .string(rsa.pem)], rsa))
        forms.append(("RsaVerificationKey2018", try jwk(rsa), rsa))
        for (type, form, key) in forms {
            #expect(try await self.key(document(method("#1", form, type: type))) == key, "\(type)")
            // The type is for no other key.
            guard type != "RsaVerificationKey2018" else { continue }
            let other = method("#1", try jwk(issuer), type: type)
            await expectRefusal(.invalidKey) { try await self.key(document(other)) }
        }
    }

    @Test func formsThatAreRefused() async throws {
        for form: JSONObject in [["publicKeyHex": "00"], ["publicKeyBase58": "1"]] {
            await expectRefusal(.unsupportedKey) { try await key(document(method("#1", form))) }
        }
        let both = JSONObject([("publicKeyMultibase", "z1")] + (try jwk(issuer)))
        for form: JSONObject in [
            [:], both, ["publicKeyJwk": 1], ["publicKeyMultibase": 1], ["publicKeyMultibase": "u="],
            ["publicKeyPem": "x"], ["publicKeyHex": "0g"], ["publicKeyHex": "0"], ["publicKeyBase58": "0"],
        ] {
            await expectRefusal(.invalidKey) { try await key(document(method("#1", form))) }
        }
        let secret = JSONObject([("publicKeyJwk", .object(try JWK(PrivateKey.generate(.p256)).membersWithSecrets()))])
        await expectRefusal(.invalidKey) { try await key(document(method("#1", secret))) }
    }

    @Test func documentsThatAreRefused() async throws {
        let own = method("#1", try jwk(issuer))
        await expectRefusal(.malformedDocument) { try await key(document(own, id: "did:web:other.example")) }
        await expectRefusal(.malformedDocument) { try await key(document(own, method(Self.did + "#1", [:]))) }
        for document: JSONValue in [
            [], ["id": .string(Self.did), "verificationMethod": 1, "assertionMethod": ["#1"]],
            ["id": .string(Self.did), "verificationMethod": [own], "assertionMethod": "#1"],
        ] {
            await expectRefusal(.malformedDocument) { try await key(document) }
        }
        // A malformed method is skipped.
        let malformed: [JSONValue] = [
            [:], 1, ["id": 1], ["id": "#2"], ["id": "#2", "type": "a"], ["id": "#2", "type": "a", "controller": 1],
            ["id": "#2", "type": "a", "controller": "https://issuer.example"],
        ]
        for other in malformed {
            #expect(try await key(document(other, own)) == issuer)
            await expectRefusal(.verificationMethodNotFound) { try await key(document(other), Self.did + "#1") }
        }
        // The same method may stand in two lists.
        let twice: JSONValue = [
            "id": .string(Self.did), "verificationMethod": [own], "assertionMethod": [own],
            "controller": .string(Self.did),
            "alsoKnownAs": ["https://issuer.example"],
        ]
        #expect(try await key(twice) == issuer)
        for (name, value): (String, JSONValue) in [
            ("controller", 1), ("controller", [1]), ("alsoKnownAs", "a"), ("alsoKnownAs", [1]),
        ] {
            var members = try #require(twice.objectValue)
            members[name] = value
            await expectRefusal(.malformedDocument) { try await key(.object(members)) }
        }
        await expectRefusal(.verificationMethodNotFound) { try await key(document(own), Self.did + "#2") }
        await expectRefusal(.verificationMethodNotFound) { try await key(document()) }
        let two = document(own, method("#2", try jwk(holder)))
        await expectRefusal(.verificationMethodNotFound) { try await key(two, Self.did) }
        let many = (0...256).map { method("#\($0)", [:]) }
        await expectRefusal(.limitExceeded) {
            try await key(["id": .string(Self.did), "verificationMethod": .array(many), "assertionMethod": ["#1"]])
        }
    }

    /// Issuers make claims, holders authenticate themselves, and a key serves only the purposes that the document lists
    /// it for (Decentralized Identifiers 1.0, section 5.3).
    @Test func keysAreForWhatTheyAreListedFor() async throws {
        let method = method("#1", try jwk(issuer))
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
                            #expect(try await key(document, name, for: relationship) == issuer)
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

    @Test func documentsThatCannotBeHad() async throws {
        let large = InMemoryHTTPAnswer.ok(Array(repeating: 0x20, count: 70_000), type: .json)
        let answers: [InMemoryHTTPAnswer] = [
            InMemoryHTTPAnswer(status: 404), large, .ok([], type: try MediaType("text/html")),
        ]
        for answer in answers {
            let method = DIDWebMethod(transport: InMemoryHTTPTransport([Self.url: answer]))
            await expectRefusal(.retrievalFailed) { try await method.key(for: Self.did + "#1") }
        }
    }

    @Test func documentsAreKept() async throws {
        let first = document(method("#1", try jwk(issuer)))
        let second = document(method("#1", try jwk(issuer)), method("#2", try jwk(holder)))
        let answers = Mutex([first, second])
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            .ok(answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }.encoded(), type: .json)
        }
        let resolver = DIDWebMethod(transport: transport)
        for _ in 0..<3 { #expect(try await resolver.key(for: Self.did + "#1").publicKey() == issuer) }
        #expect(transport.requests.count == 1)
        // A key that the kept document lacks is asked for, at a limited rate.
        await expectRefusal(.verificationMethodNotFound) { try await resolver.key(for: Self.did + "#2", at: now + 1) }
        #expect(transport.requests.count == 1)
        #expect(try await resolver.key(for: Self.did + "#2", at: now + 30).publicKey() == holder)
        #expect(transport.requests.count == 2)
        _ = try await resolver.key(for: Self.did + "#1", at: now + 329)
        #expect(transport.requests.count == 2)
        _ = try await resolver.key(for: Self.did + "#1", at: now + 330)
        #expect(transport.requests.count == 3)
    }

    @Test func methodsWithoutAResolver() async throws {
        let methods = DIDMethods.local
        await expectRefusal(.unsupportedMethod) { try await methods.key(for: Self.did + "#1") }
        await expectRefusal(.malformed) { try await methods.key(for: "x") }
        let key = try PrivateKey.generate(.ed25519).publicKey
        #expect(try await methods.key(for: DID.key(key).text, .authentication).publicKey() == key)
        await expectRefusal(.unsupportedMethod) {
            try await DIDWebMethod(transport: InMemoryHTTPTransport([:])).key(for: DID.key(key).text)
        }
    }
}
