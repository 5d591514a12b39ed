import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import Testing

@Suite struct JWETests {
    private let plaintext = Array("You can trust us to stick with you through thick and thin.".utf8)

    @Test(arguments: JWEAlgorithm.withEngine, JWEEncryption.all)
    func contentComesBack(algorithm: JWEAlgorithm, encryption: JWEEncryption) async throws {
        let pair = try EncryptionPair(algorithm, encryption)
        let made = try JWE.encrypt(plaintext, to: pair.recipient, with: encryption, header: ["typ": "x"])
        let policy = JWEDecryptionPolicy(algorithms: [algorithm], encryptions: [encryption])
        let readings = [
            try JWE(compact: made.compactSerialization()),
            try JWE(json: made.flattenedSerialization()),
            try JWE(json: made.generalSerialization()),
        ]
        for message in readings {
            let decrypted = try await message.decrypt(with: pair.key, policy: policy)
            #expect(decrypted.plaintext == plaintext)
            #expect(decrypted.algorithm == algorithm)
            #expect(decrypted.encryption == encryption)
            #expect(try decrypted.header.type() == "x")
        }
    }

    @Test(arguments: [EllipticCurve.p256, .p384, .p521, .x25519, .x448].filter(\.isSupported))
    func agreementWorksOnEveryCurve(curve: EllipticCurve) async throws {
        let key = try PrivateKey.generate(curve)
        for algorithm in [JWEAlgorithm.ecdhES, .ecdhES_A128KW, .ecdhES_A192KW, .ecdhES_A256KW] {
            let recipient = try JWEEncryptionKey.publicKey(
                key.publicKey,
                algorithm,
                partyUInfo: Array("Alice".utf8),
                partyVInfo: Array("Bob".utf8)
            )
            let text = try JWE.encrypt(plaintext, to: recipient, with: .a256GCM).compactSerialization()
            let decrypted = try await JWE(compact: text).decrypt(with: .privateKey(key), policy: .everything)
            #expect(decrypted.plaintext == plaintext)
            #expect(try decrypted.header.agreementPartyUInfo() == Array("Alice".utf8))
            #expect(try decrypted.header.agreementPartyVInfo() == Array("Bob".utf8))
        }
    }

    /// The keys would be derived without them, and no recipient could decrypt.
    @Test(arguments: ["apu", "apv"])
    func refusesInformationOfThePartiesThatTheKeyLacks(name: String) throws {
        let key = try PrivateKey.generate(.p256).publicKey
        let header = JOSEHeader(JSONObject([(name, JSONValue.string("Qm9i"))]))
        expectRefusal(.invalidHeader, at: name) {
            try JWE.encrypt(plaintext, to: .publicKey(key, .ecdhES), with: .a128GCM, header: header)
        }
        expectRefusal(.invalidHeader, at: name) {
            try JWE.encrypt(
                plaintext,
                toEach: [.publicKey(key, .ecdhES_A128KW), .symmetric(TestKeys.symmetric(16), .a128KW)],
                with: .a128GCM,
                sharedHeader: header
            )
        }
        _ = try JWE.encrypt(plaintext, to: .symmetric(TestKeys.symmetric(16), .a128KW), with: .a128GCM, header: header)
        let named = try JWEEncryptionKey.publicKey(key, .ecdhES, partyUInfo: [1], partyVInfo: [2])
        _ = try JWE.encrypt(plaintext, to: named, with: .a128GCM, header: header)
    }

    @Test func everyRecipientDecrypts() async throws {
        let algorithms: [JWEAlgorithm] = [.rsaOAEP256, .ecdhES_A256KW, .a256GCMKW, .a128KW]
        let pairs = try algorithms.map { try EncryptionPair($0, .a128CBC_HS256) }
        let made = try JWE.encrypt(
            plaintext,
            toEach: pairs.map(\.recipient),
            with: .a128CBC_HS256,
            header: ["typ": "x"],
            additionalData: [1, 2, 3]
        )
        let message = try JWE(json: made.generalSerialization())
        for (index, pair) in pairs.enumerated() {
            let decrypted = try await message.decrypt(with: pair.key, policy: .everything)
            #expect(decrypted.plaintext == plaintext)
            #expect(decrypted.recipientIndex == index)
            #expect(decrypted.additionalData == [1, 2, 3])
        }
        expectRefusal(.notSerializable) { try message.compactSerialization() }
        expectRefusal(.notSerializable) { try message.flattenedSerialization() }
    }

    @Test func treatsEmptyAdditionalDataAsAbsent() async throws {
        let pair = try EncryptionPair(.a128KW, .a128GCM)
        let made = try JWE.encrypt(plaintext, to: pair.recipient, with: .a128GCM, additionalData: [])
        #expect(made.additionalData == nil)
        #expect(try JSONValue(parsing: made.flattenedSerialization())["aad"] == nil)
        let message = try JWE(compact: made.compactSerialization())
        #expect(try await message.decrypt(with: pair.key, policy: .everything).plaintext == plaintext)
    }

