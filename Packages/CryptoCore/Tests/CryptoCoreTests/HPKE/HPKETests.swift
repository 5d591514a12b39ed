import CryptoCore
import TestSupport
import Testing

@Suite struct HPKETests {
    @Test(arguments: HPKEExample.all)
    func keyPairsFollowFromTheirSecret(_ example: HPKEExample) throws {
        let kem = example.suite.kem
        let recipient = try kem.deriveKeyPair(from: try bytes(example.recipientKeyMaterial))
        #expect(recipient.rawRepresentation == SecretBytes(try bytes(example.recipientKey)))
        let ephemeral = try kem.deriveKeyPair(from: try bytes(example.ephemeralKeyMaterial))
        #expect(ephemeral.rawRepresentation == SecretBytes(try bytes(example.ephemeralKey)))
        expect(.invalidLength) {
            _ = try kem.deriveKeyPair(from: [UInt8](repeating: 0, count: kem.curve.coordinateSize - 1))
        }
    }

    @Test(arguments: HPKEExample.all)
    func senderMakesThePrintedFigures(_ example: HPKEExample) throws {
        let recipient = try PrivateKey(curve: example.suite.kem.curve, rawRepresentation: bytes(example.recipientKey))
        var sender = try HPKE.Sender(
            suite: example.suite,
            recipientKey: recipient.publicKey,
            info: HPKEExample.info,
            using: ConstantSource(value: bytes(example.ephemeralKey))
        )
        #expect(sender.encapsulatedKey.hex == example.encapsulatedKey.filter { !$0.isWhitespace })
        #expect(sender.encapsulatedKey.count == example.suite.kem.encapsulatedKeySize)
        if let last = example.ciphertexts.keys.max() {
            for number in 0...last {
                let additionalData = HPKEExample.additionalData(number)
                let sealed = try sender.seal(HPKEExample.plaintext, additionalData: additionalData)
                guard let printed = example.ciphertexts[number] else { continue }
                #expect(sealed == (try bytes(printed)), "sequence number \(number)")
            }
        }
        for (context, value) in example.exports {
            let secret = try sender.exportSecret(context: try bytes(context), length: 32)
            #expect(secret == SecretBytes(try bytes(value)))
        }
    }

    @Test(arguments: HPKEExample.all)
    func recipientOpensThePrintedFigures(_ example: HPKEExample) async throws {
        let key = try PrivateKey(curve: example.suite.kem.curve, rawRepresentation: bytes(example.recipientKey))
        let encapsulatedKey = try bytes(example.encapsulatedKey)
        var recipient = try HPKE.Recipient(
            suite: example.suite,
            encapsulatedKey: encapsulatedKey,
            privateKey: key,
            info: HPKEExample.info
        )
        var remote = try await HPKE.Recipient(
            suite: example.suite,
            encapsulatedKey: encapsulatedKey,
            keyAgreement: RemoteKey(key: key),
            info: HPKEExample.info
        )
        for number in [0, 1] {
            guard let printed = example.ciphertexts[number] else { continue }
            let ciphertext = try bytes(printed)
            let additionalData = HPKEExample.additionalData(number)
            let opened = try recipient.open(ciphertext, additionalData: additionalData)
            #expect(opened == HPKEExample.plaintext)
            let openedRemotely = try remote.open(ciphertext, additionalData: additionalData)
            #expect(openedRemotely == opened)
        }
        for (context, value) in example.exports {
            let expected = SecretBytes(try bytes(value))
            let context = try bytes(context)
            let secret = try recipient.exportSecret(context: context, length: 32)
            let remoteSecret = try remote.exportSecret(context: context, length: 32)
            #expect(secret == expected)
            #expect(remoteSecret == expected)
        }
    }

    static let suites: [HPKE.CipherSuite] = [
        HPKE.KEM.p256HKDFSHA256, .p384HKDFSHA384, .p521HKDFSHA512, .x25519HKDFSHA256,
    ].flatMap { kem in
        [HPKE.AEAD.aes128GCM, .aes256GCM, .chaCha20Poly1305].map { aead in
            HPKE.CipherSuite(kem: kem, kdf: .hkdfSHA256, aead: aead)
        }
    }

