import CryptoCore
import JOSEKit
import JSONKit
import TestSupport
import Testing

/// Known mistakes of the field's libraries that must not occur here: signatures.
@Suite struct SignatureRefusalTests {
    private let payload = Array("payload".utf8)
    private var everything: JWSVerificationPolicy { .everything }

    private func key() throws -> PublicKey { try TestKeys.p256.get().publicKey }

    // MARK: Algorithms

    @Test(arguments: ["none", "None", "NONE", "nOnE", "noNe"])
    func noneIsRefusedInAnyLetterCase(name: String) throws {
        let header = #"{"alg":"\#(name)"}"#
        var policy = everything
        policy.algorithms.insert(JWSAlgorithm(rawValue: name))
        for signature in ["", Base64URL.encode([UInt8](repeating: 1, count: 64))] {
            let message = try JWS(compact: compact(header, "{}") + "." + signature)
            expectRefusal(.unsupportedAlgorithm, at: "alg") { try message.verify(with: key(), policy: policy) }
            expectRefusal(.unsupportedAlgorithm, at: "alg") {
                try message.verify(hmacKey: TestKeys.symmetric(64), policy: policy)
            }
        }
        expectRefusal(.unsupportedAlgorithm) {
            try JWS.Unsigned(payload: payload, header: ["alg": .string(name)])
        }
    }

    @Test(arguments: ["es256", "ES256 ", "ES257", "ES256\u{212a}", "", "RSA-OAEP", "A128KW"])
    func namesAreComparedAsBytes(name: String) throws {
        // U+212A is canonically equivalent to K: a comparison of strings takes it for the end of ES256K.
        let header = JSONValue.object(["alg": .string(name)]).text()
        let message = try JWS(compact: compact(header, "{}", "signature"))
        expectRefusal(.unsupportedAlgorithm) { try message.verify(with: key(), policy: everything) }
    }

    @Test func algorithmOffTheListIsRefused() async throws {
        let signer = try TestKeys.es256()
        let message = try await JWS.sign(payload, with: signer)
        expectRefusal(.algorithmNotAllowed, at: "alg") {
            try message.verify(with: signer.publicKey, policy: [.es384, .edDSA])
        }
        expectRefusal(.algorithmNotAllowed) { try message.verify(with: signer.publicKey, policy: []) }
    }

