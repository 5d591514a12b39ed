import CBORKit
import COSEKit
import CryptoCore
import TestSupport
import Testing

/// The recipient opens any content that was encrypted or authenticated for it, with every method.
@Suite struct RecipientLawTests {
    /// A way to a recipient, and the key that the recipient opens it with.
    private func way(_ algorithm: COSEAlgorithm) throws -> (COSEKeyDistribution, COSERecipientKey) {
        switch algorithm {
        case .direct:
            let key = TestKeys.symmetric(32)
            return (.direct(key), .symmetric(key))
        case .directHKDFSHA256, .directHKDFSHA512, .directHKDFAES256:
            let secret = TestKeys.symmetric(32)
            return (.derived(from: secret, algorithm), .symmetric(secret))
        case .directHKDFAES128:
            let secret = TestKeys.symmetric(16)
            return (.derived(from: secret, algorithm), .symmetric(secret))
        case .a128KW, .a128GCM:
            let key = TestKeys.symmetric(16)
            return (.keyWrap(algorithm, with: key), .symmetric(key))
        case .a192KW:
            let key = TestKeys.symmetric(24)
            return (.keyWrap(algorithm, with: key), .symmetric(key))
        case .a256KW, .chaCha20Poly1305:
            let key = TestKeys.symmetric(32)
            return (.keyWrap(algorithm, with: key), .symmetric(key))
        case .rsaOAEPSHA1, .rsaOAEPSHA256, .rsaOAEPSHA512:
            let key = try TestKeys.rsa.get()
            return (.keyTransport(algorithm, to: key.publicKey), .rsa(key))
        default:
            return try agreement(algorithm, on: .p256)
        }
    }

    private func agreement(
        _ algorithm: COSEAlgorithm,
        on curve: EllipticCurve
    ) throws -> (COSEKeyDistribution, COSERecipientKey) {
        let key = try PrivateKey.generate(curve)
        let isStatic = [.ecdhSSHKDF256, .ecdhSSHKDF512, .ecdhSSA128KW, .ecdhSSA192KW, .ecdhSSA256KW].contains(algorithm)
        let sender: COSEKeyDistribution.SenderKey = isStatic ? .static(try PrivateKey.generate(curve)) : .ephemeral
        return (.keyAgreement(algorithm, with: key.publicKey, sender: sender), .keyAgreement(key))
    }

    static let methods: [COSEAlgorithm] =
        [
            .direct, .directHKDFSHA256, .directHKDFSHA512, .directHKDFAES128, .directHKDFAES256,
            .a128KW, .a192KW, .a256KW, .a128GCM, .chaCha20Poly1305, .rsaOAEPSHA1, .rsaOAEPSHA256,
            .ecdhESHKDF256, .ecdhESHKDF512, .ecdhSSHKDF256, .ecdhSSHKDF512,
            .ecdhESA128KW, .ecdhESA192KW, .ecdhESA256KW, .ecdhSSA128KW, .ecdhSSA192KW, .ecdhSSA256KW,
        ] + (EngineCoverage.isWhole ? [.rsaOAEPSHA512] : [])

    @Test(arguments: methods)
    func whatIsEncryptedForARecipientDecrypts(method: COSEAlgorithm) async throws {
        let (way, key) = try way(method)
        let message = try await COSEEncrypt.encrypt(
            content,
            headers: COSEHeaders(protected: [.alg: .integer(COSEAlgorithm.a256GCM.rawValue)]),
            externalAAD: [1],
            for: [way]
        )
        let received = try COSEEncrypt(decoding: message.encoded())
        let policy = COSEPolicy(algorithms: [.a256GCM, method])
        let decrypted = try await received.decrypt(with: key, policy: policy, externalAAD: [1])
        #expect(Array(decrypted.payload) == content)
        #expect(decrypted.algorithm == .a256GCM)
        await expectRefusal(.decryptionFailed) { try await received.decrypt(with: key, policy: policy) }
        await expectRefusal(.algorithmNotAllowed) { try await received.decrypt(with: key, policy: [.a256GCM]) }
    }

