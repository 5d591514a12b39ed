import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
import TestSupport
import Testing

@Suite struct MultikeyTests {
    /// Figures of Controlled Identifiers 1.0, section 2.2.2, and The did:key Method.
    @Test(arguments: [
        "z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp", "zDnaerx9CtbPJ1q36T5Ln5wYt3MQYeGRG5ehnPAmxcf5mDZpv",
        "z82Lm1MpAkeJcix9K8TMiLd5NMAhnwkjjCBeWHXyu3U4oT2MVJJKXkcVBgjGhnLBn2Kaau9",
    ])
    func publishedKeys(text: String) throws {
        let key = try Multikey(text)
        #expect(key.text == text)
        #expect(try Multikey(key.publicKey).text == text)
    }

    @Test(arguments: [EllipticCurve.p256, .p384, .p521, .secp256k1, .ed25519, .x25519].filter(\.isSupported))
    func everyKeyIsReadAsWritten(curve: EllipticCurve) throws {
        let key = try PrivateKey.generate(curve).publicKey
        #expect(try Multikey(Multikey(key).text).publicKey == key)
    }

    @Test func rsaKeysAreReadAsWritten() throws {
        let key = try PrivateKey.generateRSA(bits: 2048).publicKey
        #expect(try Multikey(Multikey(key).text).publicKey == key)
    }

    @Test func keysInBase64url() async throws {
        let key = try PrivateKey.generate(.ed25519).publicKey
        let bytes = [0xed, 0x01] + (try #require(key.rawRepresentation))
        let text = "u" + Base64URL.encode(bytes)
        #expect(try Multikey(text).publicKey == key)
        #expect(try Multikey(text).text == text)
        for text in ["u", "u=", "u" + String(repeating: "A", count: 1024), "u\u{301}" + text.dropFirst()] {
            await expectRefusal(.invalidKey) { try Multikey(text) }
        }
    }

    /// The multicodec jwk_jcs-pub.
    @Test func canonicalJWKs() async throws {
        let key = try PrivateKey.generate(.p256).publicKey
        let members = try JWK(key).members
        func text(_ json: [UInt8]) -> String { "z" + base58([0xd1, 0xd6, 0x03] + json) }
        #expect(try Multikey(text(JSONValue.object(members).canonicalized())).publicKey == key)
        var spaced = try JSONValue.object(members).canonicalized()
        spaced.insert(0x20, at: 1)
        await expectRefusal(.invalidKey) { try Multikey(text(spaced)) }
        await expectRefusal(.invalidKey) { try Multikey(text(Array("{}".utf8))) }
    }

    @Test func curvesWithoutAPrefix() async throws {
        for curve in [EllipticCurve.brainpoolP256r1, .ed448].filter(\.isSupported) {
            let key = try PrivateKey.generate(curve).publicKey
            await expectRefusal(.unsupportedKey) { try Multikey(key) }
        }
    }
}
