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

    /// The smallest randomizer of any other hidden attribute beside a proof of non-revocation, 2^580.
    ///
    /// The response for the revocation attribute is below 2^580, and the Go verifier knows the attribute by nothing
    /// else: it takes the first response below 2^580, in an order that changes from run to run. So it refuses a proof
    /// with another such response three times in four. With a randomizer of at least 2^580, no response
    /// x^ = x~ + c·x is below, since neither c nor x is negative.
    ///
    /// Zero knowledge is kept. A draw is repeated because of the randomizer alone, before there is a challenge, and not
    /// because of the response: the randomizer is even over 2^580 ..< 2^l instead of 0 ..< 2^l, whatever x is. For two
    /// values of x, the responses' distributions differ by at most max(c·x) / (2^l − 2^580), where c·x is below 2^512 and l
    /// at least 592: a factor of 1 + 2^−12 more than the 2^−80 of before.
    static let smallestOtherRandomizer = BigInteger.powerOfTwo(attribute + randomizerExcess + 1)

    /// The smallest number that the prime of a witness can be, 2^3.
    static let smallestPrime = BigInteger(8)
    /// The largest number that the prime of a witness can be, 2^3 + 2^195.
    static let largestPrime = BigInteger(8) + BigInteger.powerOfTwo(attribute)

    /// The longest exponent of G and H: a response, a product of two randomizers, or a difference moved above zero.
    static func exponentBits(modulus: Int) -> Int {
        modulus + attribute + randomizerExcess + 3
    }
}
