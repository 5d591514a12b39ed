import CryptoCore

extension IdemixSystemParameters {
    /// The range of the prime e of a signature: from 2^(l_e − 1) to 2^(l_e − 1) + 2^(l'_e − 1).
    var ePrimes: ClosedRange<BigInteger> {
        let start = BigInteger.powerOfTwo(e - 1)
        return start...(start + BigInteger.powerOfTwo(ePrime - 1))
    }

    /// A random prime of that range.
    func randomEPrime(using randomness: some RandomSource) throws(IdemixError) -> BigInteger {
        try PrimeSearch(start: BigInteger.powerOfTwo(e - 1), bits: ePrime - 1).next(using: randomness)
    }
}
