import CryptoCore
import JOSEKit
import JSONKit
import SDJWTKit
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
    ) throws -> PublicKey {
        try method.key(for: url, relationship: relationship).publicKey()
    }

    private func did(_ json: JSONValue) -> String {
        "did:jwk:" + Base64URL.encode(json.encoded())
    }

    @Test func theDIDIsTheKey() throws {
        let jwk = try JWK(json: [
            "kty": "EC", "crv": "P-256", "x": "acbIQiuMs3i8_uszEjJ2tpTtRM4EU3yz91PH6CdH2V0",
            "y": "_KcyLj9vWMptnmKtm46GqDz8wf74I5LKgrl2GzH3nSE",
        ])
        #expect(try self.key(for: Self.example) == jwk.publicKey())
        #expect(try self.key(for: Self.example + "#0") == jwk.publicKey())
    }

    @Test(arguments: [EllipticCurve.p384, .secp256k1, .ed25519, .x25519].filter(\.isSupported))
    func keysOfOtherKinds(curve: EllipticCurve) throws {
        let key = try PrivateKey.generate(curve).publicKey
        let relationship: VerificationRelationship = curve == .x25519 ? .keyAgreement : .assertionMethod
        #expect(try self.key(for: did(.object(JWK(key).members)) + "#0", relationship) == key)
    }

    @Test func onlyTheFragmentZeroNamesTheKey() throws {
        let key = try PrivateKey.generate(.ed25519).publicKey
        var members = try JWK(key).members
        members["kid"] = "name"
        for fragment in ["#1", "#", "#name", "#0#0"] {
            expectRefusal(.verificationMethodNotFound) { try self.key(for: did(.object(members)) + fragment) }
        }
    }

    @Test func keysForEncryptionVerifyNothing() throws {
        var members = try JWK(PrivateKey.generate(.p256).publicKey).members
        members["use"] = "sig"
        #expect(throws: Never.self) { try self.key(for: did(.object(members))) }
        members["use"] = "enc"
        expectRefusal(.verificationMethodNotFound) { try self.key(for: did(.object(members))) }
        #expect(throws: Never.self) { try self.key(for: did(.object(members)), .keyAgreement) }
        members["use"] = "sig"
        expectRefusal(.verificationMethodNotFound) { try self.key(for: did(.object(members)), .keyAgreement) }
    }

    @Test func whatRestrictsTheKeyIsKept() throws {
        var members = try JWK(PrivateKey.generate(.p256).publicKey).members
        members["alg"] = "ES256"
        members["key_ops"] = ["verify"]
        let key = try method.key(for: did(.object(members)), relationship: .authentication)
        #expect(key.algorithm == "ES256")
        #expect(key.keyOperations == [.verify])
    }

    @Test func secretsAreRefused() throws {
        let key = try PrivateKey.generate(.p256)
        let secret = did(.object(try JWK(key).membersWithSecrets()))
        let error = #expect(throws: SDJWTError.self) { try self.key(for: secret) }
        #expect(error?.code == .invalidDID)
        #expect((error?.cause as? JOSEError)?.code == .privateMembers)
        expectRefusal(.invalidDID) { try self.key(for: did(["kty": "oct", "k": "AAAA"])) }
    }

    @Test(arguments: [
        "did:jwk:", "did:jwk:W10", "did:jwk:bm90IGpzb24", example + "==", "did:key:" + example.dropFirst(8), "jwk",
        "did:jwk:eyJrdHkiOiJFQyIsImNydiI6IlAtMjU2IiwieCI6ImlnckZtaTB3aHVpaEtuajlSM09tMVNvTXBoNzJ3VUdlRmFCYnpHMnZ6bnMifQ",
    ])
    func whatIsNoKey(did: String) {
        expectRefusal(.invalidDID) { try self.key(for: did) }
    }
}
