import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
import Testing

@Suite struct DIDJWKMethodTests {
    private let method = DIDJWKMethod()
    /// The example of The did:jwk Method, section "Examples", P-256.
    private static let example =
        "did:jwk:eyJjcnYiOiJQLTI1NiIsImt0eSI6IkVDIiwieCI6ImFjYklRaXVNczNpOF91c3pFakoydHBUdFJNNEVVM3l6OTFQSDZDZEgyVjAiLCJ5Ijoi"
        + "X0tjeUxqOXZXTXB0bm1LdG00NkdxRHo4d2Y3NEk1TEtncmwyR3pIM25TRSJ9"

    private func key(
        for url: String,
        _ relationship: VerificationRelationship = .assertionMethod
    ) async throws -> PublicKey {
        try await method.key(for: url, relationship).publicKey()
    }

    private func did(_ json: JSONValue) -> String {
        "did:jwk:" + Base64URL.encode(json.encoded())
    }

    @Test func theDIDIsTheKey() async throws {
        let jwk = try JWK(json: [
            "kty": "EC", "crv": "P-256", "x": "acbIQiuMs3i8_uszEjJ2tpTtRM4EU3yz91PH6CdH2V0",
            "y": "_KcyLj9vWMptnmKtm46GqDz8wf74I5LKgrl2GzH3nSE",
        ])
        #expect(try await self.key(for: Self.example) == jwk.publicKey())
        #expect(try await self.key(for: Self.example + "#0") == jwk.publicKey())
    }

    @Test(arguments: [EllipticCurve.p384, .secp256k1, .ed25519, .x25519].filter(\.isSupported))
    func keysOfOtherKinds(curve: EllipticCurve) async throws {
        let key = try PrivateKey.generate(curve).publicKey
        let relationship: VerificationRelationship = curve == .x25519 ? .keyAgreement : .assertionMethod
        #expect(try await self.key(for: did(.object(JWK(key).members)) + "#0", relationship) == key)
    }

    @Test func onlyTheFragmentZeroNamesTheKey() async throws {
        let key = try PrivateKey.generate(.ed25519).publicKey
        var members = try JWK(key).members
        members["kid"] = "name"
        for fragment in ["#1", "#", "#name"] {
            await expectRefusal(.verificationMethodNotFound) {
                try await self.key(for: did(.object(members)) + fragment)
            }
        }
    }

    @Test func keysForEncryptionVerifyNothing() async throws {
        var members = try JWK(PrivateKey.generate(.p256).publicKey).members
        members["use"] = "sig"
        await #expect(throws: Never.self) { try await self.key(for: did(.object(members))) }
        members["use"] = "enc"
        await expectRefusal(.verificationMethodNotFound) { try await self.key(for: did(.object(members))) }
        await #expect(throws: Never.self) { try await self.key(for: did(.object(members)), .keyAgreement) }
        members["use"] = "sig"
        await expectRefusal(.verificationMethodNotFound) {
            try await self.key(for: did(.object(members)), .keyAgreement)
        }
    }

    @Test func whatRestrictsTheKeyIsKept() async throws {
        var members = try JWK(PrivateKey.generate(.p256).publicKey).members
        members["alg"] = "ES256"
        members["key_ops"] = ["verify"]
        let key = try await method.key(for: did(.object(members)), .authentication)
        #expect(key.algorithm == "ES256")
        #expect(key.keyOperations == [.verify])
    }

    @Test func secretsAreRefused() async throws {
        let key = try PrivateKey.generate(.p256)
        let secret = did(.object(try JWK(key).membersWithSecrets()))
        let error = await #expect(throws: DIDError.self) { try await self.key(for: secret) }
        #expect(error?.code == .invalidKey)
        #expect((error?.cause as? JOSEError)?.code == .privateMembers)
        await expectRefusal(.invalidKey) { try await self.key(for: did(["kty": "oct", "k": "AAAA"])) }
    }

    @Test(
        arguments: [
            ("did:jwk:", .malformed), (example + "==", .malformed), ("jwk", .malformed),
            ("did:jwk:W10", .invalidKey), ("did:jwk:bm90IGpzb24", .invalidKey),
            ("did:key:" + example.dropFirst(8), .unsupportedMethod),
            (
                "did:jwk:eyJrdHkiOiJFQyIsImNydiI6IlAtMjU2IiwieCI6ImlnckZtaTB3aHVpaEtuajlSM09tMVNvTXBoNzJ3VUdlRmFCYnpHMnZ6bnMifQ",
                .invalidKey
            ),
        ] as [(String, DIDError.Code)]
    )
    func malformedKeys(did: String, code: DIDError.Code) async {
        await expectRefusal(code) { try await self.key(for: did) }
    }

    @Test func aKeyBecomesADID() async throws {
        let key = try PrivateKey.generate(.ed25519)
        let did = try DID.jwk(key.publicKey)
        #expect(try await self.key(for: did.text + "#0") == key.publicKey)
        let restricted = try JWK(json: .object(JSONObject([("use", "enc")] + (try JWK(key.publicKey).members))))
        #expect(try await method.key(for: DID.jwk(restricted).text, .keyAgreement).use == .encryption)
        await expectRefusal(.invalidKey) { try DID.jwk(JWK(key)) }
    }
}
