import CryptoCore

/// Writes numbers as sums of squares (Rabin and Shallit's randomized algorithm).
enum SumOfSquares {
    /// The largest number of draws.
    ///
    /// For numbers of 512 bits about one in 180 leads to a sum of two squares.
    private static let maximumDraws = 1 << 14

    /// Four numbers whose squares add up to a number that is not negative.
    ///
    /// - Throws: ``IdemixError/Code/randomnessFailed`` for a source of randomness that repeats itself.
    static func four(
        _ number: BigInteger,
        using randomness: some RandomSource
    ) throws(IdemixError) -> [BigInteger] {
        guard number > 0 else { return [.zero, .zero, .zero, .zero] }
        switch number.remainder(dividingBy: 4) {
        case 0:
            // n/4 = Σ d² gives n = Σ (2d)².
            return try four(ofReduced: number, using: randomness)
        case 2:
            let x = evenOrOddRoot(below: number, odd: true, using: randomness)
            return try fourOfTwiceOdd(number, first: x, using: randomness)
        default:
            // 2n = Σ d² with two odd and two even d: halve sums and differences of equal parity.
            let doubled = try four(number.shiftedLeft(by: 1), using: randomness)
            let pairs = doubled.filter(\.isOdd) + doubled.filter { !$0.isOdd }
            return [
                (pairs[0] + pairs[1]).magnitude.shiftedRight(by: 1),
                (pairs[0] - pairs[1]).magnitude.shiftedRight(by: 1),
                (pairs[2] + pairs[3]).magnitude.shiftedRight(by: 1),
                (pairs[2] - pairs[3]).magnitude.shiftedRight(by: 1),
            ]
        }
    }

    /// Three numbers whose squares add up to a positive number that is 2 modulo 4.
    ///
    /// - Throws: ``IdemixError/Code/randomnessFailed`` for a source of randomness that repeats itself.
    static func three(
        _ number: BigInteger,
        using randomness: some RandomSource
    ) throws(IdemixError) -> [BigInteger] {
        for _ in 0..<maximumDraws {
            // With x odd, n − x² is 1 modulo 4.
            let x = evenOrOddRoot(below: number, odd: true, using: randomness)
            if let (z, w) = two(number - x * x, using: randomness) { return [x, z, w] }
        }
        throw exhausted
    }

    private static var exhausted: IdemixError {
        IdemixError(
            .randomnessFailed,
            "no sum of squares in \(maximumDraws) draws: the source of randomness repeats itself"
        )
    }

    private static func four(
        ofReduced number: BigInteger,
        using randomness: some RandomSource
    ) throws(IdemixError) -> [BigInteger] {
        var rest = number
        var shift = 0
        while rest.remainder(dividingBy: 4) == 0 {
            rest = rest.shiftedRight(by: 2)
            shift += 1
        }
        return try four(rest, using: randomness).map { $0.shiftedLeft(by: shift) }
    }

    private static func fourOfTwiceOdd(
        _ number: BigInteger,
        first: BigInteger,
        using randomness: some RandomSource
    ) throws(IdemixError) -> [BigInteger] {
        var x = first
        for _ in 0..<maximumDraws {
            // With x odd and y even, n − x² − y² is 1 modulo 4.
            let y = evenOrOddRoot(below: number - x * x, odd: false, using: randomness)
            if let (z, w) = two(number - x * x - y * y, using: randomness) { return [x, y, z, w] }
            x = evenOrOddRoot(below: number, odd: true, using: randomness)
        }
        throw exhausted
    }

    /// A random even or odd number whose square is not above a limit; for an odd one the limit is at least 1.
    private static func evenOrOddRoot(
        below limit: BigInteger,
        odd: Bool,
        using randomness: some RandomSource
    ) -> BigInteger {
        let root = limit.squareRoot
        let count = (odd ? root + 1 : root + 2).shiftedRight(by: 1)
        return BigInteger.random(below: count, using: randomness).shiftedLeft(by: 1) + (odd ? 1 : 0)
    }

    /// Two numbers whose squares add up to p: for a prime that is 1 modulo 4, and for any small number where there are
    /// such; nil otherwise.
    private static func two(_ p: BigInteger, using randomness: some RandomSource) -> (BigInteger, BigInteger)? {
        // Among small numbers primes are not enough: 34 is no sum of an odd square and a prime that is 1 modulo 4.
        if let small = p.int, small < 1 << 20 { return two(small).map { (BigInteger($0), BigInteger($1)) } }
        guard p.remainder(dividingBy: 4) == 1, p.isProbablyPrime(rounds: 1, using: randomness) else { return nil }
        // r² = −1 modulo p: g^((p−1)/4) for a non-residue g. Then Euclid's algorithm on p and r, down to √p.
        var g = BigInteger(2)
        while g.jacobiSymbol(over: p) != -1 { g = g + 1 }
        var (a, b) = (p, g.power((p - 1).shiftedRight(by: 2), modulo: p))
        let root = p.squareRoot
        while b > root { (a, b) = (b, a.modulo(b)) }
        let w = (p - b * b).squareRoot
        return b * b + w * w == p ? (b, w) : nil
    }

    private static func two(_ number: Int) -> (Int, Int)? {
        for first in 0...1_024 where first * first <= number {
            let rest = number - first * first
            let second = Int(Double(rest).squareRoot().rounded())
            if second * second == rest { return (first, second) }
        }
        return nil
    }
}
