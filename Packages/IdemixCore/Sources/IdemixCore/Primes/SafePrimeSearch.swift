package import CryptoCore

/// Finds safe primes p = 2p' + 1: sieves a stretch of numbers for p' and p together, and tests what is left.
package struct SafePrimeSearch {
    /// The length of p' in bits.
    let bits: Int

    /// Prepares the search for primes p' of so many bits.
    package init(bits: Int) {
        self.bits = bits
    }

    private static let stretch = 1 << 17

    /// The number of stretches up to which a search goes on: at 4096 bits, one in six holds a safe prime.
    private static let maximumStretches = 1 << 10
    private static let sievingPrimes = primes(below: 1 << 19)

    /// A prime p' with p = 2p' + 1 prime too, the two top bits of p' set, and p' not 1 modulo 8.
    ///
    /// - Parameter willTest: Called before each test; what it throws ends the search.
    /// - Throws: ``IdemixError/Code/randomnessFailed`` for a source that gives the same stretch again, or none with a prime.
    package func next(
        using randomness: some RandomSource,
        willTest: () throws(IdemixError) -> Void
    ) throws(IdemixError) -> BigInteger {
        var last: BigInteger?
        for _ in 0..<Self.maximumStretches {
            let start = randomStart(using: randomness)
            if start == last { break }
            last = start
            var survivors = Self.survivors(from: start)
            // The sieve's result would reveal much about the prime that is found in it.
            defer { wipe(&survivors) }
            for index in 0..<Self.stretch where survivors[index] == 1 {
                let candidate = start + BigInteger(2 * index)
                guard candidate.remainder(dividingBy: 8) != 1, candidate.bitCount == bits else { continue }
                try willTest()
                if isSafe(candidate, using: randomness) { return candidate }
            }
        }
        throw IdemixError(.randomnessFailed, "no safe prime: the source of randomness repeats itself")
    }

    /// An odd number with the two top bits set.
    private func randomStart(using randomness: some RandomSource) -> BigInteger {
        let top = BigInteger.powerOfTwo(bits - 1) + BigInteger.powerOfTwo(bits - 2)
        return top + BigInteger.random(bits: bits - 3, using: randomness).shiftedLeft(by: 1) + 1
    }

    /// Marks those of start, start + 2, start + 4, … that are, like their doubles plus one, free of small factors.
    private static func survivors(from start: BigInteger) -> [UInt8] {
        var survives = [UInt8](repeating: 1, count: stretch)
        for prime in sievingPrimes {
            let remainder = Int(start.remainder(dividingBy: UInt(prime)))
            // start + 2i = 0 gives i = −start/2; 2(start + 2i) + 1 = 0 gives start + 2i = (prime − 1)/2.
            for target in [0, (prime - 1) / 2] {
                var distance = (target - remainder + prime) % prime
                if distance % 2 == 1 { distance += prime }
                var index = distance / 2
                while index < stretch {
                    survives[index] = 0
                    index += prime
                }
            }
        }
        return survives
    }

    /// 2^(2p') = 1 modulo 2p' + 1 with p' prime makes 2p' + 1 prime; both are tested again by the general test.
    private func isSafe(_ candidate: BigInteger, using randomness: some RandomSource) -> Bool {
        let safe = candidate.shiftedLeft(by: 1) + 1
        return BigInteger(2).power(safe - 1, modulo: safe) == .one
            && candidate.isProbablyPrime(rounds: 40, using: randomness)
            && safe.isProbablyPrime(rounds: 40, using: randomness)
    }

    /// The odd primes below a bound.
    static func primes(below bound: Int) -> [Int] {
        var isPrime = [Bool](repeating: true, count: bound)
        var primes: [Int] = []
        for number in stride(from: 3, to: bound, by: 2) where isPrime[number] {
            primes.append(number)
            for multiple in stride(from: number * number, to: bound, by: 2 * number) { isPrime[multiple] = false }
        }
        return primes
    }
}
