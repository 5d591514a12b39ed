public import CryptoCore

/// The secret key that all credentials of a holder share: the attribute at index 0, which is never disclosed.
///
/// It is wiped when the last copy goes away, and nothing prints it.
public struct IdemixHolderSecretKey: Sendable {
    let value: BigInteger
    /// The key in 256 bits, whatever its size.
    let limbs: LimbBuffer

    /// A fresh key of 255 bits, so that its sum with a keyshare server's share fits an attribute.
    public static func random(using randomness: some RandomSource = .system) -> IdemixHolderSecretKey {
        IdemixHolderSecretKey(
            unchecked: BigInteger.random(bits: IdemixSystemParameters.Common.secretKey, using: randomness)
        )
    }

    private init(unchecked value: BigInteger) {
        self.value = value
        limbs = LimbBuffer(value, bits: IdemixSystemParameters.Common.secretKey + 1)
    }

    /// A key that was stored.
    ///
    /// - Throws: ``IdemixError/Code/outOfRange`` for a negative number or one of more than 256 bits.
    public init(_ value: BigInteger) throws(IdemixError) {
        guard !value.isNegative, value.bitCount <= IdemixSystemParameters.Common.secretKey + 1 else {
            throw IdemixError(.outOfRange, "a secret key has at most 256 bits", path: ["secretKey"])
        }
        self.init(unchecked: value)
    }

    /// The key as a number; ``encodedBytes`` is its form for storage.
    public var secretInteger: BigInteger { value }
}
