import CryptoCore
import IdemixCore

/// The prime Γ of the group that the numbers of a proof are committed to in: a safe prime that the modulus n determines
/// the length of.
enum GroupPrime {
    /// The number of bits that a response in a proof of an interval hides its secret with.
    static let hidingBits = 256

    /// Safe primes 2^bits − difference, which both parties know beforehand.
    static let known: [(bits: Int, difference: Int)] = [
        (787, 7_341), (836, 12_077), (912, 7_577), (933, 6_249), (985, 3_645), (1_008, 3_317), (1_259, 2_505),
        (1_307, 4_425), (1_503, 1_629), (1_567, 3_309), (2_043, 11_301), (2_145, 429), (2_639, 163_185),
        (2_659, 91_209), (2_661, 71_745), (2_705, 5_445), (4_099, 5_025), (4_682, 190_265), (4_743, 268_629),
    ]

    /// The shortest length of Γ for a modulus.
    private static func leastBits(modulusBits: Int) -> Int { modulusBits + 2 * hidingBits + 10 }

    /// The known prime that is less than 100 bits longer than needed, or nil.
    private static func knownEntry(modulusBits: Int) -> (bits: Int, difference: Int)? {
        let least = leastBits(modulusBits: modulusBits)
        return known.first { $0.bits > least && $0.bits < least + 100 }
    }

    /// The known prime for a modulus, or nil where the prover generates one.
    static func knownPrime(modulusBits: Int) -> BigInteger? {
        knownEntry(modulusBits: modulusBits).map { BigInteger.powerOfTwo($0.bits) - BigInteger($0.difference) }
    }

    /// The length of Γ for a modulus, in bits.
    static func bits(modulusBits: Int) -> Int {
        knownEntry(modulusBits: modulusBits)?.bits ?? leastBits(modulusBits: modulusBits)
    }

    /// The known prime, or one that is generated.
    ///
    /// - Throws: `IdemixError.Code.cancelled`, `IdemixError.Code.randomnessFailed`.
    static func choose(modulusBits: Int, using randomness: some RandomSource) throws(IdemixError) -> BigInteger {
        if let prime = knownPrime(modulusBits: modulusBits) { return prime }
        let half = try SafePrimeSearch(bits: bits(modulusBits: modulusBits) - 1)
            .next(using: randomness) { () throws(IdemixError) in try Task.checkNotCancelled() }
        return half.shiftedLeft(by: 1) + 1
    }

    /// Returns `true` for a prime that an honest prover may have chosen.
    static func isAcceptable(
        _ prime: BigInteger,
        modulusBits: Int,
        using randomness: some RandomSource
    ) -> Bool {
        if let known = knownPrime(modulusBits: modulusBits) { return prime == known }
        return prime.bitCount == bits(modulusBits: modulusBits) && prime.isOdd
            && prime.shiftedRight(by: 1).isProbablyPrime(rounds: 80, using: randomness)
            && prime.isProbablyPrime(rounds: 80, using: randomness)
    }
}

extension Task where Success == Never, Failure == Never {
    /// Ends the work of a cancelled task.
    ///
    /// - Throws: `IdemixError.Code.cancelled`.
    static func checkNotCancelled() throws(IdemixError) {
        if isCancelled { throw IdemixError(.cancelled, "the caller cancelled") }
    }
}
