import CryptoCore
import JOSEKit
import JSONKit
import Testing

/// Several recipients, one of them broken.
@Suite struct RecipientTests {
    private let plaintext = Array("plaintext".utf8)
    private let key = JWEKey.symmetric(TestKeys.symmetric(16))

    /// An object with further recipients before and after the one of a key.
    private func object(
        to recipient: JWEEncryptionKey,
        before: [JSONValue] = [],
        after: [JSONValue] = []
    ) throws -> JWE {
        let made = try JWE.encrypt(plaintext, toEach: [recipient], with: .a128GCM)
        var members = try #require(JSONValue(parsing: made.generalSerialization()).objectValue)
        let good = try #require(members["recipients"]?.arrayValue)
        members["recipients"] = .array(before + good + after)
        return try JWE(json: JSONValue.object(members).encoded())
    }

    /// Recipients of AES-GCM key encryption with a missing header parameter, or one that is not base64url.
    static let broken: [JSONValue] = [
        ["header": ["alg": "A128GCMKW"], "encrypted_key": "AAAAAAAAAAAAAAAAAAAAAA"],
        ["header": ["alg": "A128GCMKW", "iv": "AAAAAAAAAAAAAAAA"], "encrypted_key": "AAAAAAAAAAAAAAAAAAAAAA"],
        ["header": ["alg": "A128GCMKW", "iv": "=", "tag": "AAAAAAAAAAAAAAAAAAAAAA"], "encrypted_key": "AAAA"],
        ["header": ["alg": "A128GCMKW", "iv": 1, "tag": "AAAAAAAAAAAAAAAAAAAAAA"], "encrypted_key": "AAAA"],
        // The key of another content.
        [
            "header": ["alg": "A128GCMKW", "iv": "AAAAAAAAAAAAAAAA", "tag": "AAAAAAAAAAAAAAAAAAAAAA"],
            "encrypted_key": "AAAAAAAAAAAAAAAAAAAAAA",
        ],
        ["header": ["alg": 1]], ["header": ["alg": "A999"]], ["header": ["kid": "x"]],
    ]

    @Test(arguments: broken)
    func aBrokenRecipientKeepsNoOtherFromTheContent(recipient: JSONValue) async throws {
        let good = try JWEEncryptionKey.symmetric(TestKeys.symmetric(16), .a128GCMKW)
        for (before, after, index) in [
            ([recipient], [], 1), ([], [recipient], 0), ([recipient, recipient], [recipient], 2),
        ] {
            let message = try object(to: good, before: before, after: after)
            let decrypted = try await message.decrypt(with: key, policy: .everything)
            #expect(decrypted.plaintext == plaintext)
            #expect(decrypted.recipientIndex == index)
        }
    }

    @Test func aSaltOrCountThatIsRefusedKeepsNoOtherFromTheContent() async throws {
        let password = SecretBytes(Array("correct horse".utf8))
        let good = try JWEEncryptionKey.password(password, .pbes2HS256_A128KW, iterations: 1000)
        let broken: [JSONValue] = ["999", "100000000"].map { count in
            let header = #"{"alg":"PBES2-HS256+A128KW","p2s":"AAAAAAAAAAA","p2c":\#(count)}"#
            return ["header": (try? JSONValue(parsing: header)) ?? .null, "encrypted_key": "AAAA"]
        }
        let message = try object(to: good, before: broken + [["header": ["alg": "PBES2-HS256+A128KW"]]])
        #expect(try await message.decrypt(with: .password(password), policy: .everything).recipientIndex == 3)
    }

    @Test func allPasswordsTogetherHaveALimit() async throws {
        let password = SecretBytes(Array("correct horse".utf8))
        let good = try JWEEncryptionKey.password(password, .pbes2HS256_A128KW, iterations: 1000)
        let header = #"{"alg":"PBES2-HS256+A128KW","p2s":"AAAAAAAAAAA","p2c":1000}"#
        let other: JSONValue = ["header": try JSONValue(parsing: header), "encrypted_key": "AAAA"]
        var policy = JWEDecryptionPolicy.everything
        policy.maximumPasswordIterations = 1000
        let most = try object(to: good, before: Array(repeating: other, count: 7))
        #expect(try await most.decrypt(with: .password(password), policy: policy).recipientIndex == 7)
        let tooMany = try object(to: good, before: Array(repeating: other, count: 8))
        await expectRefusal(.limitExceeded, at: "p2c") {
            try await tooMany.decrypt(with: .password(password), policy: policy)
        }
        policy.maximumPasswordIterations = .max
        #expect(try await tooMany.decrypt(with: .password(password), policy: policy).recipientIndex == 8)
    }

    /// Unreadable recipients: they are marked as such, and the others are decrypted with.
    @Test(
        arguments: [
            1, [], ["header": 1], ["encrypted_key": "="], ["encrypted_key": 1], ["header": ["enc": "A256GCM"]],
            ["header": ["crit": ["x"], "x": 1]], ["header": ["alg": "A128GCMKW", "zip": "DEF"]],
        ] as [JSONValue]
    )
    func aRecipientThatCannotBeReadIsPassedOver(recipient: JSONValue) async throws {
        let good = try JWEEncryptionKey.symmetric(TestKeys.symmetric(16), .a128GCMKW)
        let message = try object(to: good, before: [recipient])
        #expect(message.recipients.map { $0.fault == nil } == [false, true])
        #expect(message.recipients[0].fault?.path.first == "recipients[0]")
        #expect(try await message.decrypt(with: key, policy: .everything).recipientIndex == 1)
        // It is not written again.
        #expect(try JWE(json: message.generalSerialization()).recipients.count == 1)
        let alone = JSONValue.array([recipient, recipient]).text()
        #expect(throws: JOSEError.self) {
            try JWE(json: #"{"protected":"eyJlbmMiOiJBMTI4R0NNIn0","recipients":\#(alone),"ciphertext":""}"#)
        }
    }

    @Test func theFirstFailureIsToldWhereNoneGivesTheContent() async throws {
        let good = try JWEEncryptionKey.symmetric(TestKeys.symmetric(16), .a128GCMKW)
        let message = try object(to: good, before: [Self.broken[0]])
        let other = JWEKey.symmetric(SecretBytes([UInt8](repeating: 9, count: 16)))
        await expectRefusal(.invalidHeader, at: "iv") { try await message.decrypt(with: other, policy: .everything) }
    }
}
