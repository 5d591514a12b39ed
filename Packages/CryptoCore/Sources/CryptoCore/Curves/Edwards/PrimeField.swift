/// The integers modulo an odd prime of at most 448 bits, for checks of public values.
///
/// Elements that were multiplied stand in Montgomery form: x is held as x·R with R = 2^(64·words). R is a square, so
/// that whether an element is one can be told without converting back.
struct PrimeField: Sendable {
    let prime: WideInteger
    private let words: Int
    /// −p⁻¹ mod 2⁶⁴.
    private let negatedInverse: UInt64
    /// R mod p: one in Montgomery form.
    let one: WideInteger
    /// R² mod p, which brings an element into Montgomery form.
    private let squaredR: WideInteger

    /// The field of a prime of the given size in bits.
    init(_ prime: WideInteger, bits: Int) {
        self.prime = prime
        words = (bits + 63) / 64
        negatedInverse = Self.negatedInverse(of: prime[0])
        var power = WideInteger(1)
        for _ in 0..<(64 * words) { power = Self.doubled(power, prime) }
        one = power
        for _ in 0..<(64 * words) { power = Self.doubled(power, prime) }
        squaredR = power
    }

    /// Newton's iteration doubles the number of correct bits each time; an odd number is its own inverse modulo 8.
    private static func negatedInverse(of word: UInt64) -> UInt64 {
        var inverse = word
        for _ in 0..<5 { inverse = inverse &* (2 &- word &* inverse) }
        return 0 &- inverse
    }

    private static func doubled(_ value: WideInteger, _ prime: WideInteger) -> WideInteger {
        let double = value + value
        return double < prime ? double : double - prime
    }

    /// Brings a number below the prime into Montgomery form.
    func element(_ value: WideInteger) -> WideInteger { multiply(value, squaredR) }

    func add(_ left: WideInteger, _ right: WideInteger) -> WideInteger {
        let sum = left + right
        return sum < prime ? sum : sum - prime
    }

    func subtract(_ left: WideInteger, _ right: WideInteger) -> WideInteger {
        left < right ? left + prime - right : left - right
    }

    /// The product of two elements, word by word (Montgomery's CIOS method).
    ///
    /// The sum is kept below the prime, so that the next product of a word fits into 512 bits.
    func multiply(_ left: WideInteger, _ right: WideInteger) -> WideInteger {
        var sum = WideInteger()
        for index in 0..<words {
            accumulate(left, times: right[index], into: &sum)
            removeLowestWord(of: &sum)
            if !(sum < prime) { sum = sum - prime }
        }
        return sum
    }

    private func accumulate(_ number: WideInteger, times factor: UInt64, into sum: inout WideInteger) {
        var carry: UInt64 = 0
        for word in 0..<words {
            let product = UInt128(number[word]) &* UInt128(factor) &+ UInt128(sum[word]) &+ UInt128(carry)
            sum[word] = UInt64(truncatingIfNeeded: product)
            carry = UInt64(truncatingIfNeeded: product >> 64)
        }
        sum[words] = carry
    }

    /// Adds the multiple of the prime that makes the lowest word zero, and drops that word.
    private func removeLowestWord(of sum: inout WideInteger) {
        let factor = sum[0] &* negatedInverse
        var carry: UInt64 = 0
        for word in 0..<words {
            let product = UInt128(prime[word]) &* UInt128(factor) &+ UInt128(sum[word]) &+ UInt128(carry)
            if word > 0 { sum[word - 1] = UInt64(truncatingIfNeeded: product) }
            carry = UInt64(truncatingIfNeeded: product >> 64)
        }
        let top = UInt128(sum[words]) &+ UInt128(carry)
        sum[words - 1] = UInt64(truncatingIfNeeded: top)
        sum[words] = UInt64(truncatingIfNeeded: top >> 64)
    }

    /// Returns `true` for zero and for squares, whose Jacobi symbol is not −1.
    ///
    /// The binary algorithm; each round removes at least one bit, so that it ends after at most 896 of them.
    func isSquare(_ element: WideInteger) -> Bool {
        var numerator = element
        var modulus = prime
        var isNegative = false
        while numerator != .zero {
            let twos = numerator.removeFactorsOfTwo()
            if twos % 2 == 1, modulus.modulo8 == 3 || modulus.modulo8 == 5 { isNegative.toggle() }
            if numerator < modulus {
                swap(&numerator, &modulus)
                if numerator.modulo8 % 4 == 3, modulus.modulo8 % 4 == 3 { isNegative.toggle() }
            }
            numerator = numerator - modulus
        }
        return modulus != WideInteger(1) || !isNegative
    }
}
