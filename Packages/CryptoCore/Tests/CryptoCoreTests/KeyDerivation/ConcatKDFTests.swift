import CryptoCore
import Foundation
import TestSupport
import Testing

@Suite struct ConcatKDFTests {
    /// RFC 7518, appendix C.
    @Test func printedExample() throws {
        let sharedSecret = try #require(
            [UInt8](hex: "9e56d91d817135d372834283bf84269cfb316ea3da806a48f6daa7798cfe90c4")
        )
        let key = try ConcatKDF.deriveKey(
            sharedSecret: sharedSecret,
            algorithmID: "A128GCM",
            partyUInfo: Array("Alice".utf8),
            partyVInfo: Array("Bob".utf8),
            length: 16
        )
        let expected = try #require([UInt8](hex: "56aa8deaf8236d205c2228cd71a7101a"))
        #expect(key == SecretBytes(expected))
    }

    @Test func otherInfoIsTheConcatenationOfItsFields() throws {
        let info: [UInt8] = [0, 0, 0, 1, 0x41, 0, 0, 0, 0, 0, 0, 0, 2, 7, 8, 0, 0, 1, 0]
        let key = try ConcatKDF.deriveKey(sharedSecret: [9], algorithmID: "A", partyVInfo: [7, 8], length: 32)
        let digest = HashAlgorithm.sha256.digest(of: [0, 0, 0, 1, 9] + info)
        #expect(key == SecretBytes(digest))
    }

    @Test(arguments: [HashAlgorithm.sha1, .sha256, .sha384, .sha512])
    func longerKeysAreDigestsInARow(_ hash: HashAlgorithm) throws {
        let first = hash.digest(of: [0, 0, 0, 1, 1, 2, 3, 4] as [UInt8])
        let second = hash.digest(of: [0, 0, 0, 2, 1, 2, 3, 4] as [UInt8])
        for length in [1, hash.digestSize - 1, hash.digestSize, hash.digestSize + 1, 2 * hash.digestSize] {
            let key = try ConcatKDF.deriveKey(hash: hash, sharedSecret: [1, 2], otherInfo: [3, 4], length: length)
            #expect(key == SecretBytes((first + second).prefix(length)))
        }
    }

    @Test(arguments: [0, -1, Int.min, Int.max])
    func lengthsWithoutAKeyAreRefused(_ length: Int) {
        expect(.invalidParameter) {
            _ = try ConcatKDF.deriveKey(hash: .sha256, sharedSecret: [1], otherInfo: [UInt8](), length: length)
        }
        expect(.invalidParameter) {
            _ = try ConcatKDF.deriveKey(sharedSecret: [1], algorithmID: "A128GCM", length: length)
        }
    }

    @Test func aLengthWhoseBitsDoNotFitIntoTheirFieldIsRefused() {
        expect(.invalidParameter) {
            _ = try ConcatKDF.deriveKey(sharedSecret: [1], algorithmID: "A128GCM", length: 1 << 29)
        }
    }

    static let files = VectorSet("jose").files(withExtension: "json").filter { $0.path.hasPrefix("ecdh_es") }

    @Test(.enabled(if: VectorSet("jose").isAvailable, VectorSet.absence), arguments: files)
    func vectors(_ file: VectorFile) throws {
        let tests = try file.decode(ConcatKDFVectors.self).tests
        for test in tests {
            let expected = try #require(Data(base64URL: test.derived))
            let key = try ConcatKDF.deriveKey(
                sharedSecret: try #require(Data(base64URL: test.z)),
                algorithmID: test.enc,
                partyUInfo: try #require(Data(base64URL: test.apu)),
                partyVInfo: try #require(Data(base64URL: test.apv)),
                length: expected.count
            )
            #expect(key == SecretBytes(expected))
        }
        #expect(!tests.isEmpty)
        file.report(ran: tests.count)
    }
}

/// The form of the files `jose/ecdh_es*.json`.
private struct ConcatKDFVectors: Decodable {
    let tests: [Test]

    struct Test: Decodable {
        let enc: String
        let apu: String
        let apv: String
        let z: String
        let derived: String
    }
}

extension Data {
    fileprivate init?(base64URL text: String) {
        let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        self.init(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
    }
}
