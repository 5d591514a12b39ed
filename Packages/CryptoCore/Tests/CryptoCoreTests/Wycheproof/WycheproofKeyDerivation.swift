import CryptoCore
import Foundation
import TestSupport
import Testing

/// HKDF.
enum WycheproofHKDF {
    struct Test: WycheproofTest {
        let tcId: Int
        let comment: String
        let flags: [String]
        let result: WycheproofResult
        let ikm: HexBytes
        let salt: HexBytes
        let info: HexBytes
        let size: Int
        let okm: HexBytes
    }

    static func run(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        let hash = try header.hash(after: "HKDF-SHA-")
        return try WycheproofTally(file, WycheproofCases<Test>.self) { _, test in
            let key = try HKDF.deriveKey(
                hash: hash,
                inputKeyMaterial: test.ikm.bytes,
                salt: test.salt.bytes,
                info: test.info.bytes,
                length: test.size
            )
            return key == SecretBytes(test.okm.bytes) ? .accepted : .refused
        }
    }
}

/// PBKDF2.
enum WycheproofPBKDF2 {
    struct Test: WycheproofTest {
        let tcId: Int
        let comment: String
        let flags: [String]
        let result: WycheproofResult
        let password: HexBytes
        let salt: HexBytes
        let iterationCount: Int
        let dkLen: Int
        let dk: HexBytes
    }

    static func run(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        let hash = try header.hash(after: "PBKDF2-HMACSHA")
        return try WycheproofTally(file, WycheproofCases<Test>.self) { _, test in
            let key = try PBKDF2.deriveKey(
                hash: hash,
                password: test.password.bytes,
                salt: test.salt.bytes,
                iterations: test.iterationCount,
                length: test.dkLen
            )
            return key == SecretBytes(test.dk.bytes) ? .accepted : .refused
        }
    }
}

extension WycheproofHeader {
    /// The hash algorithm whose number follows a prefix in the algorithm's name.
    fileprivate func hash(after prefix: String) throws -> HashAlgorithm {
        guard let algorithm, algorithm.hasPrefix(prefix) else { throw UnknownAlgorithm(name: algorithm) }
        switch algorithm.dropFirst(prefix.count) {
        case "1": return .sha1
        case "256": return .sha256
        case "384": return .sha384
        case "512": return .sha512
        default: throw UnknownAlgorithm(name: algorithm)
        }
    }
}
