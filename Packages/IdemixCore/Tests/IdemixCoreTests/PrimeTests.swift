import CredentialTesting
import CryptoCore
import IdemixCore
import TestSupport
import Testing

/// The search for primes, and the test of primes that others have chosen.
@Suite struct PrimeTests {
    private let randomness = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 22))

    @Test(arguments: [(645, 119), (597, 119), (4, 195), (64, 40)])
    func findsPrimesOfItsRange(_ startBits: Int, _ bits: Int) {
        let start = BigInteger.powerOfTwo(startBits - 1)
        let search = PrimeSearch(start: start, bits: bits)
        let primes = (0..<5).map { _ in search.next(using: randomness) }
        #expect(Set(primes).count == primes.count)
        for prime in primes {
            #expect(prime > start && prime < start + BigInteger.powerOfTwo(bits))
            #expect(prime.isProbablyPrime(rounds: 40))
        }
    }

    /// Many primes of a range are found, and no other number.
    @Test func findsManyPrimesOfASmallRange() {
        let search = PrimeSearch(start: BigInteger.powerOfTwo(40), bits: 8)
        let found = Set((0..<200).map { _ in (search.next(using: randomness) - BigInteger.powerOfTwo(40)).int ?? -1 })
        let primes = Set((0..<256).filter { (BigInteger.powerOfTwo(40) + BigInteger($0)).isProbablyPrime(rounds: 20) })
        #expect(found.isSubset(of: primes) && found.count > primes.count / 2)
    }

    @Test(arguments: [200, 597, 645, 901, 1_024, 2_048])
    func agreesWithSingleRounds(_ bits: Int) {
        for _ in 0..<4 {
            let start = BigInteger.powerOfTwo(bits - 1)
            let (p, q) = (
                PrimeSearch(start: start, bits: bits - 1).next(using: randomness),
                PrimeSearch(start: BigInteger.powerOfTwo(bits / 2), bits: 60).next(using: randomness)
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
    @Test func eightRoundsFindComposites() {
        var found = 0
        while found < 3 {
            let p = PrimeSearch(start: BigInteger.powerOfTwo(320), bits: 300).next(using: randomness)
            let q = 2 * p - 1
            guard q.isProbablyPrime(rounds: 8) else { continue }
            found += 1
            #expect(EightStrongTests(p * q)?.pass(using: randomness) != true)
            #expect(!(p * q).isProbablyPrime(rounds: 8))
        }
    }
}
