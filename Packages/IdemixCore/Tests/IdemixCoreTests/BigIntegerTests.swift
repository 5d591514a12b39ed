import CredentialTesting
import CryptoCore
import IdemixCore
import TestSupport
import Testing

@Suite struct BigIntegerTests {
    @Test func readsAndWritesDecimalText() throws {
        let text = "-123456789012345678901234567890"
        #expect(try #require(BigInteger(decimal: text)).decimal == text)
        #expect(BigInteger(decimal: "0")?.decimal == "0")
        #expect(BigInteger(decimal: "") == nil)
        #expect(BigInteger(decimal: "-") == nil)
        #expect(BigInteger(decimal: "12a") == nil)
        #expect(BigInteger(decimal: " 1") == nil)
        #expect(BigInteger(decimal: "123", maximumDigits: 2) == nil)
    }

    @Test func readsAndWritesBytes() {
        #expect(BigInteger(bytes: [0, 0, 1, 0]) == 256)
        #expect(BigInteger(256).bytes == [1, 0])
        #expect(BigInteger.zero.bytes == [])
        #expect(BigInteger(5).bytes(paddedTo: 3) == [0, 0, 5])
    }

    @Test func obeysTheLawsOfARing() {
        let randomness = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 1))
        for bits in [1, 63, 64, 65, 2_048] {
            let a = BigInteger.random(bits: bits, using: randomness)
            let b = -BigInteger.random(bits: bits, using: randomness)
            let c = BigInteger.random(bits: 100, using: randomness)
            #expect((a + b) * c == a * c + b * c)
            #expect(a - b == a + (-b))
            #expect((a + b).bitCount <= bits)
            #expect(BigInteger(decimal: (a * b).decimal) == a * b)
            #expect(BigInteger(bytes: a.bytes) == a)
        }
    }

    @Test func showsNoDigits() {
        let secret = BigInteger(123_456_789)
        #expect("\(secret)" == "BigInteger(27 bits)")
        #expect(String(reflecting: secret) == "BigInteger(27 bits)")
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test func tellsPrimesFromComposites() throws {
        let mersenne = BigInteger.powerOfTwo(127) - 1
        #expect(mersenne.isProbablyPrime(rounds: 5))
        #expect(!(mersenne * 3).isProbablyPrime(rounds: 5))
        #expect([2, 3, 5, 7, 97].allSatisfy { BigInteger($0).isProbablyPrime(rounds: 2) })
        #expect([-7, 0, 1, 4, 561, 1_105].allSatisfy { !BigInteger($0).isProbablyPrime(rounds: 2) })
    }

    @Test func drawsBelowTheBound() {
        let randomness = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 2))
        let bound = BigInteger.powerOfTwo(70) + 5
        for _ in 0..<100 { #expect(BigInteger.random(below: bound, using: randomness) < bound) }
        #expect(BigInteger.random(below: .zero, using: randomness) == .zero)
        #expect(BigInteger.random(bits: -1, using: randomness) == .zero)
    }
}
