import CryptoCore
import JOSEKit
import JSONKit
import Testing

/// Known mistakes of the field's libraries that must not occur here: encryption.
@Suite struct DecryptionRefusalTests {
    private let plaintext = Array("plaintext".utf8)

    // MARK: One error

    @Test(arguments: JWEAlgorithm.withEngine, [JWEEncryption.a256GCM, .a128CBC_HS256])
    func everyFailureLooksTheSame(algorithm: JWEAlgorithm, encryption: JWEEncryption) async throws {
        let pair = try EncryptionPair(algorithm, encryption)
        let text = try JWE.encrypt(plaintext, to: pair.recipient, with: encryption).compactSerialization()
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var descriptions: Set<String> = []
        for index in 1..<5 where !parts[index].isEmpty {
            for damaged in Self.damaged(try Base64URL.decode(parts[index])) {
                var all = parts
                all[index] = Base64URL.encode(damaged)
                let message = try JWE(compact: all.joined(separator: "."))
                do throws(JOSEError) {
                    _ = try await message.decrypt(with: pair.key, policy: .everything)
                    Issue.record("part \(index) with \(damaged.count) bytes was taken")
                } catch {
                    #expect(error.code == .decryptionFailed)
                    #expect(error.cause == nil)
                    descriptions.insert("\(error)")
                }
            }
        }
        #expect(descriptions.count == 1, "\(descriptions)")
    }

    /// A bit flipped at either end, cut at either end, longer, empty.
    private static func damaged(_ bytes: [UInt8]) -> [[UInt8]] {
        var first = bytes
        first[0] ^= 1
        var last = bytes
        last[last.count - 1] ^= 0x80
        return [first, last, Array(bytes.dropFirst()), Array(bytes.dropLast()), bytes + [0], bytes + bytes, []]
    }

