import CryptoCore
import TestSupport
import Testing

/// HMAC and AES-CMAC.
enum WycheproofMAC {
    struct Group: WycheproofGroup {
        let keySize: Int
        let tagSize: Int
        let tests: [Test]
    }

    struct Test: WycheproofTest {
        let tcId: Int
        let comment: String
        let flags: [String]
        let result: WycheproofResult
        let key: HexBytes
        let msg: HexBytes
        let tag: HexBytes
    }

    static func run(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        try WycheproofTally(file, Group.self) { group, test in
            let algorithm = try algorithm(header, group)
            let isValid = try algorithm.isValid(test.tag.bytes, for: test.msg.bytes, key: test.key.bytes)
            let code = try algorithm.authenticationCode(for: test.msg.bytes, key: test.key.bytes)
            #expect(isValid == (code == test.tag.bytes))
            return isValid ? .accepted : .refused
        }
    }

    private static func algorithm(_ header: WycheproofHeader, _ group: Group) throws -> MACAlgorithm {
        switch header.algorithm {
        case "HMACSHA1": try .hmac(.sha1, tagSize: group.tagSize / 8)
        case "HMACSHA256": try .hmac(.sha256, tagSize: group.tagSize / 8)
        case "HMACSHA384": try .hmac(.sha384, tagSize: group.tagSize / 8)
        case "HMACSHA512": try .hmac(.sha512, tagSize: group.tagSize / 8)
        case "AES-CMAC": try .aesCMAC(keySize: group.keySize / 8, tagSize: group.tagSize / 8)
        default: throw UnknownAlgorithm(name: header.algorithm)
        }
    }
}
