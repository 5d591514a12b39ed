import CIdemixCoreGMP
public import CryptoCore

extension BigInteger {
    /// A number of 0 ..< 2^bits, each with the same probability.
    public static func random(bits: Int, using randomness: some RandomSource = .system) -> BigInteger {
        guard bits > 0 else { return .zero }
        var bytes = randomness.bytes((bits + 7) / 8)
        defer { unsafe bytes.withUnsafeMutableBytes { unsafe idemix_wipe_bytes($0.baseAddress, $0.count) } }
        if bits % 8 != 0, let first = bytes.first { bytes[0] = first & (1 << UInt8(bits % 8) - 1) }
        return BigInteger(bytes: bytes)
    }

    /// A number of 0 ..< bound, each with the same probability; zero for a bound that is not positive.
    ///
    /// If a source gives 256 numbers in a row that are not below the bound, which happens by chance once in 2^256, the next one is
    /// reduced modulo the bound.
    public static func random(
        below bound: BigInteger,
        using randomness: some RandomSource = .system
    ) -> BigInteger {
        guard bound.sign > 0 else { return .zero }
        let bits = (bound - 1).bitCount
        // Each draw is below the bound with a probability of more than one half.
        for _ in 0..<256 {
            let candidate = random(bits: bits, using: randomness)
            if candidate < bound { return candidate }
        }
        return random(bits: bits, using: randomness).modulo(bound)
    }

    /// A number of smallest ..< 2^bits, each with the same probability.
    ///
    /// - Parameters:
    ///   - bits: The number of bits.
    ///   - smallest: At most half of 2^bits, so that a source that gives 256 smaller numbers in a row, of which the
    ///     last is then moved up, repeats itself.
    ///   - randomness: The source.
    static func random(
        bits: Int,
        atLeast smallest: BigInteger,
        using randomness: some RandomSource
    ) -> BigInteger {
        for _ in 0..<256 {
            let candidate = random(bits: bits, using: randomness)
            if candidate >= smallest { return candidate }
        }
        return random(bits: bits - 1, using: randomness) + smallest
    }

    /// A unit modulo n, a product of two large primes: nearly every number below it is one.
    ///
    /// - Throws: ``IdemixError/Code/randomnessFailed`` for a source of randomness that repeats itself.
    static func randomUnit(
        modulo n: BigInteger,
        using randomness: some RandomSource
    ) throws(IdemixError) -> BigInteger {
        for _ in 0..<128 {
            let candidate = random(below: n, using: randomness)
            if candidate.greatestCommonDivisor(with: n) == .one { return candidate }
        }
        throw IdemixError(.randomnessFailed, "no unit among 128 draws: the source of randomness repeats itself")
    }
}
