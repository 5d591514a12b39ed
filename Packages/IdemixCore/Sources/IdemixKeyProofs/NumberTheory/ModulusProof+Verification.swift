import IdemixCore

extension ModulusProof {
    /// Refuses numbers that are not reduced modulo n.
    func validate(_ n: BigInteger) throws(CheckFault) {
        let numbers = squareFree + primePowers + disjointPrimes + commitments + responses
        guard numbers.allSatisfy({ !$0.isNegative && $0 < n }) else {
            throw .failed(.invalidProof, "a number is not reduced modulo n")
        }
    }

    /// Refuses a modulus without the form that the other proofs presuppose: n = 5 modulo 8, and no small factors.
    static func checkForm(_ n: BigInteger) throws(CheckFault) {
        guard n.remainder(dividingBy: 8) == 5 else {
            throw .failed(.invalidProof, "the modulus is not 5 modulo 8")
        }
        guard (2..<UInt(leastFactor)).allSatisfy({ n.remainder(dividingBy: $0) != 0 }) else {
            throw .failed(.invalidProof, "a number below \(leastFactor) divides the modulus")
        }
    }

    /// Checks that n is free of squares.
    func checkSquareFree(_ n: BigInteger, _ challenge: BigInteger) throws(CheckFault) {
        try checkRoots(squareFree, exponent: n, n, challenge, .squareFree)
    }

    /// Checks that no more than two primes divide n.
    func checkPrimePowers(_ n: BigInteger, _ challenge: BigInteger) throws(CheckFault) {
        for (round, root) in primePowers.enumerated() {
            let square = (root * root).modulo(n)
            let x = Self.challenge(challenge, .primePowers, round, n: n)
            let multiples = [x, x + x].flatMap { [$0.modulo(n), (-$0).modulo(n)] }
            guard multiples.contains(square) else { throw Self.fault(round) }
        }
    }

    /// Checks that two different primes divide n.
    func checkDisjointPrimes(_ n: BigInteger, _ challenge: BigInteger) throws(CheckFault) {
        // A Fermat prime has no odd part that would do.
        guard !n.isProbablyPrime(rounds: 80) else {
            throw .failed(.invalidProof, "the modulus is prime")
        }
        try checkRoots(disjointPrimes, exponent: Self.oddPart(ofPredecessorOf: n), n, challenge, .disjointPrimes)
    }

    /// Checks that both primes are twice a prime power plus one: for y = commitment·base^x and γ = 2^|n|, y^γ is
    /// base^(±γ·r²) or base^(±2γ·r²).
    func checkAlmostSafePrimes(_ n: BigInteger, _ challenge: BigInteger) throws(CheckFault) {
        guard n.remainder(dividingBy: 3) == 1 else {
            throw .failed(.invalidProof, "the modulus is not 1 modulo 3")
        }
        let gamma = BigInteger.powerOfTwo(n.bitCount)
        for round in 0..<Self.almostSafeRounds {
            let base = Self.base(nonce, round, n: n)
            let x = Self.exponent(challenge, round, n: n)
            let y = (commitments[round] * base.power(x, modulo: n)).modulo(n).power(gamma, modulo: n)
            let r = responses[round]
            let power = base.power(gamma, modulo: n).power(r, modulo: n).power(r, modulo: n)
            // y = 1/t is y·t = 1.
            let matches = [power, (power * power).modulo(n)].contains { t in
                y == t || (y * t).modulo(n) == .one
            }
            guard matches else { throw Self.fault(round) }
        }
    }

    /// response^exponent = x for every round.
    private func checkRoots(
        _ roots: [BigInteger],
        exponent: BigInteger,
        _ n: BigInteger,
        _ challenge: BigInteger,
        _ topic: Topic
    ) throws(CheckFault) {
        for (round, root) in roots.enumerated() {
            guard root.power(exponent, modulo: n) == Self.challenge(challenge, topic, round, n: n) else {
                throw Self.fault(round)
            }
        }
    }

    private static func fault(_ round: Int) -> CheckFault {
        .failed(.invalidProof, "the response does not fit the challenge", path: ["rounds[\(round)]"])
    }
}
