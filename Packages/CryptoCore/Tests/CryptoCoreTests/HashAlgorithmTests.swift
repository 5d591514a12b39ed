import CryptoCore
import TestSupport
import Testing

@Suite struct HashAlgorithmTests {
    /// The digests of "abc" that FIPS 180-4's examples print.
    static let digestsOfABC: [(HashAlgorithm, String)] = [
        (.sha1, "a9993e36 4706816a ba3e2571 7850c26c 9cd0d89d"),
        (.sha256, "ba7816bf 8f01cfea 414140de 5dae2223 b00361a3 96177a9c b410ff61 f20015ad"),
        (
            .sha384,
            """
            cb00753f45a35e8b b5a03d699ac65007 272c32ab0eded163 1a8b605a43ff5bed
            8086072ba1e7cc23 58baeca134c825a7
            """
        ),
        (
            .sha512,
            """
            ddaf35a193617aba cc417349ae204131 12e6fa4e89a97ea2 0a9eeee64b55d39a
            2192992a274fc1a8 36ba3c23a3feebbd 454d4423643ce80e 2a9ac94fa54ca49f
            """
        ),
    ]

    @Test(arguments: digestsOfABC)
    func digestOfABC(hash: HashAlgorithm, expected: String) throws {
        let expected = try #require([UInt8](hex: expected))
        #expect(hash.digest(of: Array("abc".utf8)) == expected)
        #expect(expected.count == hash.digestSize)
        var hasher = HashAlgorithm.Hasher(hash)
        hasher.update(Array("a".utf8))
        let early = hasher.finalize()
        hasher.update(Array("bc".utf8))
        #expect(hasher.finalize() == expected)
        #expect(early != expected)
    }

    /// At once and in pieces, where a block is left open, filled or passed.
    @Test(arguments: [HashAlgorithm.sha1, .sha256, .sha384, .sha512])
    func aDigestAtOnceIsThatOfThePieces(hash: HashAlgorithm) {
        let message = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for count in 0...message.count {
            var hasher = HashAlgorithm.Hasher(hash)
            hasher.update(message[..<(count / 3)])
            hasher.update(message[(count / 3)..<count])
            let digest = hasher.finalize()
            #expect(hash.digest(of: message[..<count]) == digest)
            #expect(hash.isDigest(digest, of: message[..<count]))
            var appended: [UInt8] = [1, 2]
            hash.appendDigest(of: message[..<count], to: &appended)
            #expect(appended == [1, 2] + digest)
        }
    }

    @Test(arguments: [HashAlgorithm.sha1, .sha256, .sha384, .sha512])
    func everyByteOfADigestCounts(hash: HashAlgorithm) {
        let digest = hash.digest(of: [1, 2, 3])
        for index in digest.indices {
            var other = digest
            other[index] ^= 1
            #expect(!hash.isDigest(other, of: [1, 2, 3]))
        }
        #expect(!hash.isDigest(digest.dropLast(), of: [1, 2, 3]))
        #expect(!hash.isDigest(digest + [0], of: [1, 2, 3]))
        #expect(!hash.isDigest([UInt8](), of: [1, 2, 3]))
    }
}
