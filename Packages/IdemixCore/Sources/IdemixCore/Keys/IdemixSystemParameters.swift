/// The lengths in bits that follow from the length of an issuer's modulus.
///
/// Names and values are those of the Idemix specification: l_n, l_m, l_e and so on.
public struct IdemixSystemParameters: Hashable, Sendable {
    /// The modulus, l_n.
    public let modulus: Int
    /// An attribute as an exponent, l_m.
    public let attribute: Int
    /// The statistical zero-knowledge distance, l_statzk.
    public let statisticalZeroKnowledge: Int
    /// The challenge, l_h.
    public var challenge: Int { 256 }
    /// The random part of the prime e, l'_e.
    public var ePrime: Int { 120 }

    /// For moduli of 1024 bits.
    public static let bits1024 = IdemixSystemParameters(modulus: 1_024, attribute: 256, statisticalZeroKnowledge: 80)
    /// For moduli of 2048 bits.
    public static let bits2048 = IdemixSystemParameters(modulus: 2_048, attribute: 256, statisticalZeroKnowledge: 128)
    /// For moduli of 4096 bits.
    public static let bits4096 = IdemixSystemParameters(modulus: 4_096, attribute: 512, statisticalZeroKnowledge: 128)

    /// The three sets of parameters that exist, the shortest modulus first.
    public static let all = [bits1024, bits2048, bits4096]

    private init(modulus: Int, attribute: Int, statisticalZeroKnowledge: Int) {
        self.modulus = modulus
        self.attribute = attribute
        self.statisticalZeroKnowledge = statisticalZeroKnowledge
    }

    /// The parameters for a modulus of so many bits.
    ///
    /// - Throws: ``IdemixError/Code/unsupportedKeyLength`` unless the length is 1024, 2048 or 4096.
    public init(modulusBits: Int) throws(IdemixError) {
        guard let parameters = Self.all.first(where: { $0.modulus == modulusBits }) else {
            throw IdemixError(.unsupportedKeyLength, "a modulus has 1024, 2048 or 4096 bits, this one \(modulusBits)")
        }
        self = parameters
    }

    /// The prime e of a signature, l_e.
    public var e: Int { statisticalZeroKnowledge + challenge + attribute + 5 }
    /// The exponent v of a signature, l_v.
    public var v: Int { modulus + 2 * statisticalZeroKnowledge + challenge + attribute + 4 }
    /// The holder's share v' of the exponent v, l'_v.
    public var vPrime: Int { modulus + statisticalZeroKnowledge }
    /// The exponent that randomizes a signature, l_RA.
    public var signatureRandomizer: Int { modulus + statisticalZeroKnowledge }
    /// The randomizer of e.
    public var eCommitment: Int { ePrime + statisticalZeroKnowledge + challenge }
    /// The randomizer of an attribute.
    public var attributeCommitment: Int { attribute + statisticalZeroKnowledge + challenge }
    /// The randomizer of the secret key where a commitment is proved alone.
    public var secretKeyCommitment: Int { attributeCommitment + 1 }
    /// The randomizer of v.
    public var vCommitment: Int { v + statisticalZeroKnowledge + challenge }
    /// The randomizer of v'.
    public var vPrimeCommitment: Int { modulus + 2 * statisticalZeroKnowledge + challenge }

    /// The lengths that all keys share: a user's secret key has to fit all of them.
    public enum Common {
        /// The nonces n_1 and n_2 of a session.
        public static let nonce = 128
        /// A user's secret key, and a keyshare server's share of it; their sum still fits 256 bits.
        public static let secretKey = 255
        /// The randomizer of the secret key, one value for all proofs of a list.
        public static let secretKeyRandomizer = bits1024.attributeCommitment
    }
}
