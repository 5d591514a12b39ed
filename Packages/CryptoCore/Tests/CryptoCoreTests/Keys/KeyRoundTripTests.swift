import CredentialTesting
@_spi(Layers) import CryptoCore
import TestSupport
import Testing

@Suite struct KeyRoundTripTests {
    static let curves = EllipticCurve.all.filter(\.isSupported)
    static let signing = curves.filter { $0.family != .montgomery }
    static let agreeing = curves.filter { $0.family != .edwards }
    static let weierstrass = curves.filter { $0.family == .weierstrass }
    static let message = Array("a message to be signed".utf8)

    @Test(arguments: signing)
    func signedMessagesVerifyAndChangedOnesDoNot(curve: EllipticCurve) throws {
        let key = try PrivateKey.generate(curve)
        let algorithm = try #require(curve.naturalSignatureAlgorithm)
        let signature = try key.signature(for: Self.message, algorithm: algorithm)
        #expect(signature.count == 2 * curve.coordinateSize)
        #expect(key.publicKey.isValidSignature(signature, for: Self.message, algorithm: algorithm))
        #expect(!key.publicKey.isValidSignature(signature, for: Self.message + [0], algorithm: algorithm))
        #expect(!key.publicKey.isValidSignature(signature + [0], for: Self.message, algorithm: algorithm))
        #expect(!key.publicKey.isValidSignature(signature.dropLast(), for: Self.message, algorithm: algorithm))
        let other = try PrivateKey.generate(curve).publicKey
        #expect(!other.isValidSignature(signature, for: Self.message, algorithm: algorithm))
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 0x10
            #expect(!key.publicKey.isValidSignature(changed, for: Self.message, algorithm: algorithm))
        }
    }

    @Test(arguments: signing)
    func messagesInTwoPiecesVerify(curve: EllipticCurve) throws {
        let key = try PrivateKey.generate(curve)
        let algorithm = try #require(curve.naturalSignatureAlgorithm)
        let signature = try key.signature(for: Self.message, algorithm: algorithm)
        func isValid(_ head: ArraySlice<UInt8>, _ rest: ArraySlice<UInt8>) -> Bool {
            key.publicKey.isValidSignature(signature, for: head, followedBy: rest, algorithm: algorithm)
        }
        for count in [0, 1, 10, Self.message.count] {
            #expect(isValid(Self.message.prefix(count), Self.message.dropFirst(count)))
        }
        #expect(!isValid(Self.message.dropFirst(10), Self.message.prefix(10)))
        #expect(!isValid(Self.message[...], [0]))
        #expect(!isValid(Self.message.prefix(10), []))
    }

    @Test(arguments: weierstrass)
    func digestsAndDERGiveTheSameAnswers(curve: EllipticCurve) throws {
        let key = try PrivateKey.generate(curve)
        for algorithm in [SignatureAlgorithm.ecdsaSHA256, .ecdsaSHA384, .ecdsaSHA512] {
            let digest = try #require(algorithm.hash).digest(of: Self.message)
            let der = try key.signature(digest: digest, algorithm: algorithm, format: .der)
            #expect(key.publicKey.isValidSignature(der, for: Self.message, algorithm: algorithm, format: .der))
            let signature = try ECDSASignature(derRepresentation: der, curve: curve)
            #expect(signature.derRepresentation == der)
            let raw = signature.rawRepresentation
            #expect(key.publicKey.isValidSignature(raw, digest: digest, algorithm: algorithm))
            #expect(!key.publicKey.isValidSignature(raw, digest: digest.dropLast(), algorithm: algorithm))
            #expect(!key.publicKey.isValidSignature(der, digest: digest, algorithm: algorithm, format: .raw))
            #expect(!key.publicKey.isValidSignature(raw, digest: digest, algorithm: algorithm, format: .der))
        }
    }

    @Test(arguments: agreeing)
    func bothSidesAgree(curve: EllipticCurve) async throws {
        let mine = try PrivateKey.generate(curve)
        let theirs = try PrivateKey.generate(curve)
        let secret = try mine.sharedSecret(with: theirs.publicKey)
        #expect(try theirs.sharedSecret(with: mine.publicKey) == secret)
        #expect(secret.count == curve.coordinateSize)
        let agreement: any KeyAgreement = mine
        #expect(try await agreement.sharedSecret(with: theirs.publicKey) == secret)
        #expect(agreement.publicKey == mine.publicKey)
    }

    @Test(arguments: signing)
    func softwareSignersUseTheNaturalAlgorithm(curve: EllipticCurve) async throws {
        let signer: any Signer = try SoftwareSigner(PrivateKey.generate(curve))
        #expect(signer.algorithm == curve.naturalSignatureAlgorithm)
        let signature = try await signer.signature(for: Self.message)
        #expect(signer.publicKey.isValidSignature(signature, for: Self.message, algorithm: signer.algorithm))
    }

    @Test(arguments: curves)
    func theSameRandomnessGivesTheSameKey(curve: EllipticCurve) throws {
        let first = try PrivateKey.generate(
            curve,
            using: GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 7))
        )
        let second = try PrivateKey.generate(
            curve,
            using: GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 7))
        )
        #expect(first.rawRepresentation == second.rawRepresentation)
        #expect(first.publicKey == second.publicKey)
        #expect(try first.publicKey != PrivateKey.generate(curve).publicKey)
    }

    @Test(arguments: weierstrass)
    func pointsRoundTripInAllForms(curve: EllipticCurve) throws {
        let key = try PrivateKey.generate(curve).publicKey
        let x = try #require(key.x)
        let y = try #require(key.y)
        #expect(try PublicKey(curve: curve, x: x, y: y) == key)
        #expect(try PublicKey(curve: curve, x: x[...], yIsOdd: y.last.map { $0 & 1 == 1 } ?? false) == key)
        #expect(try PublicKey(curve: curve, x963Representation: #require(key.x963Representation)) == key)
        #expect(try PublicKey(curve: curve, x963Representation: #require(key.compressedRepresentation)) == key)
    }

    @Test(arguments: curves)
    func publicKeysRoundTripInSPKIAndPEM(curve: EllipticCurve) throws {
        let key = try PrivateKey.generate(curve).publicKey
        #expect(try PublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo) == key)
        #expect(try PublicKey(pem: key.pem) == key)
        #expect(key.description == "PublicKey(\(curve.name))")
    }
}
