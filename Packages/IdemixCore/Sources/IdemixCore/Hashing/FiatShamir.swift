import CryptoCore

/// The hash that turns a proof's commitments into its challenge.
public enum FiatShamir {
    /// SHA-256, read as an unsigned big-endian integer, of
    /// `SEQUENCE { [BOOLEAN TRUE,] INTEGER k, INTEGER v_1, …, INTEGER v_k }` in DER.
    ///
    /// - Parameters:
    ///   - values: v_1 … v_k, none of them negative. The number k does not count the boolean.
    ///   - isSignature: Whether the boolean is there: for attribute-based signatures only, so that no disclosure can be
    ///     passed off as a signature.
    public static func hash(_ values: [BigInteger], isSignature: Bool = false) -> BigInteger {
        var content: [UInt8] = isSignature ? [0x01, 0x01, 0xff] : []
        DER.append(BigInteger(values.count), to: &content)
        for value in values { DER.append(value, to: &content) }
        return BigInteger(bytes: HashAlgorithm.sha256.digest(of: DER.sequence(content)))
    }

    /// The challenge of a list of proofs: the hash of the context, all contributions in the list's order, and the nonce.
    public static func challenge(
        context: BigInteger,
        contributions: [BigInteger],
        nonce: BigInteger,
        isSignature: Bool
    ) -> BigInteger {
        hash([context] + contributions + [nonce], isSignature: isSignature)
    }
}
