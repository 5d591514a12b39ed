import CryptoCore
import Foundation
import TestSupport
import Testing

/// HKDF.
enum WycheproofHKDF {
    struct Group: WycheproofGroup {
        let tests: [Test]
    }

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
        let hash = try hash(header)
        return try WycheproofTally(file, Group.self) { _, test in
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

    private static func hash(_ header: WycheproofHeader) throws -> HashAlgorithm {
        switch header.algorithm {
        case "HKDF-SHA-1": .sha1
        case "HKDF-SHA-256": .sha256
        case "HKDF-SHA-384": .sha384
        case "HKDF-SHA-512": .sha512
        default: throw UnknownAlgorithm(name: header.algorithm)
        }
    }
}

/// PBKDF2.
enum WycheproofPBKDF2 {
    struct Group: WycheproofGroup {
        let tests: [Test]
    }

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
        let hash = try hash(header)
        return try WycheproofTally(file, Group.self) { _, test in
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

    private static func hash(_ header: WycheproofHeader) throws -> HashAlgorithm {
        switch header.algorithm {
        case "PBKDF2-HMACSHA1": .sha1
        case "PBKDF2-HMACSHA256": .sha256
        case "PBKDF2-HMACSHA384": .sha384
        case "PBKDF2-HMACSHA512": .sha512
        default: throw UnknownAlgorithm(name: header.algorithm)
        }
    }
}
