import CryptoCore

/// The hash that turns a proof's commitments into its challenge.
public enum FiatShamir {
    /// SHA-256, read as an unsigned big-endian integer, of
    /// `SEQUENCE { [BOOLEAN TRUE,] INTEGER k, INTEGER v_1, …, INTEGER v_k }` in DER.
    ///
    /// - Parameters:
    ///   - values: v_1 … v_k, none of them negative. The number k does not count the boolean.
    ///   - kind: The kind of proof; only attribute-based signatures have the boolean.
    public static func hash(_ values: [BigInteger], kind: Challenge.Kind = .proof) -> BigInteger {
        var content: [UInt8] =
            switch kind {
            case .proof: []
            case .signature: [0x01, 0x01, 0xff]
            }
        DER.append(BigInteger(values.count), to: &content)
        for value in values { DER.append(value, to: &content) }
        return BigInteger(bytes: HashAlgorithm.sha256.digest(of: DER.sequence(content)))
    }
}