    @Test func missingOrMistypedAlgorithmIsRefused() throws {
        let without = try JWS(compact: compact(#"{"typ":"JWT"}"#, "{}", "signature"))
        expectRefusal(.missingAlgorithm) { try without.verify(with: key(), policy: everything) }
        let number = try JWS(compact: compact(#"{"alg":256}"#, "{}", "signature"))
        expectRefusal(.invalidHeader, at: "alg") { try number.verify(with: key(), policy: everything) }
    }

    @Test func unprotectedAlgorithmIsATolerance() async throws {
        let signer = try TestKeys.es256()
        let message = try await JWS.sign(payload, unprotectedHeader: ["alg": "ES256"], with: signer)
        expectRefusal(.algorithmNotProtected) { try message.verify(with: signer.publicKey, policy: [.es256]) }
        #expect(try message.verify(with: signer.publicKey, policy: everything).payload == payload)
    }

    @Test(arguments: JWSAlgorithm.all)
    func keysOfAnotherKindAreRefused(algorithm: JWSAlgorithm) throws {
        let message = try JWS(compact: compact(#"{"alg":"\#(algorithm)"}"#, "{}", "signature"))
        let other = try PrivateKey.generate(.x25519).publicKey
        expectRefusal(.keyMismatch) { try message.verify(with: other, policy: everything) }
        guard !JWSAlgorithm.macs.contains(algorithm) else { return }
        expectRefusal(.keyMismatch) { try message.verify(hmacKey: TestKeys.symmetric(64), policy: everything) }
    }

    @Test func curveMustBeTheAlgorithms() async throws {
        for (name, curve) in [
            ("ES256", EllipticCurve.p384), ("ES384", .p256), ("ES256", .secp256k1), ("Ed448", .ed25519),
        ] where curve.isSupported {
            let message = try JWS(compact: compact(#"{"alg":"\#(name)"}"#, "{}", "signature"))
            expectRefusal(.keyMismatch) {
                try message.verify(with: PrivateKey.generate(curve).publicKey, policy: everything)
            }
        }
    }

    // MARK: HMAC with public bytes

    @Test func publicKeysDoNotAuthenticate() async throws {
        let key = try TestKeys.rsa.get().publicKey
        let authority = try await TestAuthority()
        let encodings: [[UInt8]] = [
            Array(key.pem.utf8), key.subjectPublicKeyInfo, try #require(key.pkcs1), Array("\n\(key.pem)".utf8),
            Array(try JWK(key).encoded()), authority.root.certificate.derBytes,
            Array(authority.root.certificate.pem.utf8), Array("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ".utf8),
        ]
        for encoding in encodings {
            let secret = SecretBytes(encoding)
            expectRefusal(.publicKeyAsSecret) {
                try JWS.authenticate(payload, header: ["alg": "HS256"], hmacKey: secret)
            }
            expectRefusal(.publicKeyAsSecret) { try JWK(symmetric: secret) }
            expectRefusal(.publicKeyAsSecret, at: "k") {
                try JWK(json: ["kty": "oct", "k": .string(Base64URL.encode(encoding))])
            }
            // The forger's MAC is right.
            var code = HMAC(key: secret, hash: .sha256)
            let input = compact(#"{"alg":"HS256"}"#, "{}")
            code.update(Array(input.utf8))
            let message = try JWS(compact: input + "." + Base64URL.encode(code.finalize()))
            expectRefusal(.publicKeyAsSecret) { try message.verify(hmacKey: secret, policy: everything) }
            expectRefusal(.keyMismatch) { try message.verify(with: key, policy: everything) }
        }
    }

    @Test(arguments: [(JWSAlgorithm.hs256, 32), (.hs384, 48), (.hs512, 64)])
    func shortMACKeysAreRefused(algorithm: JWSAlgorithm, size: Int) throws {
        let header: JOSEHeader = ["alg": .string(algorithm.rawValue)]
        expectRefusal(.keyMismatch) {
            try JWS.authenticate(payload, header: header, hmacKey: TestKeys.symmetric(size - 1))
        }
        _ = try JWS.authenticate(payload, header: header, hmacKey: TestKeys.symmetric(size))
    }

    // MARK: Signatures

    @Test func impossibleECDSASignaturesAreRefused() async throws {
        let signer = try TestKeys.es256()
        let message = try await JWS.sign(payload, with: signer)
        let raw = try #require(message.signatures.first?.signature)
        let der = try ECDSASignature(rawRepresentation: raw, curve: .p256).derRepresentation
        let order: [UInt8] = try #require(
            [UInt8](hex: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        )
        let zero = [UInt8](repeating: 0, count: 32)
        let parts = try message.compactSerialization().split(separator: ".")
        for signature in [
            zero + zero, zero + raw[32...], raw[..<32] + zero, order + order, der, Array(raw.dropLast()), raw + [0], [],
        ] {
            let text = "\(parts[0]).\(parts[1])." + Base64URL.encode(signature)
            expectRefusal(.invalidSignature) { try JWS(compact: text).verify(with: signer.publicKey, policy: [.es256]) }
        }
        let unsigned = try JWS.Unsigned(payload: payload, header: ["alg": "ES256"])
        expectRefusal(.invalidSignature) { try unsigned.completed(with: der) }
    }

    @Test func signersAlgorithmMustBeTheHeaders() async throws {
        await expectRefusal(.keyMismatch) {
            try await JWS.sign(payload, header: ["alg": "ES384"], with: TestKeys.es256())
        }
        await expectRefusal(.keyMismatch) {
            try await JWS.sign(payload, header: ["alg": "HS256"], with: TestKeys.es256())
        }
        expectRefusal(.keyMismatch) {
            try JWS.authenticate(payload, header: ["alg": "ES256"], hmacKey: TestKeys.symmetric(32))
        }
    }

    // MARK: Keys from the header

    @Test func keyInTheHeaderIsNotTrusted() async throws {
        let forger = try SoftwareSigner(PrivateKey.generate(.p256))
        let own = JSONValue.object(try JWK(forger.publicKey).members)
        for header: JOSEHeader in [
            ["jwk": own], ["jku": "https://forger.example/keys"], ["x5u": "https://forger.example/c"],
        ] {
            let message = try await JWS.sign(payload, header: header, with: forger)
            expectRefusal(.invalidSignature) { try message.verify(with: key(), policy: everything) }
            expectRefusal(.invalidSignature) { try message.verify(with: JWK(key()), policy: everything) }
            expectRefusal(.invalidSignature) { try message.verify(with: JWKSet([JWK(key())]), policy: everything) }
        }
    }

    @Test func privateKeyInTheHeaderIsRefused() throws {
        let members = try JWK(TestKeys.p256.get()).membersWithSecrets()
        let header: JOSEHeader = ["alg": "ES256", "jwk": .object(members)]
        expectRefusal(.privateMembers) { try header.jwk() }
    }

    @Test func chainInTheHeaderIsTrustedOnceItIsValid() async throws {
        let authority = try await TestAuthority()
        let stranger = try await TestAuthority()
        let message = try await JWS.sign(payload, header: authority.header(), with: authority.signer)
        let valid = JWSKey.certificateChain(validatedBy: authority.validator)
        let verified = try message.verify(with: valid, policy: [.es256], at: authority.now)
        #expect(verified.certificateChain?.leaf == authority.leaf)

        expectRefusal(.untrustedCertificates, at: "x5c") {
            try message.verify(
                with: .certificateChain(validatedBy: stranger.validator),
                policy: [.es256],
                at: stranger.now
            )
        }
        expectRefusal(.untrustedCertificates, at: "x5c") {
            try message.verify(with: valid, policy: [.es256], at: authority.late)
        }
        let forged = try await JWS.sign(payload, header: authority.header(), with: stranger.signer)
        expectRefusal(.invalidSignature) { try forged.verify(with: valid, policy: [.es256], at: authority.now) }
        let without = try await JWS.sign(payload, with: authority.signer)
        expectRefusal(.missingCertificates, at: "x5c") {
            try without.verify(with: valid, policy: [.es256], at: authority.now)
        }
        var header = authority.header()
        header["x5t#S256"] = .string(Base64URL.encode([UInt8](repeating: 1, count: 32)))
        let other = try await JWS.sign(payload, header: header, with: authority.signer)
        expectRefusal(.certificateMismatch, at: "x5t#S256") {
            try other.verify(with: valid, policy: [.es256], at: authority.now)
        }
    }
}
