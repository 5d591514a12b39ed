import CryptoCore
import TestSupport
import Testing

/// AES Key Wrap without and with padding.
enum WycheproofKeyWrap {
    struct Test: WycheproofTest {
        let tcId: Int
        let comment: String
        let flags: [String]
        let result: WycheproofResult
        let key: HexBytes
        let msg: HexBytes
        let ct: HexBytes
    }

    static func run(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        switch header.algorithm {
        case "AES-WRAP": try run(file, wrap: AESKeyWrap.wrap, unwrap: AESKeyWrap.unwrap)
        case "AES-KWP":
            try run(file, wrap: AESKeyWrapWithPadding.wrap, unwrap: AESKeyWrapWithPadding.unwrap)
        default: throw UnknownAlgorithm(name: header.algorithm)
        }
    }

    private static func run(
        _ file: VectorFile,
        wrap: ([UInt8], [UInt8]) throws -> [UInt8],
        unwrap: ([UInt8], [UInt8]) throws -> SecretBytes
    ) throws -> WycheproofTally {
        try WycheproofTally(file, WycheproofCases<Test>.self, acceptable: decision) { _, test in
            guard try unwrap(test.ct.bytes, test.key.bytes) == SecretBytes(test.msg.bytes) else { return .refused }
            return try wrap(test.msg.bytes, test.key.bytes) == test.ct.bytes ? .accepted : .refused
        }
    }

    /// ShortKey: RFC 3394, section 2 wraps two blocks of 64 bits at least, so a key of 8 bytes is refused.
    private static func decision(_ test: Test) -> WycheproofResult {
        test.flags == ["ShortKey"] ? .invalid : .acceptable
    }
}
