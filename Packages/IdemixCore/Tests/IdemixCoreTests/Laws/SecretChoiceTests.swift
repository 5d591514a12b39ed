import CredentialTesting
import CryptoCore
import IdemixCore
import TestSupport
import Testing

/// Square roots of the owner of the factors, in constant time.
@Suite struct SquareRootTests {
    private static let none = LimbBuffer(.zero, count: 1)
    private static let negative = LimbBuffer(.one, count: 1)

    /// 3 and 7 modulo 8, and 5 modulo 8.
    @Test(arguments: [(1_019, 1_031), (1_019, 1_013), (1_021, 1_013)])
    func findsAllFourRoots(p: Int, q: Int) throws {
        let group = try #require(FactoredGroup(p: BigInteger(p), q: BigInteger(q)))
        let n = BigInteger(p) * BigInteger(q)
        for number in [2, 3, 12_345, 700_001] {
            let square = (BigInteger(number) * BigInteger(number)).modulo(n)
            var roots: Set<BigInteger> = []
            for signP in [Self.none, Self.negative] {
                for signQ in [Self.none, Self.negative] {
                    let root = group.squareRoot(of: square, times: [1], negates: (signP, signQ))
                    roots.insert(try #require(root))
                }
            }
            #expect(roots.count == 4)
            #expect(roots.contains(BigInteger(number)))
            #expect(roots.allSatisfy { ($0 * $0).modulo(n) == square })
        }
    }

    @Test func takesTheFirstMultipleWithARoot() throws {
        let (p, q): (BigInteger, BigInteger) = (1_019, 1_031)
        let group = try #require(FactoredGroup(p: p, q: q))
        let n = p * q
        let multipliers = [1, n - 1, 2, n - 2]
        var taken: Set<BigInteger> = []
        for number in 2..<60 {
            let x = BigInteger(number)
            let root = try #require(group.squareRoot(of: x, times: multipliers, negates: (Self.none, Self.none)))
            let matching = multipliers.filter { (root * root).modulo(n) == (x * $0).modulo(n) }
            #expect(matching.count == 1)
            taken.formUnion(matching)
        }
        #expect(taken.count == 4)
        // −1 is no square, and nor is 1 of it.
        #expect(group.squareRoot(of: n - 1, times: [1], negates: (Self.none, Self.none)) == nil)
    }
}

/// Choices by secret bits, and products that take one of two residues.
@Suite struct ChoiceTests {
    private let zero = LimbBuffer(.zero, count: 1)
    private let one = LimbBuffer(.one, count: 1)

    @Test func choosesByABit() {
        let (long, short) = (LimbBuffer(.powerOfTwo(100), count: 2), LimbBuffer(7, count: 1))
        #expect(LimbBuffer.choose(one, long, short).number == .powerOfTwo(100))
        #expect(LimbBuffer.choose(zero, long, short).number == 7)
        #expect(LimbBuffer.choose(zero, short, long).number == .powerOfTwo(100))
    }

    @Test func comparesAndCombinesBits() {
        let number = LimbBuffer(.powerOfTwo(64) + 5, count: 2)
        #expect([0, 1, 2, 63, 64, 65].map { number.bit($0).number } == [1, 0, 1, 0, 1, 0])
        #expect(number.equality(with: LimbBuffer(.powerOfTwo(64) + 5, count: 2)).number == 1)
        #expect(number.equality(with: LimbBuffer(.powerOfTwo(64) + 4, count: 2)).number == 0)
        #expect(number.equality(with: LimbBuffer(5, count: 1)).number == 0)
        #expect((number ^ LimbBuffer(4, count: 1)).number == .powerOfTwo(64) + 1)
    }

    @Test func takesRowsApart() {
        let long = LimbBuffer(.powerOfTwo(64) + 6, count: 3)
        let joined = LimbBuffer(joining: [LimbBuffer(5, count: 1), long], width: 2)
        #expect(joined.count == 4)
        #expect(LimbBuffer(joined, from: 0, count: 2).number == 5)
        #expect(LimbBuffer(joined, from: 2, count: 2).number == .powerOfTwo(64) + 6)
    }

    @Test(arguments: [1_000_003, 170_141])
    func multipliesByOneOfTwo(modulus: Int) {
        // With and without digits, above all.
        let n = BigInteger(modulus) * .powerOfTwo(900) + 1
        for usesDigits in [true, false] {
            let modulus = MontgomeryModulus(n, usesDigits: usesDigits)
            let pair = ResiduePair(modulus.residue(of: 3), modulus.residue(of: 5), modulus: modulus)
            for (bit, factor) in [(zero, 3), (one, 5)] as [(LimbBuffer, BigInteger)] {
                for timing in [Timing.constant, .variable] {
                    var product = PowerProduct(modulus, timing: timing)
                    product.multiply(oneOf: pair, second: bit)
                    product.multiply(BigInteger(7), to: 11, bits: 4)
                    #expect(product.value() == (BigInteger(7).power(11, modulo: n) * factor).modulo(n))
                }
            }
        }
    }
}

@Suite struct FiatShamirPartTests {
    /// Lengths of DER in one, two and three bytes; no part, and parts of nothing.
    @Test(arguments: [0, 1, 3, 40, 600])
    func partsHashLikeTheWhole(count: Int) {
        let source = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 7))
        let values = (0..<count).map { BigInteger.random(bits: 8 * $0 + 1, using: source) }
        for size in [1, 7, 1_000] {
            let parts = stride(from: 0, to: count, by: size).map { start in
                var part = FiatShamirPart()
                for value in values[start..<min(start + size, count)] { part.append(value) }
                return part
            }
            #expect(FiatShamir.hash(joining: parts + [FiatShamirPart()]) == FiatShamir.hash(values))
        }
    }
}
