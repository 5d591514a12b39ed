import CredentialTesting
import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

/// The search for primes, and the test of primes that others have chosen.
@Suite struct PrimeTests {
    private let randomness = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 22))

    @Test(arguments: [(645, 119), (597, 119), (4, 195), (64, 40)])
    func findsPrimesOfItsRange(_ startBits: Int, _ bits: Int) throws {
        let start = BigInteger.powerOfTwo(startBits - 1)
        let search = PrimeSearch(start: start, bits: bits)
        let primes = try (0..<5).map { _ in try search.next(using: randomness) }
        #expect(Set(primes).count == primes.count)
        for prime in primes {
            #expect(prime > start && prime < start + BigInteger.powerOfTwo(bits))
            #expect(prime.isProbablyPrime(rounds: 40))
        }
    }

    /// Many primes of a range are found, and no other number.
    @Test func findsManyPrimesOfASmallRange() throws {
        let search = PrimeSearch(start: BigInteger.powerOfTwo(40), bits: 8)
        let found = try Set(
            (0..<200).map { _ in try (search.next(using: randomness) - BigInteger.powerOfTwo(40)).int ?? -1 }
        )
        let primes = Set((0..<256).filter { (BigInteger.powerOfTwo(40) + BigInteger($0)).isProbablyPrime(rounds: 20) })
        #expect(found.isSubset(of: primes) && found.count > primes.count / 2)
    }

    @Test(arguments: [200, 597, 645, 901, 1_024, 2_048])
    func agreesWithSingleRounds(_ bits: Int) throws {
        for _ in 0..<4 {
            let start = BigInteger.powerOfTwo(bits - 1)
            let (p, q) = (
                try PrimeSearch(start: start, bits: bits - 1).next(using: randomness),
                try PrimeSearch(start: BigInteger.powerOfTwo(bits / 2), bits: 60).next(using: randomness)
            )
            for number in [p, p + 2, q * q, q * (q + 2)] {
                #expect(number.isProbablyPrime(rounds: 8) == number.isProbablyPrime(rounds: 1))
                // Without the Baillie–PSW test in front.
                guard let eight = EightStrongTests(number), number.isOdd else { continue }
                #expect(eight.pass(using: randomness) == number.isProbablyPrime(rounds: 1))
            }
        }
    }

    /// (x + 1)·(2x + 1) of two primes has the most bases that a composite can pass with, nearly one in four: of eight
    /// bases one fails, but for one test in 65,536.
    @Test func eightRoundsFindComposites() throws {
        var found = 0
        while found < 3 {
            let p = try PrimeSearch(start: BigInteger.powerOfTwo(320), bits: 300).next(using: randomness)
            let q = 2 * p - 1
            guard q.isProbablyPrime(rounds: 8) else { continue }
            found += 1
            #expect(EightStrongTests(p * q)?.pass(using: randomness) != true)
            #expect(!(p * q).isProbablyPrime(rounds: 8))
        }
    }

    /// The search ends: with a prime of the range, if the one candidate happens to be prime, or with an error.
    @Test(arguments: [(645, 119), (120, 119), (64, 40)])
    func endsWithASourceThatRepeatsItself(_ startBits: Int, _ bits: Int) {
        let start = BigInteger.powerOfTwo(startBits - 1)
        var failures = 0
        for byte in [0, 1, 0x5a, 0x7f, 0x80, 0xff] as [UInt8] {
            do throws(IdemixError) {
                let prime = try PrimeSearch(start: start, bits: bits).next(using: ConstantSource(byte: byte))
                #expect(prime > start && prime < start + BigInteger.powerOfTwo(bits))
                #expect(prime.isProbablyPrime(rounds: 20))
            } catch {
                #expect(error.code == .randomnessFailed)
                failures += 1
            }
        }
        #expect(failures >= 4)
    }

    @Test(arguments: [0, 0xff] as [UInt8])
    func aKeyPairNeedsASourceThatDoesNotRepeatItself(_ byte: UInt8) {
        let error = #expect(throws: IdemixError.self) {
            try IdemixIssuerKeyPair.generate(
                .bits1024,
                counter: 0,
                expiryDate: Date(timeIntervalSince1970: 1_800_000_000),
                baseCount: 2,
                using: ConstantSource(byte: byte)
            )
        }
        #expect(error?.code == .randomnessFailed)
    }

    @Test func numbersBelowABoundOfASourceThatRepeatsItself() {
        for bound in [1, 2, 3, 129, 1_000_003] {
            for byte in [0, 0x80, 0xff] as [UInt8] {
                let number = BigInteger.random(below: BigInteger(bound), using: ConstantSource(byte: byte))
                #expect(number >= .zero && number < BigInteger(bound))
            }
        }
    }
}