    @Test(arguments: suites)
    func singleMessages(_ suite: HPKE.CipherSuite) async throws {
        let key = try PrivateKey.generate(suite.kem.curve)
        let message = try HPKE.seal([1, 2, 3], to: key.publicKey, suite: suite, info: [4], additionalData: [5])
        #expect(try HPKE.open(message, privateKey: key, suite: suite, info: [4], additionalData: [5]) == [1, 2, 3])
        let remote = RemoteKey(key: key)
        let opened = try await HPKE.open(message, keyAgreement: remote, suite: suite, info: [4], additionalData: [5])
        #expect(opened == [1, 2, 3])
        expect(.authenticationFailure) {
            _ = try HPKE.open(message, privateKey: key, suite: suite, info: [9], additionalData: [5])
        }
        expect(.authenticationFailure) {
            _ = try HPKE.open(message, privateKey: key, suite: suite, info: [4], additionalData: [9])
        }
        let other = try PrivateKey.generate(suite.kem.curve)
        expect(.authenticationFailure) {
            _ = try HPKE.open(message, privateKey: other, suite: suite, info: [4], additionalData: [5])
        }
        let otherFunction = HPKE.CipherSuite(kem: suite.kem, kdf: .hkdfSHA512, aead: suite.aead)
        expect(.authenticationFailure) {
            _ = try HPKE.open(message, privateKey: key, suite: otherFunction, info: [4], additionalData: [5])
        }
    }

    #if OpenSSL
    @Test func x448() throws {
        let suite = HPKE.CipherSuite(kem: .x448HKDFSHA512, kdf: .hkdfSHA512, aead: .aes256GCM)
        let key = try suite.kem.deriveKeyPair(from: [UInt8](repeating: 7, count: 56))
        let message = try HPKE.seal([1, 2, 3], to: key.publicKey, suite: suite)
        #expect(try HPKE.open(message, privateKey: key, suite: suite) == [1, 2, 3])
    }
    #endif

    @Test func messagesOpenInTheirOrderOnly() throws {
        let suite = HPKE.CipherSuite.p256SHA256AES128GCM
        let key = try PrivateKey.generate(.p256)
        var sender = try HPKE.Sender(suite: suite, recipientKey: key.publicKey)
        var recipient = try HPKE.Recipient(suite: suite, encapsulatedKey: sender.encapsulatedKey, privateKey: key)
        let sealed = try (0..<3).map { _ in try sender.seal([1]) }
        #expect(Set(sealed).count == 3)
        #expect(failure { _ = try recipient.open(sealed[1]) } == .authenticationFailure)
        #expect(failure { _ = try recipient.open([UInt8](repeating: 0, count: 15)) } == .invalidLength)
        #expect(try recipient.open(sealed[0]) == [1])
        #expect(failure { _ = try recipient.open(sealed[0]) } == .authenticationFailure)
        #expect(failure { _ = try recipient.open(sealed[2]) } == .authenticationFailure)
        #expect(try recipient.open(sealed[1]) == [1])
        #expect(try recipient.open(sealed[2]) == [1])
    }

    @Test func exportOnlySuitesEncryptNothing() throws {
        let suite = HPKE.CipherSuite(kem: .p256HKDFSHA256, kdf: .hkdfSHA256, aead: .exportOnly)
        let key = try PrivateKey.generate(.p256)
        var sender = try HPKE.Sender(suite: suite, recipientKey: key.publicKey)
        #expect(failure { _ = try sender.seal([1]) } == .unsupported)
        let secret = try sender.exportSecret(context: [1], length: 16)
        var recipient = try HPKE.Recipient(suite: suite, encapsulatedKey: sender.encapsulatedKey, privateKey: key)
        #expect(try recipient.exportSecret(context: [1], length: 16) == secret)
        #expect(try recipient.exportSecret(context: [2], length: 16) != secret)
        #expect(failure { _ = try recipient.open([UInt8](repeating: 0, count: 32)) } == .unsupported)
    }

    @Test func exportedSecretsEndAt255Digests() throws {
        let key = try PrivateKey.generate(.p256)
        let sender = try HPKE.Sender(suite: .p256SHA256AES128GCM, recipientKey: key.publicKey)
        #expect(try sender.exportSecret(context: [], length: 255 * 32).count == 255 * 32)
        for length in [0, -1, 255 * 32 + 1, 65_536, Int.max] {
            #expect(failure { _ = try sender.exportSecret(context: [], length: length) } == .invalidParameter)
        }
    }

