import CryptoCore

extension IdemixSystemParameters {
    /// The range of the prime e of a signature: from 2^(l_e − 1) to 2^(l_e − 1) + 2^(l'_e − 1).
    var ePrimes: ClosedRange<BigInteger> {
        let start = BigInteger.powerOfTwo(e - 1)
        return start...(start + BigInteger.powerOfTwo(ePrime - 1))
    }

    /// A random prime of that range.
    func randomEPrime(using randomness: some RandomSource) -> BigInteger {
        BigInteger.randomPrime(from: BigInteger.powerOfTwo(e - 1), bits: ePrime - 1, using: randomness)
    }
}

extension BigInteger {
    /// A random prime of start ..< start + 2^bits, where start is even.
    static func randomPrime(from start: BigInteger, bits: Int, using randomness: some RandomSource) -> BigInteger {
        while true {
            var candidate = start + BigInteger.random(bits: bits, using: randomness)
            if !candidate.isOdd { candidate = candidate + 1 }
            if hasNoSmallFactor(candidate), candidate.isProbablyPrime(rounds: 20, using: randomness) {
                return candidate
            }
        }
    }

    /// Returns `true` if none of the odd primes up to 53 divides the number.
    private static func hasNoSmallFactor(_ candidate: BigInteger) -> Bool {
        // The product of 3, 5, …, 53 fits a word.
        let remainder = candidate.remainder(dividingBy: 16_294_579_238_595_022_365)
        return [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53].allSatisfy { remainder % $0 != 0 }
    }
}
