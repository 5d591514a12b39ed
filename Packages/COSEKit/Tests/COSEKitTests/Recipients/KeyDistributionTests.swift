import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import TestSupport
import Testing

/// The refusals of a sender.
@Suite struct KeyDistributionTests {
    private let headers = COSEHeaders(protected: [.alg: 1])
    private let kek = TestKeys.symmetric(16)

    private func refuse(
        _ code: COSEError.Code,
        _ recipients: [COSEKeyDistribution],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await expectRefusal(code, sourceLocation: sourceLocation) {
            try await COSEEncrypt.encrypt(content, headers: headers, for: recipients)
        }
    }

    @Test func aDirectMethodStandsAlone() async throws {
        let key = try TestKeys.p256.get().publicKey
        await refuse(.invalidRecipient, [.direct(kek), .keyWrap(.a128KW, with: kek)])
        await refuse(.invalidRecipient, [.keyWrap(.a128KW, with: kek), .keyAgreement(.ecdhESHKDF256, with: key)])
        await refuse(.invalidRecipient, [])
    }

    @Test func methodAndAlgorithmMustAgree() async throws {
        let key = try TestKeys.p256.get()
        await refuse(.unsuitableAlgorithm, [.keyWrap(.direct, through: [.direct(kek)])])
        await refuse(.unsuitableAlgorithm, [.keyTransport(.a128KW, to: key.publicKey)])
        await refuse(.unsuitableAlgorithm, [.derived(from: kek, .ecdhESHKDF256)])
        await refuse(.unsuitableAlgorithm, [.keyWrap(.es256, with: kek)])
        await refuse(.unsupportedAlgorithm, [.keyWrap(COSEAlgorithm(rawValue: -999), with: kek)])
        await refuse(.keyMismatch, [.keyAgreement(.ecdhESHKDF256, with: key.publicKey, sender: .static(key))])
        await refuse(.keyMismatch, [.keyAgreement(.ecdhSSHKDF256, with: key.publicKey)])
    }

    @Test func keysMustFitTheirAlgorithm() async throws {
        await refuse(.keyMismatch, [.keyWrap(.a256KW, with: kek)])
        await refuse(.keyMismatch, [.direct(TestKeys.symmetric(32))])
        await refuse(.keyMismatch, [.derived(from: kek, .directHKDFAES256)])
        let ed25519 = try PrivateKey.generate(.ed25519).publicKey
        await refuse(.keyMismatch, [.keyAgreement(.ecdhESA128KW, with: ed25519)])
        let p256 = try TestKeys.p256.get().publicKey
        await refuse(.operationFailed, [.keyTransport(.rsaOAEPSHA256, to: p256)])
        let other = COSEKeyDistribution.SenderKey.static(try PrivateKey.generate(.p384))
        await refuse(.operationFailed, [.keyAgreement(.ecdhSSA128KW, with: p256, sender: other)])
    }

    @Test(.enabled(if: !EngineCoverage.isWhole, "this build has an engine for every algorithm"))
    func anAlgorithmThatTheBuildHasNoEngineForIsNamed() async throws {
        await refuse(.unsupportedAlgorithm, [.keyTransport(.rsaOAEPSHA512, to: try TestKeys.rsa.get().publicKey)])
    }

    @Test func headersMustNameTheSameAlgorithmAndProtectOnlyWhereThatWorks() async throws {
        await refuse(
            .unsuitableAlgorithm,
            [.keyWrap(.a128KW, with: kek, headers: COSEHeaders(unprotected: [.alg: -5]))]
        )
        let protected = COSEHeaders(protected: [.kid: .bytes([1])])
        await refuse(.invalidRecipient, [.keyWrap(.a128KW, with: kek, headers: protected)])
        await refuse(.invalidRecipient, [.direct(kek, headers: protected)])
        await refuse(
            .invalidRecipient,
            [.keyTransport(.rsaOAEPSHA256, to: try TestKeys.rsa.get().publicKey, headers: protected)]
        )
        let doubled = COSEHeaders(protected: [.kid: .bytes([1])], unprotected: [.kid: .bytes([1])])
        await refuse(.duplicateLabel, [.derived(from: kek, .directHKDFAES128, headers: doubled)])
    }

    @Test func aNonceIsMadeWhereNothingElseMakesTheKeyUnique() async throws {
        func nonce(of recipient: COSEKeyDistribution) async throws -> Bool {
            let message = try await COSEEncrypt.encrypt(content, headers: headers, for: [recipient])
            return try #require(message.recipients.first).headers.unprotected.contains(.partyUNonce)
        }
        let secret = TestKeys.symmetric(32)
        #expect(try await nonce(of: .derived(from: secret, .directHKDFSHA256)))
        let salted = COSEHeaders(unprotected: [.salt: .bytes([1])])
        #expect(try await !nonce(of: .derived(from: secret, .directHKDFSHA256, headers: salted)))
        // Without an extract step the salt does not reach the key.
        let short = TestKeys.symmetric(16)
        #expect(try await nonce(of: .derived(from: short, .directHKDFAES128, headers: salted)))
        let known = COSEKeyDerivationContext(salt: [1])
        #expect(try await !nonce(of: .derived(from: secret, .directHKDFSHA256, context: known)))
        let key = try TestKeys.p256.get()
        #expect(try await nonce(of: .keyAgreement(.ecdhSSHKDF256, with: key.publicKey, sender: .static(key))))
        #expect(try await !nonce(of: .keyAgreement(.ecdhESHKDF256, with: key.publicKey)))
    }

