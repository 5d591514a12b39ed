import CryptoCore
import TestSupport
import Testing

@Suite struct MACAlgorithmTests {
    static let algorithms: [(MACAlgorithm, keySize: Int, tagSize: Int)] = [
        (.hmac256_64, 32, 8), (.hmac256_256, 32, 32), (.hmac384_384, 48, 48), (.hmac512_512, 64, 64),
        (.aesMAC128_64, 16, 8), (.aesMAC256_64, 32, 8), (.aesMAC128_128, 16, 16), (.aesMAC256_128, 32, 16),
    ]

    @Test(arguments: algorithms)
    func tagsHaveTheirSizeAndAreChecked(_ algorithm: MACAlgorithm, _ keySize: Int, _ tagSize: Int) throws {
        let key = SecretBytes.random(count: keySize)
        let tag = try algorithm.authenticationCode(for: [1, 2, 3], key: key)
        #expect(tag.count == tagSize)
        #expect(algorithm.tagSize == tagSize)
        #expect(try algorithm.isValid(tag, for: [1, 2, 3], key: key))
        #expect(try !algorithm.isValid(tag, for: [1, 2, 4], key: key))
        #expect(try !algorithm.isValid(tag.dropLast(), for: [1, 2, 3], key: key))
        #expect(try !algorithm.isValid(tag + [0], for: [1, 2, 3], key: key))
        #expect(try !algorithm.isValid([UInt8](), for: [1, 2, 3], key: key))
        for bit in 0..<(tagSize * 8) {
            #expect(try !algorithm.isValid(tag.flipping(bit), for: [1, 2, 3], key: key))
        }
    }

    /// RFC 4231, section 4.6 (test case 5): codes cut off to 128 bits.
    @Test(arguments: [
        (HashAlgorithm.sha256, "a3b6167473100ee06e0c796c2955552b"),
        (.sha384, "3abf34c3503b2a23a46efc619baef897"),
        (.sha512, "415fad6271580a531d4179bc891d87a6"),
    ])
    func printedTruncatedCodes(_ hash: HashAlgorithm, _ tag: String) throws {
        let key = [UInt8](repeating: 0x0c, count: 20)
        let message = Array("Test With Truncation".utf8)
        let algorithm = try MACAlgorithm.hmac(hash, tagSize: 16)
        #expect(try algorithm.authenticationCode(for: message, key: key).hex == tag)
    }

    @Test func algorithmsByTheirParametersAreTheNamedOnes() throws {
        #expect(try MACAlgorithm.hmac(.sha256, tagSize: 8) == .hmac256_64)
        #expect(try MACAlgorithm.hmac(.sha512, tagSize: 64) == .hmac512_512)
        #expect(MACAlgorithm.hmac256_64.name == "HMAC 256/64")
        #expect(try MACAlgorithm.hmac(.sha1, tagSize: 20).name == "HMAC SHA-1/160")
        #expect(try MACAlgorithm.aesCMAC(keySize: 16, tagSize: 8).description == "AES-CMAC 128/64")
    }

    @Test func otherParametersAreRefused() {
        for size in [-1, 0, 7, 33] { expect(.invalidParameter) { _ = try MACAlgorithm.hmac(.sha256, tagSize: size) } }
        for size in [7, 17] { expect(.invalidParameter) { _ = try MACAlgorithm.aesCMAC(keySize: 16, tagSize: size) } }
        for size in [0, 15, 33] { expect(.invalidParameter) { _ = try MACAlgorithm.aesCMAC(keySize: size) } }
    }

    @Test(arguments: algorithms)
    func otherKeySizesAreRefused(_ algorithm: MACAlgorithm, _ keySize: Int, _ tagSize: Int) throws {
        expect(.invalidLength) { _ = try algorithm.authenticationCode(for: [1], key: [UInt8]()) }
        expect(.invalidLength) { _ = try algorithm.isValid([1], for: [1], key: [UInt8]()) }
        let longer = [UInt8](repeating: 0, count: keySize + 1)
        if algorithm.keySize == nil {
            #expect(try algorithm.authenticationCode(for: [1], key: longer).count == tagSize)
        } else {
            expect(.invalidLength) { _ = try algorithm.authenticationCode(for: [1], key: longer) }
        }
    }
}