    @Test(arguments: methods)
    func whatIsAuthenticatedForARecipientVerifies(method: COSEAlgorithm) async throws {
        let (way, key) = try way(method)
        let message = try await COSEMac.authenticate(
            content,
            detached: true,
            headers: COSEHeaders(protected: [.alg: .integer(COSEAlgorithm.hmac256_256.rawValue)]),
            for: [way]
        )
        let received = try COSEMac(decoding: message.encoded())
        let policy = COSEPolicy(algorithms: [.hmac256_256, method])
        let verified = try await received.verify(with: key, policy: policy, detachedPayload: content)
        #expect(Array(verified.payload) == content)
        await expectRefusal(.invalidMAC) {
            try await received.verify(with: key, policy: policy, detachedPayload: content, externalAAD: [1])
        }
        await expectRefusal(.missingContent) { try await received.verify(with: key, policy: policy) }
    }

    @Test(arguments: [EllipticCurve.p256, .p384, .p521, .x25519, .x448].filter(\.isSupported))
    func keyAgreementWorksOnEveryCurve(curve: EllipticCurve) async throws {
        for method in [COSEAlgorithm.ecdhESHKDF256, .ecdhSSA256KW] {
            let (way, key) = try agreement(method, on: curve)
            let message = try await COSEEncrypt.encrypt(
                content,
                headers: COSEHeaders(protected: [.alg: .integer(COSEAlgorithm.a128GCM.rawValue)]),
                for: [way]
            )
            let decrypted = try await message.decrypt(with: key, policy: COSEPolicy(algorithms: [.a128GCM, method]))
            #expect(Array(decrypted.payload) == content)
        }
    }

    @Test func layersAreOpenedOneAfterTheOther() async throws {
        let holder = try PrivateKey.generate(.x25519)
        let inner = COSEKeyDistribution.keyAgreement(.ecdhESA128KW, with: holder.publicKey)
        let middle = COSEKeyDistribution.keyWrap(.a128KW, through: [inner])
        let outer = COSEKeyDistribution.keyWrap(.a256GCM, through: [middle])
        let message = try await COSEEncrypt.encrypt(
            content,
            headers: COSEHeaders(protected: [.alg: .integer(COSEAlgorithm.a128GCM.rawValue)]),
            for: [outer]
        )
        let received = try COSEEncrypt(decoding: message.encoded())
        let policy: COSEPolicy = [.a128GCM, .a256GCM, .a128KW, .ecdhESA128KW]
        let decrypted = try await received.decrypt(with: .keyAgreement(holder), policy: policy)
        #expect(Array(decrypted.payload) == content)
        expectRefusal(.limitExceeded) {
            try COSEEncrypt(decoding: message.encoded(), options: COSEReadingOptions(recipientDepth: 2))
        }
        _ = try COSEEncrypt(decoding: message.encoded(), options: COSEReadingOptions(recipientDepth: 3))
    }

    @Test func anyOfSeveralRecipientsCanOpen() async throws {
        let (first, second) = (try PrivateKey.generate(.p256), TestKeys.symmetric(16))
        let message = try await COSEEncrypt.encrypt(
            content,
            headers: COSEHeaders(protected: [.alg: .integer(COSEAlgorithm.a128GCM.rawValue)]),
            for: [
                .keyAgreement(.ecdhESA128KW, with: first.publicKey),
                .keyWrap(.a128KW, with: second),
                .keyTransport(.rsaOAEPSHA256, to: TestKeys.rsa.get().publicKey),
            ]
        )
        let policy: COSEPolicy = [.a128GCM, .ecdhESA128KW, .a128KW, .rsaOAEPSHA256]
        let keys: [COSERecipientKey] = [.keyAgreement(first), .symmetric(second), .rsa(try TestKeys.rsa.get())]
        for key in keys {
            #expect(Array(try await message.decrypt(with: key, policy: policy).payload) == content)
        }
        await expectRefusal(.noRecipientKey, at: "recipients") {
            try await message.decrypt(policy: policy) { _ throws(COSEError) in nil }
        }
        await expectRefusal(.decryptionFailed) {
            try await message.decrypt(with: .symmetric(TestKeys.symmetric(16).reversed), policy: policy)
        }
    }
}

extension SecretBytes {
    /// Other bytes of the same length.
    fileprivate var reversed: SecretBytes {
        SecretBytes(withUnsafeBytes { [UInt8]($0.reversed()) })
    }
}
