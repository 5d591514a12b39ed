import CryptoCore
import TestSupport
import Testing

/// RSA-OAEP decryption.
enum WycheproofRSAOAEP {
    struct Group: WycheproofGroup {
        let sha: String
        let mgfSha: String
        let privateKeyPkcs8: HexBytes
        let tests: [Test]
    }

    struct Test: WycheproofTest {
        let tcId: Int
        let comment: String
        let flags: [String]
        let result: WycheproofResult
        let msg: HexBytes
        let ct: HexBytes
        let label: HexBytes
    }

    static func run(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        try WycheproofTally(file, Group.self, acceptable: decision) { group, test in
            guard group.sha == group.mgfSha else { return .outside("MGF1 with another hash function") }
            let key = try PrivateKey(pkcs8: group.privateKeyPkcs8.bytes, options: .insecureShortRSA)
            let hash = try hash(group)
            let message = try RSAOAEP.decrypt(test.ct.bytes, with: key, hash: hash, label: test.label.bytes)
            return message == SecretBytes(test.msg.bytes) ? .accepted : .refused
        }
    }

    /// SmallIntegerCiphertext: 0 and 1 decrypt to themselves, which reveals nothing; RFC 8017 accepts them.
    private static func decision(_ test: Test) -> WycheproofResult {
        test.flags.contains("SmallIntegerCiphertext") ? .valid : .acceptable
    }

    private static func hash(_ group: Group) throws -> HashAlgorithm {
        switch group.sha {
        case "SHA-1": .sha1
        case "SHA-256": .sha256
        case "SHA-384": .sha384
        case "SHA-512": .sha512
        default: throw UnknownAlgorithm(name: group.sha)
        }
    }
}

/// RSA decryption with the padding of PKCS #1 version 1.5.
enum WycheproofRSAPKCS1 {
    struct Group: WycheproofGroup {
        let privateKeyPkcs8: HexBytes
        let tests: [Test]
    }

    struct Test: WycheproofTest {
        let tcId: Int
        let comment: String
        let flags: [String]
        let result: WycheproofResult
        let msg: HexBytes
        let ct: HexBytes
    }

    /// A key that was made up for a wrong padding differs from the message, by chance of 2^-32 at the shortest.
    static func run(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        try WycheproofTally(file, Group.self) { group, test in
            let key = try PrivateKey(pkcs8: group.privateKeyPkcs8.bytes, options: .insecureShortRSA)
            let length = test.msg.bytes.count
            let decrypted = try InsecureRSAPKCS1v15.decryptKey(test.ct.bytes, with: key, length: length)
            return decrypted == SecretBytes(test.msg.bytes) ? .accepted : .refused
        }
    }
}
