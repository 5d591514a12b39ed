import CIdemixCoreGMP
public import CryptoCore

extension BigInteger {
    /// Returns `true` if the number is prime: the Baillie–PSW test, for which no composite is known to pass, then
    /// Miller–Rabin rounds to random bases, each of which a composite passes with a probability of at most one quarter.
    public func isProbablyPrime(rounds: Int, using randomness: some RandomSource = .system) -> Bool {
        guard self > 3 else { return self == 2 || self == 3 }
        defer { StackUse.much.wipe() }
        // Up to 24 rounds mean just Baillie–PSW to GMP. Its own further rounds would have bases that can be foretold.
        guard unsafe storage.withNumber({ unsafe __gmpz_probab_prime_p($0, 24) }) != 0 else { return false }
        if rounds >= 4, let eight = EightStrongTests(self) {
            return (0..<(rounds + 7) / 8).allSatisfy { _ in eight.pass(using: randomness) }
        }
        return (0..<rounds).allSatisfy { _ in
            isStrongProbablePrime(base: 2 + BigInteger.random(below: self - 3, using: randomness))
        }
    }

    /// One Miller–Rabin round: with n − 1 = 2^s·d, base^d = 1 or base^(2^i·d) = −1 for some i < s.
    private func isStrongProbablePrime(base: BigInteger) -> Bool {
        let minusOne = self - 1
        let twos = unsafe minusOne.storage.withNumber { Int(unsafe __gmpz_scan1($0, 0)) }
        var x = base.power(minusOne.shiftedRight(by: twos), modulo: self)
        if x == .one || x == minusOne { return true }
        for _ in 1..<max(1, twos) {
            x = (x * x).modulo(self)
            if x == minusOne { return true }
        }
        return false
    }
}