    @Test(EngineCoverage.demanded) func theSendersStaticKeyIsSentNamedOrKnown() async throws {
        let (own, sender) = (try PrivateKey.generate(.x448), try PrivateKey.generate(.x448))
        func message(_ key: COSEKeyDistribution.SenderKey) async throws -> COSEEncrypt {
            let way = COSEKeyDistribution.keyAgreement(.ecdhSSHKDF512, with: own.publicKey, sender: key)
            return try await COSEEncrypt.encrypt(content, headers: headers, for: [way])
        }
        let policy: COSEPolicy = [.a128GCM, .ecdhSSHKDF512]
        let known = COSEKeyDerivationContext(senderKey: sender.publicKey)

        let sent = try await message(.static(sender))
        _ = try await sent.decrypt(with: .keyAgreement(own), policy: policy)
        let named = try await message(.static(sender, knownAs: [1, 2]))
        #expect(try named.recipients.first?.headers.parameter(.staticKeyID)?.bytes() == [1, 2])
        _ = try await named.decrypt(with: .keyAgreement(own), policy: policy, context: known)
        let implied = try await message(.static(sender, knownAs: nil))
        _ = try await implied.decrypt(with: .keyAgreement(own), policy: policy, context: known)
        await expectRefusal(.invalidRecipient, at: "static key") {
            try await implied.decrypt(with: .keyAgreement(own), policy: policy)
        }
    }

    @Test func theSameRandomnessGivesTheSameMessage() async throws {
        let key = try TestKeys.p256.get().publicKey
        func message() async throws -> [UInt8] {
            try await COSEEncrypt.encrypt(
                content,
                headers: headers,
                for: [.keyAgreement(.ecdhESA128KW, with: key)],
                using: GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 7))
            ).encoded()
        }
        #expect(try await message() == message())
    }

    @Test func aDetachedCiphertextAndAPartialIVWorkForRecipientsToo() async throws {
        let partial = COSEHeaders(protected: [.alg: 1], unprotected: [.partialIV: .bytes([5])])
        let (message, ciphertext) = try await COSEEncrypt.encrypt(
            content,
            headers: partial,
            for: [.direct(kek)],
            baseIV: [1, 2, 3]
        ).detached()
        let decrypted = try await COSEEncrypt(decoding: message.encoded()).decrypt(
            with: .symmetric(kek),
            policy: [.a128GCM, .direct],
            baseIV: [1, 2, 3],
            detachedCiphertext: ciphertext
        )
        #expect(Array(decrypted.payload) == content)
    }

    @Test func theRestrictionsOfAKeyAreEnforced() async throws {
        let policy: COSEPolicy = [.a128GCM, .direct, .a128KW, .ecdhESA128KW, .directHKDFSHA256]
        func expect(
            _ code: COSEError.Code?,
            _ way: COSEKeyDistribution,
            _ key: COSEKey,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let message = try await COSEEncrypt.encrypt(content, headers: headers, for: [way])
            let key = try COSERecipientKey(key)
            if let code {
                await expectRefusal(code, sourceLocation: sourceLocation) {
                    try await message.decrypt(with: key, policy: policy)
                }
            } else {
                _ = try await message.decrypt(with: key, policy: policy)
            }
        }
        func symmetric(_ attributes: COSEKey.Attributes) -> COSEKey {
            COSEKey(symmetricKey: kek, attributes: attributes)
        }
        try await expect(nil, .direct(kek), symmetric(.init(algorithm: .a128GCM, keyOperations: [.decrypt])))
        try await expect(.keyRestricted, .direct(kek), symmetric(.init(algorithm: .a192GCM)))
        try await expect(.keyRestricted, .direct(kek), symmetric(.init(keyOperations: [.macVerify])))
        try await expect(nil, .keyWrap(.a128KW, with: kek), symmetric(.init(keyOperations: [.unwrapKey])))
        try await expect(.keyRestricted, .keyWrap(.a128KW, with: kek), symmetric(.init(keyOperations: [.wrapKey])))
        let derived = COSEKeyDistribution.derived(from: kek, .directHKDFSHA256)
        try await expect(nil, derived, symmetric(.init(keyOperations: [.deriveKey])))
        try await expect(.keyRestricted, derived, symmetric(.init(keyOperations: [.decrypt])))
        let own = try TestKeys.p256.get()
        let agreed = COSEKeyDistribution.keyAgreement(.ecdhESA128KW, with: own.publicKey)
        try await expect(nil, agreed, COSEKey(privateKey: own, attributes: .init(keyOperations: [.deriveBits])))
        try await expect(.keyRestricted, agreed, COSEKey(privateKey: own, attributes: .init(algorithm: .ecdhESA256KW)))
    }
}
