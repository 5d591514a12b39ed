import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import TestSupport
import Testing

/// Public keys in all forms that could be mistaken for the secret of a MAC.
@Suite struct PublicKeyAsSecretTests {
    private static let curves = [
        EllipticCurve.p256, .p384, .p521, .secp256k1, .brainpoolP256r1, .brainpoolP320r1, .brainpoolP384r1,
        .brainpoolP512r1,
    ].filter(\.isSupported)

    private func expectRecognized(_ secret: [UInt8], _ form: String) {
        expectRefusal(.publicKeyAsSecret, at: "k") { try JWK(symmetric: SecretBytes(secret)) }
        let header: JOSEHeader = ["alg": "HS256"]
        expectRefusal(.publicKeyAsSecret) {
            try JWS.authenticate([], header: header, hmacKey: SecretBytes(secret))
        }
    }

    /// The bytes, with their text forms and wrappings.
    private func forms(_ bytes: [UInt8]) -> [(name: String, bytes: [UInt8])] {
        let base64 = Data(bytes).base64EncodedString()
        let lines = Data(bytes).base64EncodedString(options: [.lineLength64Characters, .endLineWithCarriageReturn])
        let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        let texts = [
            ("base64", base64), ("base64 in lines", lines), ("base64 without padding", base64.filter { $0 != "=" }),
            ("base64url", Base64URL.encode(bytes)), ("base16", hex.joined()),
            ("base16 with colons", hex.joined(separator: ":")),
            ("BASE16", hex.joined().uppercased()), ("base64 of base64", Data(base64.utf8).base64EncodedString()),
        ]
        return [("bytes", bytes), ("bytes with a line feed", bytes + [0x0a])]
            + texts.flatMap { name, text in
                [
                    (name, Array(text.utf8)), ("\(name) in blanks", Array("\r\n \(text)\t\n".utf8)),
                    ("\(name) after a byte order mark", [0xef, 0xbb, 0xbf] + text.utf8),
                    ("\(name) in UTF-16", [0xff, 0xfe] + text.utf8.flatMap { [$0, 0] }),
                ]
            }
    }

    @Test(arguments: curves)
    func points(curve: EllipticCurve) throws {
        let key = try PrivateKey.generate(curve).publicKey
        let (x, y) = (try #require(key.x), try #require(key.y))
        let point = try #require(key.x963Representation)
        for (name, bytes) in [
            ("uncompressed", point), ("compressed", try #require(key.compressedRepresentation)), ("coordinates", x + y),
            ("hybrid", [0x06 | (y.last ?? 0) & 1] + x + y), ("SubjectPublicKeyInfo", key.subjectPublicKeyInfo),
        ] {
            for form in forms(bytes) { expectRecognized(form.bytes, "\(curve), \(name), \(form.name)") }
        }
    }

    @Test func rsaKeys() throws {
        let key = try TestKeys.rsa.get().publicKey
        let modulus = try #require(key.rsaModulus)
        for bytes in [modulus, [0] + modulus, try #require(key.pkcs1), key.subjectPublicKeyInfo] {
            for form in forms(bytes) { expectRecognized(form.bytes, form.name) }
        }
        let pkcs1 = PEM(label: "RSA PUBLIC KEY", bytes: try #require(key.pkcs1)).text
        for form in forms(Array(pkcs1.utf8)) { expectRecognized(form.bytes, form.name) }
    }

    @Test func certificatesAndTexts() async throws {
        let certificate = try await TestAuthority().root.certificate
        for form in forms(certificate.derBytes) { expectRecognized(form.bytes, form.name) }
        let key = try TestKeys.p256.get().publicKey
        let jwk = String(decoding: try JWK(key).encoded(), as: UTF8.self)
        let set = String(decoding: JWKSet([try JWK(key)]).encoded(), as: UTF8.self)
        let wire = [0, 0, 0, 19] + Array("ecdsa-sha2-nistp256".utf8) + [UInt8](repeating: 7, count: 80)
        for text in [jwk, set, key.pem, "Bag Attributes\n" + key.pem, certificate.pem, "ssh-ed25519 " + jwk] {
            for form in forms(Array(text.utf8)) { expectRecognized(form.bytes, form.name) }
        }
        for form in forms(wire) { expectRecognized(form.bytes, form.name) }
    }

    /// A verifying MAC key that is a public key refuses every message.
    @Test func verifyingKeysAreLookedAtToo() throws {
        let point = try #require(TestKeys.p256.get().publicKey.x963Representation)
        let key = JWSKey.symmetric(SecretBytes(point))
        var code = HMAC(key: SecretBytes(point), hash: .sha256)
        let input = compact(#"{"alg":"HS256"}"#, "{}")
        code.update(Array(input.utf8))
        let message = try JWS(compact: input + "." + Base64URL.encode(code.finalize()))
        expectRefusal(.publicKeyAsSecret) { try message.verify(with: key, policy: [.hs256], at: .distantPast) }
    }

    /// Keys of the usual lengths, and texts, that are not public keys.
    @Test func secretsAreTaken() throws {
        // Repeatable: one random key of 66 bytes in ten thousand is a compressed point followed by a blank.
        var generator = RepeatableRandomNumberGenerator(seed: 1)
        for count in [32, 48, 64, 66, 96, 128] {
            for _ in 0..<200 {
                let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                for form in [bytes, Array(Base64URL.encode(bytes).utf8)] {
                    #expect(throws: Never.self) { try JWK(symmetric: SecretBytes(form)) }
                }
            }
        }
        for text in [
            "correct horse battery staple, and more of it", #"{"password": "correct horse battery staple"}"#,
            String(repeating: "0123456789abcdef", count: 4), String(repeating: " ", count: 40),
        ] {
            #expect(throws: Never.self) { try JWK(symmetric: SecretBytes(Array(text.utf8))) }
        }
    }
}