    @Test func compressionIsTakenWhereASizeIsGiven() async throws {
        let content = [UInt8](repeating: 7, count: 10_000)
        let pair = try EncryptionPair(.a128KW, .a128GCM)
        let made = try JWE.encrypt(content, to: pair.recipient, with: .a128GCM, header: ["zip": "DEF"])
        let message = try JWE(compact: made.compactSerialization())
        #expect(try made.compactSerialization().utf8.count < 400)
        var policy = JWEDecryptionPolicy(algorithms: [.a128KW], encryptions: [.a128GCM], maximumInflatedSize: 10_000)
        #expect(try await message.decrypt(with: pair.key, policy: policy).plaintext == content)
        policy.maximumInflatedSize = 9_999
        await expectRefusal(.limitExceeded) { try await message.decrypt(with: pair.key, policy: policy) }
        policy.maximumInflatedSize = nil
        await expectRefusal(.invalidCompression) { try await message.decrypt(with: pair.key, policy: policy) }
    }

    @Test func signedThenEncryptedTokensAreReadAgain() async throws {
        let signer = try TestKeys.es256()
        let pair = try EncryptionPair(.ecdhES, .a256GCM)
        let token = try await JWT.sign(["sub": "alice"], with: signer).compactSerialization()
        let made = try JWE.encrypt(Array(token.utf8), to: pair.recipient, with: .a256GCM, header: ["cty": "JWT"])
        let encrypted = try EncryptedJWT(compact: made.compactSerialization())
        let signed = try await encrypted.signedToken(with: pair.key, policy: .everything)
        let verified = try signed.verify(with: signer.publicKey, policy: [.es256], claims: JWTClaimsPolicy(), at: .now)
            .get()
        #expect(try verified.claims.subject() == "alice")
        await encrypted.decrypt(with: pair.key, policy: .everything, claims: JWTClaimsPolicy(), at: .now)
            .expectRefusal(.unexpectedType)
    }

    /// The header of the encryption tells which key the sender chose, and must not contradict the signed claims.
    @Test func theOuterHeaderStaysWithTheSignedToken() async throws {
        let signer = try TestKeys.es256()
        let pair = try EncryptionPair(.ecdhES, .a256GCM)
        let token = try await JWT.sign(["iss": "a", "sub": "alice"], with: signer)
        #expect(token.encryption == nil)
        let text = Array(try token.compactSerialization().utf8)
        func verify(_ name: String, _ value: JSONValue) async throws -> Verification<VerifiedJWT> {
            let header = JOSEHeader(["cty": "JWT", "kid": "2026", name: value])
            let made = try JWE.encrypt(text, to: pair.recipient, with: .a256GCM, header: header)
            let signed = try await EncryptedJWT(made).signedToken(with: pair.key, policy: .everything)
            #expect(try signed.encryption?.header.keyID() == "2026")
            return signed.verify(with: signer.publicKey, policy: [.es256], claims: JWTClaimsPolicy(), at: .now)
        }
        let verification = try await verify("iss", "a")
        #expect(verification.checks.map(\.check) == JWT.checks)
        let verified = try verification.get()
        #expect(try verified.header.keyID() == nil)
        #expect(try verified.encryption?.header.keyID() == "2026")
        #expect(verified.encryption?.algorithm == .ecdhES && verified.encryption?.recipientIndex == 0)
        try await verify("iss", "b").expectRefusal(.claimMismatch, at: "iss")
        try await verify("aud", "c").expectRefusal(.claimMismatch, at: "aud")
        let clear = token.verify(with: signer.publicKey, policy: [.es256], claims: JWTClaimsPolicy(), at: .now)
        #expect(try clear.get().encryption == nil)
        #expect(clear.checks.map(\.check) == JWT.checks)
    }

    @Test func encryptedClaimsAreChecked() async throws {
        let pair = try EncryptionPair(.dir, .a128GCM)
        let claims: JWTClaims = ["iss": "a", "sub": "alice"]
        func decrypt(_ header: JOSEHeader, _ policy: JWTClaimsPolicy) async throws -> Verification<DecryptedJWT> {
            let made = try JWE.encrypt(claims.encoded(), to: pair.recipient, with: .a128GCM, header: header)
            return await EncryptedJWT(made).decrypt(with: pair.key, policy: .everything, claims: policy, at: .now)
        }
        let verification = try await decrypt(["iss": "a"], JWTClaimsPolicy(issuers: ["a"]))
        #expect(verification.checks.map(\.check) == EncryptedJWT.checks)
        #expect(try verification.get().claims.subject() == "alice")
        try await decrypt(["iss": "b"], JWTClaimsPolicy()).expectRefusal(.claimMismatch, at: "iss")
        try await decrypt([:], JWTClaimsPolicy(issuers: ["b"])).expectRefusal(.claimMismatch)
    }
}
