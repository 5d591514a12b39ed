import CryptoCore
import TestSupport
import Testing

/// AES-CBC with PKCS #7 padding, which the module uses under an HMAC only.
enum WycheproofAESCBC {
    struct Test: WycheproofTest {
        let tcId: Int
        let comment: String
        let flags: [String]
        let result: WycheproofResult
        let key: HexBytes
        let iv: HexBytes
        let msg: HexBytes
        let ct: HexBytes
    }

    static func run(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        guard header.algorithm == "AES-CBC-PKCS5" else { throw UnknownAlgorithm(name: header.algorithm) }
        return try WycheproofTally(file, WycheproofCases<Test>.self) { _, test in
            let (key, vector) = (test.key.bytes, test.iv.bytes)
            guard try AESCBC.decrypt(test.ct.bytes, key: key, vector: vector) == test.msg.bytes else { return .refused }
            let ciphertext = try AESCBC.encrypt(test.msg.bytes, key: key, vector: vector)
            return ciphertext == test.ct.bytes ? .accepted : .refused
        }
    }
}
