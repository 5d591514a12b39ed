public import IdemixCore

/// The statement of a proof: n is the product of two safe primes, and the bases are squares modulo n.
public struct KeyStatement: Hashable, Sendable {
    /// The modulus.
    public let n: BigInteger
    /// Z, S, G and H where the key has them, and all R, in this order.
    public let bases: [BigInteger]

    /// The shortest modulus that something is proved about, far below any of use.
    public static let leastModulusBits = 32

    /// The statement about a public key.
    public init(_ publicKey: IdemixIssuerPublicKey) {
        let elements = publicKey.elements
        n = elements.n
        bases = [elements.Z, elements.S] + [elements.G, elements.H].compactMap(\.self) + elements.R
    }

    /// The statement about numbers of any length.
    ///
    /// - Throws: `IdemixError.Code.invalidKey` for an even or a short modulus, and for bases that are not below it.
    public init(n: BigInteger, bases: [BigInteger]) throws(IdemixError) {
        guard !n.isNegative, n.isOdd, n.bitCount >= Self.leastModulusBits else {
            throw IdemixError(.invalidKey, "the modulus is even or too short", path: ["n"])
        }
        guard bases.allSatisfy({ $0 > 0 && $0 < n }) else {
            throw IdemixError(.invalidKey, "a base is not between 0 and the modulus")
        }
        self.n = n
        self.bases = bases
    }

    /// The lengths of a proof's arrays and numbers.
    var shape: KeyProofShape {
        KeyProofShape(
            modulusBits: n.bitCount,
            baseCount: bases.count,
            groupBits: GroupPrime.bits(modulusBits: n.bitCount)
        )
    }
}

/// The lengths that a proof's arrays and numbers have, which the key determines: nothing in a proof chooses its size.
struct KeyProofShape: Hashable, Sendable {
    /// The length of n.
    let modulusBits: Int
    /// The number of bases.
    let baseCount: Int
    /// The length of Γ.
    let groupBits: Int

    /// The largest length of p' and q', and the number of steps of an exponentiation.
    var primeBits: Int { (modulusBits + 1) / 2 }
}
