import CryptoCore
import TestSupport
import Testing

@Suite struct HMACTests {
    /// RFC 4231 sections 4.2, 4.3 and 4.7 (test cases 1, 2, 6), and RFC 2202 section 3 for SHA-1.
    static let examples: [(hash: HashAlgorithm, key: [UInt8], message: String, code: String)] = [
        (.sha1, repeated(0x0b, 20), "Hi There", "b617318655057264e28bc0b6fb378c8ef146be00"),
        (.sha1, jefe, question, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
        (
            .sha256, repeated(0x0b, 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (.sha256, jefe, question, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        (
            .sha256, repeated(0xaa, 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            .sha384, repeated(0x0b, 20), "Hi There",
            """
            afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59c
            faea9ea9076ede7f4af152e8b2fa9cb6
            """
        ),
        (
            .sha384, jefe, question,
            """
            af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e
            8e2240ca5e69e2c78b3239ecfab21649
            """
        ),
        (
            .sha384, repeated(0xaa, 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            """
            4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c6
            0c2ef6ab4030fe8296248df163f44952
            """
        ),
        (
            .sha512, repeated(0x0b, 20), "Hi There",
            """
            87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde
            daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854
            """
        ),
        (
            .sha512, jefe, question,
            """
            164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554
            9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737
            """
        ),
        (
            .sha512, repeated(0xaa, 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            """
            80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352
            6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598
            """
        ),
    ]

    private static let jefe = Array("Jefe".utf8)
    private static let question = "what do ya want for nothing?"

    private static func repeated(_ byte: UInt8, _ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }

    @Test(arguments: examples)
    func printedExamples(_ hash: HashAlgorithm, _ key: [UInt8], _ message: String, _ code: String) throws {
        let expected = try #require([UInt8](hex: code))
        let message = Array(message.utf8)
        #expect(HMAC.authenticationCode(for: message, key: key, hash: hash) == expected)
        #expect(HMAC.isValid(expected, for: message, key: key, hash: hash))
        #expect(!HMAC.isValid(expected.dropLast(), for: message, key: key, hash: hash))
        #expect(!HMAC.isValid(expected + [0], for: message, key: key, hash: hash))
        #expect(!HMAC.isValid([UInt8](), for: message, key: key, hash: hash))
        for bit in 0..<(expected.count * 8) {
            #expect(!HMAC.isValid(expected.flipping(bit), for: message, key: key, hash: hash))
        }
    }

    @Test(arguments: [HashAlgorithm.sha1, .sha256, .sha384, .sha512])
    func piecesGiveTheSameAsTheWhole(_ hash: HashAlgorithm) {
        let message = [UInt8](0..<200)
        var code = HMAC(key: SecretBytes([1, 2, 3]), hash: hash)
        code.update(message.prefix(7))
        let early = code.finalize()
        code.update(message.dropFirst(7))
        #expect(code.finalize() == HMAC.authenticationCode(for: message, key: [1, 2, 3], hash: hash))
        #expect(early == HMAC.authenticationCode(for: message.prefix(7), key: [1, 2, 3], hash: hash))
    }

    @Test func emptyKeyAndMessageHaveACode() {
        // RFC 5869, section 2.2 extracts with an empty salt, which equals a key of zeros.
        let zeros = [UInt8](repeating: 0, count: 32)
        #expect(
            HMAC.authenticationCode(for: [UInt8](), key: [UInt8](), hash: .sha256)
                == HMAC.authenticationCode(for: [UInt8](), key: zeros, hash: .sha256)
        )
    }
}
