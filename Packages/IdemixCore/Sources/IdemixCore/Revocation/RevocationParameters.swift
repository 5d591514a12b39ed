/// The lengths of the revocation accumulator and of the proofs about it.
public enum RevocationParameters {
    /// The prime of a witness, which is the value of the revocation attribute.
    public static let attribute = 195
    /// The statistical zero-knowledge distance.
    static let statisticalZeroKnowledge = 128
    /// The challenge.
    static let challenge = 256
    /// T = 2^384: the excess of a randomizer over its secret.
    static let randomizerExcess = challenge + statisticalZeroKnowledge

    /// The smallest number that the prime of a witness can be, 2^3.
    static let smallestPrime = BigInteger(8)
    /// The largest number that the prime of a witness can be, 2^3 + 2^195.
    static let largestPrime = BigInteger(8) + BigInteger.powerOfTwo(attribute)

    /// The longest exponent of G and H: a response, a product of two randomizers, or a difference moved above zero.
    static func exponentBits(modulus: Int) -> Int {
        modulus + attribute + randomizerExcess + 3
    }
}
