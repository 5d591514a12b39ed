import IdemixCore

/// Numbers of any length out of the hash: the challenges of the number-theoretic proofs.
enum HashNumber {
    /// Σ H(values, index, i)·2^(256·i), with as many hashes as the bits need; it may be longer than asked for.
    static func number(of values: [BigInteger], index: Int, bits: Int) -> BigInteger {
        (0..<(bits + 255) / 256).reduce(.zero) { sum, counter in
            let hash = FiatShamir.hash(values + [BigInteger(index), BigInteger(counter)])
            return sum + hash.shiftedLeft(by: 256 * counter)
        }
    }
}
