package import CryptoCore

/// Finds random primes of start ..< start + 2^bits: sieves a stretch of numbers at a random place, and tests what is left
/// in random order, so that a prime behind a long gap is no likelier than another.
package struct PrimeSearch {
    /// The beginning of the range, an even number.
    private let start: BigInteger
    /// The length of the random part, more than that of the sieving primes, which are not found.
    private let bits: Int

    /// The number of odd numbers that are sieved at once, a power of two: several primes are among them, on average.
    private static let stretch = 1 << 11

    /// The number of draws of an index up to which a search goes on: a thousand times the average, or 2^−300 of all searches.
    private static let maximumDraws = 1 << 18

    /// The number of Miller–Rabin rounds for a number that was chosen at random, after the Baillie–PSW test.
    ///
    /// A composite among uniform numbers of 550 bits and more passes five rounds with a probability below 2^−80, one of
    /// 350 bits eight rounds (Damgård, Landrock, Pomerance, "Average case error estimates for the strong probable prime
    /// test", 1993; Handbook of Applied Cryptography, table 4.4). The bound is for numbers that are random in all their
    /// bits. In a range that fixes the upper ones, nothing is proven beyond 4^−rounds; the Baillie–PSW test, for which no
    /// composite is known to pass, comes first for that reason, and each holder tests its prime fully.
    private var rounds: Int {
        switch max(start.bitCount, bits) {
        case 550...: 5
        case 350...: 8
        default: 20
        }
    }

    /// A search in start ..< start + 2^bits.
    package init(start: BigInteger, bits: Int) {
        (self.start, self.bits) = (start, bits)
    }

    /// A random prime of the range.
    ///
    /// - Throws: ``IdemixError/Code/randomnessFailed`` for a source that gives none, such as one that always gives the same bytes.
    package func next(using randomness: some RandomSource) throws(IdemixError) -> BigInteger {
        let end = start + BigInteger.powerOfTwo(bits)
        var draws = 0
        while draws < Self.maximumDraws {
            let first = start + BigInteger.random(bits: bits - 1, using: randomness).shiftedLeft(by: 1) + 1
            var survives = Self.survivors(from: first)
            // The sieve's result would reveal much about the prime that is found in it.
            defer { wipe(&survives) }
            var remaining = survives.count { $0 == 1 }
            while remaining > 0, draws < Self.maximumDraws {
                draws += 1
                let index = randomness.bytes(2).reduce(0) { $0 << 8 | Int($1) } % Self.stretch
                guard survives[index] == 1 else { continue }
                survives[index] = 0
                remaining -= 1
                let candidate = first + BigInteger(2 * index)
                if candidate < end, candidate.isProbablyPrime(rounds: rounds, using: randomness) { return candidate }
            }
            draws += 1
        }
        throw IdemixError(.randomnessFailed, "no prime among \(draws) draws: the source of randomness repeats itself")
    }

    /// Marks those of first, first + 2, first + 4, … that are free of small factors.
    private static func survivors(from first: BigInteger) -> [UInt8] {
        var survives = [UInt8](repeating: 1, count: stretch)
        for (product, primes) in sievingPrimes {
            let remainder = first.remainder(dividingBy: product)
            for prime in primes {
                // first + 2i = 0 modulo the prime.
                let distance = (prime - remainder % prime) % prime
                var index = Int(distance % 2 == 0 ? distance : distance + prime) / 2
                while index < stretch {
                    survives[index] = 0
                    index += Int(prime)
                }
            }
        }
        return survives
    }

    /// The odd primes below 2^15, in groups whose product fits a word: one division of a long number serves a group.
    private static let sievingPrimes: [(product: UInt, primes: [UInt])] = {
        var groups: [(product: UInt, primes: [UInt])] = []
        for prime in SafePrimeSearch.primes(below: 1 << 15).map(UInt.init) {
            if let last = groups.last,
                case let (product, overflow) = last.product.multipliedReportingOverflow(by: prime),
                !overflow
            {
                groups[groups.count - 1] = (product, last.primes + [prime])
            } else {
                groups.append((prime, [prime]))
            }
        }
        return groups
    }()
}
