import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPTesting
import OpenIDFederation
import Testing

/// The form of statements, and of identifiers.
struct EntityStatementTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let federation: TestFederation

    init() throws {
        federation = try TestFederation(at: now)
    }

    /// Signs claims as they are.
    private func statement(
        _ changes: JSONObject,
        header: JOSEHeader = JOSEHeader(type: "entity-statement+jwt", keyID: "a1"),
        isConfiguration: Bool = true
    ) async throws -> EntityStatement {
        let subject = isConfiguration ? federation.anchor : federation.verifier
        var claims: JSONObject = [
            "iss": "https://anchor.example", "sub": .string(subject.id.text.text), "iat": 1_800_000_000,
            "exp": 1_800_003_600, "jwks": ["keys": .array(try subject.keys.keys.map { .object($0.members) })],
        ]
        for (name, value) in changes { claims[name] = value.isNull ? JSONValue?.none : value }
        let token = try await JWT.sign(JWTClaims(claims), header: header, with: SoftwareSigner(federation.anchor.key))
        return try EntityStatement(compact: token.compactSerialization())
    }

    /// Each level has words of its own, and the cause keeps its code.
    @Test func errorsSayWhatTheirCauseSaysOnce() async throws {
        let unread = #expect(throws: FederationError.self) { try EntityStatement(compact: "x") }
        let below = try #require(unread?.cause as? JOSEError)
        #expect(unread?.description == "malformed in JWS: the statement is no JWT (\(below))")
        #expect(unread?.fault == .failed("malformed", "the statement is no JWT (\(below))", path: ["JWS"]))
        #expect("\(below)" == "malformed: \(below.message)")
        let unnamed = await #expect(throws: FederationError.self) {
            try await statement(["iss": "http://anchor.example"])
        }
        #expect((unnamed?.cause as? FederationError)?.code == .invalidIdentifier)
        #expect(
            unnamed?.description == "malformed in iss: it is no identifier of an entity "
                + "(invalidIdentifier: it is not an https URL without query and fragment)"
        )
    }

    @Test func wellFormed() async throws {
        let own = try await statement(["authority_hints": ["https://above.example"]])
        #expect(own.isConfiguration)
        #expect(own.unverifiedIssuer.text == "https://anchor.example")
        let about = try await statement(["constraints": ["max_path_length": 0, "other": 1]], isConfiguration: false)
        #expect(!about.isConfiguration)
        #expect(about.unverifiedSubject == federation.verifier.id)
        #expect(try EntityStatement(compact: Array(own.compactSerialization().utf8)).isConfiguration)
    }

    @Test(
        arguments: [
            ["iss": nil], ["iss": "http://anchor.example"], ["sub": 1], ["iat": nil], ["iat": "x"], ["exp": nil],
            ["jwks": nil],
            ["jwks": ["keys": [["kty": "oct", "k": "AAAA", "kid": "a"]]]], ["jwks": [:]], ["metadata": []],
            ["metadata": ["t": 1]], ["metadata": ["t": ["p": nil]]], ["authority_hints": []],
            ["authority_hints": ["x"]],
            ["authority_hints": "https://a.example"], ["trust_anchor_hints": [1]],
            ["trust_marks": [["trust_mark": "x"]]],
            ["trust_marks": [["trust_mark": "x", "trust_mark_type": "https://a.example/mark"]]],
            // A mark of another type.
            [
                "trust_marks": [
                    [
                        "trust_mark": "eyJhbGciOiJub25lIn0.eyJ0cnVzdF9tYXJrX3R5cGUiOiJodHRwczovL2EuZXhhbXBsZS9tIn0.AA",
                        "trust_mark_type": "https://a.example/other",
                    ]
                ]
            ],
            ["trust_mark_issuers": 5], ["trust_mark_issuers": ["https://a.example/mark": "https://a.example"]],
            ["trust_mark_issuers": ["https://a.example/mark": ["x"]]], ["trust_mark_owners": "x"],
            ["trust_mark_owners": ["https://a.example/mark": ["sub": "x", "jwks": ["keys": []]]]],
            ["trust_mark_owners": ["https://a.example/mark": ["sub": "https://a.example"]]],
            ["trust_marks": [:]], ["metadata_policy": [:]], ["metadata_policy_crit": ["x"]], ["constraints": [:]],
            ["source_endpoint": "https://a.example"], ["aud": "https://a.example"],
            ["trust_anchor": "https://a.example"],
            ["crit": []], ["crit": "x"],
        ] as [JSONObject]
    )
    func malformedConfigurations(_ changes: JSONObject) async throws {
        let error = await #expect(throws: FederationError.self) { _ = try await statement(changes) }
        #expect([.malformed, .unsupportedExtension].contains(error?.code))
        #expect(error?.path.isEmpty == false)
    }

    /// Well-formed marks of any issuer (section 3.2).
    @Test func trustMarks() async throws {
        let mark = "eyJhbGciOiJub25lIn0.eyJ0cnVzdF9tYXJrX3R5cGUiOiJodHRwczovL2EuZXhhbXBsZS9tIn0.AA"
        let own = try await statement([
            "trust_marks": [["trust_mark_type": "https://a.example/m", "trust_mark": .string(mark)]],
            "trust_mark_issuers": ["https://a.example/m": ["https://a.example"], "https://a.example/n": []],
            "trust_mark_owners": ["https://a.example/m": ["sub": "https://a.example", "jwks": ["keys": []]]],
        ])
        #expect(own.isConfiguration)
        let about = try await statement(["source_endpoint": "https://a.example/fetch"], isConfiguration: false)
        #expect(!about.isConfiguration)
    }

    /// No key of an entity's own statement would verify the signature.
    @Test func namesOfForeignKeys() async throws {
        let key = try PrivateKey.generate(.p256)
        let signer = try SoftwareSigner(key)
        let shop = try EntityIdentifier("https://shop.example")
        var builder = EntityStatementBuilder(
            issuer: shop,
            keys: JWKSet([try JWK(key.publicKey, keyID: "f1")]),
            validity: Date()...Date(timeIntervalSinceNow: 60)
        )
        _ = try await builder.sign(with: signer, keyID: "f1")
        let misnamed = await #expect(throws: FederationError.self) { try await builder.sign(with: signer, keyID: "f2") }
        #expect(misnamed?.code == .malformed && misnamed?.path == ["jwks"])
        let prepared = #expect(throws: FederationError.self) { try builder.prepare(algorithm: .es256, keyID: "f2") }
        #expect(prepared?.code == .malformed)
        let foreign = try SoftwareSigner(PrivateKey.generate(.p256))
        await #expect(throws: FederationError.self) { try await builder.sign(with: foreign, keyID: "f1") }
        // A superior signs with keys of its own.
        builder.subject = try EntityIdentifier("https://other.example")
        _ = try await builder.sign(with: foreign, keyID: "s1")
    }

    @Test(
        arguments: [
            ["authority_hints": ["https://a.example"]], ["trust_anchor_hints": ["https://a.example"]],
            ["trust_marks": []],
            ["source_endpoint": [:]], ["source_endpoint": "x"],
            ["trust_mark_issuers": [:]], ["trust_mark_owners": [:]], ["constraints": ["max_path_length": -1]],
            ["constraints": ["max_path_length": "1"]], ["constraints": ["naming_constraints": []]],
            ["constraints": ["naming_constraints": ["permitted": ["a..b"]]]],
            ["constraints": ["naming_constraints": ["excluded": ["https://a.example"]]]],
            ["constraints": ["allowed_entity_types": ["federation_entity"]]], ["constraints": []],
        ] as [JSONObject]
    )
    func malformedSubordinateStatements(_ changes: JSONObject) async throws {
        let error = await #expect(throws: FederationError.self) {
            _ = try await statement(changes, isConfiguration: false)
        }
        #expect(error?.code == .malformed)
    }

    @Test func extensionsThatMustBeUnderstood() async throws {
        for (name, isConfiguration) in [("crit", true), ("crit", false), ("metadata_policy_crit", false)] {
            let error = await #expect(throws: FederationError.self) {
                _ = try await statement([name: ["regexp"]], isConfiguration: isConfiguration)
            }
            #expect(error?.code == .unsupportedExtension)
        }
    }

    @Test func keyIdentifiers() async throws {
        let key = try JWK(federation.anchor.key.publicKey).members
        let named = try JWK(federation.anchor.key.publicKey, keyID: "a1").members
        for keys in [[key], [named, named]] {
            let error = await #expect(throws: FederationError.self) {
                _ = try await statement(["jwks": ["keys": .array(keys.map { .object($0) })]])
            }
            #expect(error?.code == .malformed)
        }
        for keyID in [nil, ""] as [String?] {
            await #expect(throws: FederationError.self) {
                _ = try await statement([:], header: JOSEHeader(type: "entity-statement+jwt", keyID: keyID))
            }
        }
    }

    @Test(arguments: ["trust_chain", "peer_trust_chain"])
    func chainsWithinStatements(_ name: String) async throws {
        var header = JOSEHeader(type: "entity-statement+jwt", keyID: "a1")
        header[name] = []
        let error = await #expect(throws: FederationError.self) { _ = try await statement([:], header: header) }
        #expect(error?.path == [name])
    }

    /// The type is a check of the chain, as the times are.
    @Test(arguments: ["JWT", "application/entity-statement+jwt", nil])
    func types(_ type: String?) async throws {
        var header: JOSEHeader = ["kid": "a1"]
        header["typ"] = type.map { .string($0) }
        let statement = try await statement([:], header: header)
        let verification = try TrustChain([statement]).verify(
            about: federation.anchor.id,
            policy: federation.policy,
            at: now
        )
        #expect(
            verification.refusal?.reason == (type?.hasSuffix("entity-statement+jwt") == true ? nil : .unexpectedType)
        )
    }

    @Test func signaturesMadeElsewhere() throws {
        let builder = EntityStatementBuilder(
            issuer: federation.anchor.id,
            keys: try federation.anchor.keys,
            validity: now...now.addingTimeInterval(60)
        )
        let unsigned = try builder.prepare(algorithm: .es256, keyID: "a1")
        let signature = try SoftwareSigner(federation.anchor.key).signature(for: unsigned.bytesToSign)
        let chain = try TrustChain([try unsigned.completed(with: signature)])
        #expect(chain.verify(about: federation.anchor.id, policy: try federation.policy, at: now).verified != nil)
        let error = #expect(throws: FederationError.self) { _ = try unsigned.completed(with: [1, 2]) }
        #expect(error?.code == .signingFailed)
        #expect(throws: FederationError.self) {
            _ = try builder.prepare(algorithm: JWSAlgorithm(rawValue: "none"), keyID: "a1")
        }
    }

    @Test(arguments: [
        ("https://a.example", "https://a.example/.well-known/openid-federation"),
        ("https://a.example/", "https://a.example/.well-known/openid-federation"),
        ("https://a.example:8443/b", "https://a.example:8443/b/.well-known/openid-federation"),
        ("https://a.example/b/", "https://a.example/b/.well-known/openid-federation"),
    ])
    func configurationAddresses(_ id: String, _ url: String) throws {
        #expect(try EntityIdentifier(id).configurationURL.description == url)
    }

    @Test(arguments: [
        "http://a.example", "https://a.example?x", "https://a.example#x", "a.example", "", "https://u@a.example",
    ])
    func malformedIdentifiers(_ text: String) {
        let error = #expect(throws: FederationError.self) { _ = try EntityIdentifier(text) }
        #expect(error?.code == .invalidIdentifier)
    }
}