    @Test(arguments: suites)
    func keysOfOtherCurvesAreRefused(_ suite: HPKE.CipherSuite) async throws {
        let curve: EllipticCurve = suite.kem.curve == .x25519 ? .p256 : .x25519
        let key = try PrivateKey.generate(curve)
        expect(.keyMismatch) { _ = try HPKE.seal([1], to: key.publicKey, suite: suite) }
        let message = HPKE.SealedMessage(
            encapsulatedKey: [UInt8](repeating: 4, count: suite.kem.encapsulatedKeySize),
            ciphertext: [UInt8](repeating: 0, count: 16)
        )
        expect(.keyMismatch) { _ = try HPKE.open(message, privateKey: key, suite: suite) }
        let error = await #expect(throws: CryptoError.self) {
            try await HPKE.open(message, keyAgreement: RemoteKey(key: key), suite: suite)
        }
        #expect(error?.code == .keyMismatch)
    }

    @Test(arguments: suites)
    func damagedMessagesAreRefused(_ suite: HPKE.CipherSuite) throws {
        let key = try PrivateKey.generate(suite.kem.curve)
        let message = try HPKE.seal([1, 2, 3], to: key.publicKey, suite: suite)
        for length in 0..<message.encapsulatedKey.count {
            let cut = Array(message.encapsulatedKey.prefix(length))
            #expect(refusal(of: cut, message.ciphertext, key, suite) == .invalidLength)
        }
        for length in 0..<message.ciphertext.count {
            let code = refusal(of: message.encapsulatedKey, Array(message.ciphertext.prefix(length)), key, suite)
            #expect(code == (length < 16 ? .invalidLength : .authenticationFailure))
        }
        for bit in 0..<(message.ciphertext.count * 8) {
            let code = refusal(of: message.encapsulatedKey, message.ciphertext.flipping(bit), key, suite)
            #expect(code == .authenticationFailure)
        }
        var mutator = Mutator(seed: 7)
        for _ in 0..<100 {
            let damaged = mutator.mutate(message.encapsulatedKey)
            guard damaged != message.encapsulatedKey else { continue }
            #expect(refusal(of: damaged, message.ciphertext, key, suite) != nil)
        }
    }

    @Test func encapsulatedKeysMustBeUncompressedPoints() throws {
        let key = try PrivateKey.generate(.p256)
        let suite = HPKE.CipherSuite.p256SHA256AES128GCM
        let compressed = try #require(key.publicKey.compressedRepresentation)
        #expect(refusal(of: compressed, [UInt8](repeating: 0, count: 16), key, suite) == .invalidLength)
        #expect(refusal(of: [0], [UInt8](repeating: 0, count: 16), key, suite) == .invalidLength)
    }

    @Test func x25519KeysThatContributeNothingAreRefused() throws {
        let suite = HPKE.CipherSuite(kem: .x25519HKDFSHA256, kdf: .hkdfSHA256, aead: .aes128GCM)
        let key = try PrivateKey.generate(.x25519)
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(refusal(of: zero, zero, key, suite) == .smallOrderPoint)
        expect(.smallOrderPoint) { _ = try PublicKey(curve: .x25519, rawRepresentation: zero) }
    }

    @Test func registeredNumbers() {
        #expect(HPKE.KEM(identifier: 0x0010) == .p256HKDFSHA256)
        #expect(HPKE.KEM(identifier: 0x0021) == .x448HKDFSHA512)
        #expect(HPKE.KEM(identifier: 0) == nil)
        #expect(HPKE.KDF(identifier: 2) == .hkdfSHA384)
        #expect(HPKE.KDF(identifier: 4) == nil)
        #expect(HPKE.AEAD(identifier: 0xffff) == .exportOnly)
        #expect(HPKE.AEAD(identifier: 4) == nil)
        let suite = HPKE.CipherSuite.p256SHA256AES128GCM
        #expect(suite.description == "DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-128-GCM")
        #expect(HPKE.KEM.p384HKDFSHA384.encapsulatedKeySize == 97)
        #expect(HPKE.KEM.x448HKDFSHA512.encapsulatedKeySize == 56)
    }

    private func bytes(_ hex: String) throws -> [UInt8] {
        try #require([UInt8](hex: hex))
    }

    /// The code of the error that a call throws, or nil where it throws none.
    private func failure(_ body: () throws -> Void) -> CryptoError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? CryptoError)?.code
        }
    }

    private func refusal(
        of encapsulatedKey: [UInt8],
        _ ciphertext: [UInt8],
        _ key: PrivateKey,
        _ suite: HPKE.CipherSuite
    ) -> CryptoError.Code? {
        let message = HPKE.SealedMessage(encapsulatedKey: encapsulatedKey, ciphertext: ciphertext)
        return failure { _ = try HPKE.open(message, privateKey: key, suite: suite) }
    }
}

/// A key that can only be asked, as one in hardware.
struct RemoteKey: KeyAgreement {
    let key: PrivateKey

    var publicKey: PublicKey { key.publicKey }

    func sharedSecret(with publicKey: PublicKey) async throws -> SecretBytes {
        await Task.yield()
        return try key.sharedSecret(with: publicKey)
    }
}

/// A source that gives the same bytes again and again, to set an ephemeral key.
private struct ConstantSource: RandomSource {
    let value: [UInt8]

    func bytes(_ count: Int) -> [UInt8] { Array(value.prefix(count)) }
}