    @Test(EngineCoverage.demanded) func wrongPaddingOfRSA15LooksLikeAWrongKey() async throws {
        let key = JWEKey.privateKey(try TestKeys.rsa.get())
        let header = Base64URL.encode(Array(#"{"alg":"RSA1_5","enc":"A128CBC-HS256"}"#.utf8))
        let rest = [16, 32, 16].map { Base64URL.encode([UInt8](repeating: 1, count: $0)) }.joined(separator: ".")
        var descriptions: Set<String> = []
        for size in [0, 1, 255, 256, 257, 512] {
            let encryptedKey = Base64URL.encode([UInt8](repeating: 2, count: size))
            let message = try JWE(compact: "\(header).\(encryptedKey).\(rest)")
            let error = await #expect(throws: JOSEError.self) {
                try await message.decrypt(with: key, policy: .everything)
            }
            #expect(error?.code == .decryptionFailed)
            descriptions.insert(error?.description ?? "")
        }
        #expect(descriptions.count == 1)
    }

    @Test func wrongKeysLookTheSame() async throws {
        let pair = try EncryptionPair(.ecdhES, .a128GCM)
        let message = try JWE.encrypt(plaintext, to: pair.recipient, with: .a128GCM)
        await expectRefusal(.decryptionFailed, at: "JWE") {
            try await message.decrypt(with: .privateKey(PrivateKey.generate(.p256)), policy: .everything)
        }
    }

    @Test func protectedHeaderIsAuthenticated() async throws {
        let pair = try EncryptionPair(.dir, .a128GCM)
        let text = try JWE.encrypt(plaintext, to: pair.recipient, with: .a128GCM).compactSerialization()
        let header = Base64URL.encode(Array(#"{"enc":"A128GCM","alg":"dir"}"#.utf8))
        let message = try JWE(compact: header + text.drop { $0 != "." })
        await expectRefusal(.decryptionFailed) { try await message.decrypt(with: pair.key, policy: .everything) }
    }

    // MARK: Policy

    @Test func algorithmsOffTheListAreRefused() async throws {
        let pair = try EncryptionPair(.a128KW, .a128GCM)
        let message = try JWE.encrypt(plaintext, to: pair.recipient, with: .a128GCM)
        await expectRefusal(.algorithmNotAllowed, at: "alg") {
            try await message.decrypt(
                with: pair.key,
                policy: JWEDecryptionPolicy(algorithms: [.a256KW], encryptions: [.a128GCM])
            )
        }
        await expectRefusal(.algorithmNotAllowed, at: "enc") {
            try await message.decrypt(
                with: pair.key,
                policy: JWEDecryptionPolicy(algorithms: [.a128KW], encryptions: [.a256GCM])
            )
        }
    }

    @Test func passwordsAndRSA15AreTakenByNameOnly() {
        let all = Set(JWEAlgorithm.all)
        #expect(all.isDisjoint(with: JWEAlgorithm.passwordBased))
        #expect(!all.contains(JWEAlgorithm.Insecure.rsa1_5))
        expectRefusal(.keyMismatch) {
            try JWEEncryptionKey.publicKey(TestKeys.rsa.get().publicKey, JWEAlgorithm.Insecure.rsa1_5)
        }
    }

    @Test(arguments: ["none", "DIR", "A128KW ", "RSA-OAEP-257", "ES256", ""])
    func unknownAlgorithmsAreRefused(name: String) async throws {
        let message = try JWE(compact: compact(#"{"alg":"\#(name)","enc":"A128GCM"}"#, "", "i", "c", "t"))
        await expectRefusal(.unsupportedAlgorithm, at: "alg") {
            try await message.decrypt(with: .symmetric(TestKeys.symmetric(16)), policy: .everything)
        }
        let other = try JWE(compact: compact(#"{"alg":"dir","enc":"\#(name)"}"#, "", "i", "c", "t"))
        await expectRefusal(.unsupportedAlgorithm, at: "enc") {
            try await other.decrypt(with: .symmetric(TestKeys.symmetric(16)), policy: .everything)
        }
        expectRefusal(.unsupportedAlgorithm, at: "alg") {
            try JWEEncryptionKey.symmetric(TestKeys.symmetric(16), JWEAlgorithm(rawValue: name))
        }
        expectRefusal(.unsupportedAlgorithm, at: "enc") {
            let recipient = try EncryptionPair(.a128KW, .a128GCM).recipient
            return try JWE.encrypt([], to: recipient, with: JWEEncryption(rawValue: name))
        }
    }

    @Test func missingAlgorithmsAreRefused() async throws {
        for header in [#"{"enc":"A128GCM"}"#, #"{"alg":"dir"}"#] {
            let message = try JWE(compact: compact(header, "", "i", "c", "t"))
            await expectRefusal(.missingAlgorithm) {
                try await message.decrypt(with: .symmetric(TestKeys.symmetric(16)), policy: .everything)
            }
        }
    }

    @Test func unprotectedEncryptionIsATolerance() async throws {
        let pair = try EncryptionPair(.a128KW, .a128GCM)
        let made = try JWE.encrypt(
            plaintext,
            to: pair.recipient,
            with: .a128GCM,
            sharedHeader: ["alg": "", "enc": ""]
        )
        #expect(made.protectedHeader.isEmpty)
        let message = try JWE(json: made.flattenedSerialization())
        var policy = JWEDecryptionPolicy(algorithms: [.a128KW], encryptions: [.a128GCM])
        await expectRefusal(.algorithmNotProtected, at: "enc") {
            try await message.decrypt(with: pair.key, policy: policy)
        }
        policy.allowsUnprotectedEncryption = true
        #expect(try await message.decrypt(with: pair.key, policy: policy).plaintext == plaintext)
    }

    @Test func keysOfAnotherKindAreRefused() async throws {
        let keys: [JWEKey] = [
            .symmetric(TestKeys.symmetric(15)), .password(TestKeys.symmetric(16)),
            .privateKey(try TestKeys.p256.get()), .privateKey(try TestKeys.rsa.get()),
        ]
        let algorithms = JWEAlgorithm.all + JWEAlgorithm.passwordBased
        for algorithm in algorithms {
            let epk = JSONValue.object(try JWK(TestKeys.p256.get().publicKey).members).text()
            let header = #"{"alg":"\#(algorithm)","enc":"A128GCM","epk":\#(epk),"p2s":"AAAAAAAAAAAA","p2c":1000}"#
            let message = try JWE(compact: compact(header, "", "i", "c", "t"))
            var refused = 0
            for key in keys {
                let result = await outcome { try await message.decrypt(with: key, policy: .everything) }
                guard case .failure(let error) = result, (error as? JOSEError)?.code == .keyMismatch else { continue }
                refused += 1
            }
            // One kind of key goes with each algorithm; none of the symmetric ones has the right length.
            #expect(refused >= keys.count - 1, "\(algorithm)")
        }
    }

    @Test(.enabled(if: !EngineCoverage.isWhole, "this build has libcrypto"))
    func algorithmsWithoutEngineAreRefusedAsSuch() async throws {
        let key = try TestKeys.rsa.get()
        for algorithm in JWEAlgorithm.needingLibcrypto + [JWEAlgorithm.Insecure.rsa1_5] {
            let header = #"{"alg":"\#(algorithm)","enc":"A128GCM"}"#
            let message = try JWE(compact: compact(header, String(repeating: "k", count: 256), "i", "c", "t"))
            await expectRefusal(.unsupportedAlgorithm, at: "alg") {
                try await message.decrypt(with: .privateKey(key), policy: .everything)
            }
        }
        for algorithm in JWEAlgorithm.needingLibcrypto {
            expectRefusal(.unsupportedAlgorithm, at: "alg") {
                try JWE.encrypt(plaintext, to: .publicKey(key.publicKey, algorithm), with: .a128GCM)
            }
        }
    }

    // MARK: Recipients

    @Test func directKeysHaveNoEncryptedKey() async throws {
        for algorithm in [JWEAlgorithm.dir, .ecdhES] {
            let pair = try EncryptionPair(algorithm, .a128GCM)
            let text = try JWE.encrypt(plaintext, to: pair.recipient, with: .a128GCM).compactSerialization()
            let message = try JWE(compact: text.replacing("..", with: ".AAAA."))
            await expectRefusal(.invalidRecipient, at: "encrypted_key") {
                try await message.decrypt(with: pair.key, policy: .everything)
            }
            expectRefusal(.invalidRecipient, at: "alg") {
                try JWE.encrypt(plaintext, toEach: [pair.recipient], with: .a128GCM)
            }
            let text2 = #"{"unprotected":{"alg":"\#(algorithm)","enc":"A128GCM"},"recipients":[{},{}],"ciphertext":""}"#
            let several = try JWE(json: text2)
            await expectRefusal(.invalidRecipient, at: "recipients") {
                try await several.decrypt(with: pair.key, policy: .everything)
            }
        }
        expectRefusal(.invalidRecipient) { try JWE.encrypt(plaintext, toEach: [], with: .a128GCM) }
    }

    @Test func contentEncryptionIsTheSameForAll() async throws {
        let message = try JWE(
            json: """
                {"unprotected": {"alg": "A128KW"}, "ciphertext": "",
                 "recipients": [{"header": {"enc": "A128GCM"}}, {"header": {"enc": "A256GCM"}}]}
                """
        )
        await expectRefusal(.invalidRecipient, at: "enc") {
            try await message.decrypt(with: .symmetric(TestKeys.symmetric(16)), policy: .everything)
        }
    }

    @Test func keyLengthsMustFit() throws {
        expectRefusal(.keyMismatch) { try JWEEncryptionKey.symmetric(TestKeys.symmetric(16), .a256KW) }
        expectRefusal(.keyMismatch) { try JWEEncryptionKey.symmetric(TestKeys.symmetric(16), .ecdhES) }
        expectRefusal(.keyMismatch) { try JWEEncryptionKey.publicKey(PrivateKey.generate(.ed25519).publicKey, .ecdhES) }
        expectRefusal(.keyMismatch) { try JWEEncryptionKey.publicKey(TestKeys.p256.get().publicKey, .rsaOAEP) }
        expectRefusal(.keyMismatch) { try JWEEncryptionKey.password(TestKeys.symmetric(8), .a128KW, iterations: 1000) }
        expectRefusal(.keyMismatch, at: "enc") {
            try JWE.encrypt(plaintext, to: .symmetric(TestKeys.symmetric(16), .dir), with: .a256GCM)
        }
    }

    // MARK: ECDH

    private func decrypt(_ epk: JSONValue?, with key: PrivateKey) async throws -> DecryptedJWE {
        var header: JOSEHeader = ["alg": "ECDH-ES", "enc": "A128GCM"]
        header["epk"] = epk
        let message = try JWE(compact: compact(header.description, "", "initialvecto", "c", "0123456789abcdef"))
        return try await message.decrypt(with: .privateKey(key), policy: .everything)
    }

    @Test func ephemeralKeysAreCheckedPoints() async throws {
        let key = try TestKeys.p256.get()
        var members = try JWK(PrivateKey.generate(.p256).publicKey).members
        members["y"] = members["x"]
        await expectRefusal(.invalidHeader, at: "epk") { try await decrypt(.object(members), with: key) }
        await expectRefusal(.invalidHeader, at: "epk") { try await decrypt(nil, with: key) }
        await expectRefusal(.invalidHeader, at: "epk") { try await decrypt("key", with: key) }
        let secret = try JWK(PrivateKey.generate(.p256)).membersWithSecrets()
        await expectRefusal(.invalidHeader, at: "epk") { try await decrypt(.object(secret), with: key) }
        let other = try JWK(PrivateKey.generate(.p384).publicKey).members
        await expectRefusal(.keyMismatch, at: "epk") { try await decrypt(.object(other), with: key) }
    }

    @Test(arguments: [EllipticCurve.x25519, .x448].filter(\.isSupported))
    func keysWithoutContributionAreRefused(curve: EllipticCurve) async throws {
        let zero = Base64URL.encode([UInt8](repeating: 0, count: curve.coordinateSize))
        let epk: JSONValue = ["kty": "OKP", "crv": .string(curve.name), "x": .string(zero)]
        await expectRefusal(.invalidHeader, at: "epk") { try await decrypt(epk, with: PrivateKey.generate(curve)) }
    }

    // MARK: Passwords

    @Test(arguments: [
        (999, JOSEError.Code.invalidHeader), (0, .invalidHeader), (-1, .invalidHeader), (10_001, .limitExceeded),
        (2_147_483_648, .limitExceeded), (Int.max, .limitExceeded),
    ])
    func iterationsAreBounded(count: Int, code: JOSEError.Code) async throws {
        await expectRefusal(code, at: "p2c") { try await decrypt(iterations: "\(count)", salt: "AAAAAAAAAAA") }
    }

    @Test func passwordParametersAreChecked() async throws {
        for count in ["1e30", "1000.5", "\"1000\"", "18446744073709551616"] {
            await expectRefusal(.invalidHeader, at: "p2c") { try await decrypt(iterations: count, salt: "AAAAAAAAAAA") }
        }
        await expectRefusal(.invalidHeader, at: "p2s") { try await decrypt(iterations: "1000", salt: "AAAAAAAAAA") }
        // At the bounds the derivation runs, and the wrapped key is wrong.
        await expectRefusal(.decryptionFailed) { try await decrypt(iterations: "1000", salt: "AAAAAAAAAAA") }
        await expectRefusal(.decryptionFailed) { try await decrypt(iterations: "10000", salt: "AAAAAAAAAAA") }
        expectRefusal(.invalidHeader, at: "p2c") {
            let recipient = try JWEEncryptionKey.password(TestKeys.symmetric(8), .pbes2HS256_A128KW, iterations: 999)
            return try JWE.encrypt([], to: recipient, with: .a128GCM)
        }
    }

    private func decrypt(iterations: String, salt: String) async throws -> DecryptedJWE {
        let header = #"{"alg":"PBES2-HS256+A128KW","enc":"A128GCM","p2s":"\#(salt)","p2c":\#(iterations)}"#
        let message = try JWE(compact: compact(header, "k", "i", "c", "t"))
        return try await message.decrypt(with: .password(TestKeys.symmetric(8)), policy: .everything)
    }

    // MARK: Compression

    @Test func compressionIsProtectedAndKnown() async throws {
        let pair = try EncryptionPair(.dir, .a128GCM)
        expectRefusal(.invalidHeader, at: "zip") {
            try JWE(json: #"{"unprotected":{"alg":"dir","enc":"A128GCM","zip":"DEF"},"ciphertext":""}"#)
        }
        expectRefusal(.unsupportedAlgorithm, at: "zip") {
            try JWE.encrypt([], to: pair.recipient, with: .a128GCM, header: ["zip": "GZ"])
        }
        let message = try JWE(compact: compact(#"{"alg":"dir","enc":"A128GCM","zip":"GZ"}"#, "", "i", "c", "t"))
        await expectRefusal(.unsupportedAlgorithm, at: "zip") {
            try await message.decrypt(with: pair.key, policy: .everything)
        }
    }

    @Test func bombsAreRefused() async throws {
        let pair = try EncryptionPair(.dir, .a128GCM)
        let bomb = [UInt8](repeating: 0, count: 50_000_000)
        let made = try JWE.encrypt(bomb, to: pair.recipient, with: .a128GCM, header: ["zip": "DEF"])
        await expectRefusal(.limitExceeded, at: "zip") { try await made.decrypt(with: pair.key, policy: .everything) }
    }

    // MARK: Keys elsewhere

    private struct BrokenAgreement: KeyAgreement {
        struct Failure: Error {}
        let publicKey: PublicKey

        func sharedSecret(with publicKey: PublicKey) async throws -> SecretBytes { throw Failure() }
    }

    @Test func failuresOfDevicesAreTold() async throws {
        let pair = try EncryptionPair(.ecdhES, .a128GCM)
        let message = try JWE.encrypt(plaintext, to: pair.recipient, with: .a128GCM)
        let device = BrokenAgreement(publicKey: try TestKeys.p256.get().publicKey)
        await expectRefusal(.operationFailed) {
            try await message.decrypt(with: .keyAgreement(device), policy: .everything)
        }
    }
}
