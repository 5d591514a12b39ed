import CryptoCore

/// The hash that turns a proof's commitments into its challenge.
public enum FiatShamir {
    /// SHA-256, read as an unsigned big-endian integer, of
    /// `SEQUENCE { [BOOLEAN TRUE,] INTEGER k, INTEGER v_1, …, INTEGER v_k }` in DER.
    ///
    /// - Parameters:
    ///   - values: v_1 … v_k, none of them negative. The number k does not count the boolean.
    ///   - kind: The kind of proof; only attribute-based signatures have the boolean.
    public static func hash(_ values: [BigInteger], kind: IdemixChallenge.Kind = .proof) -> BigInteger {
        let mark: [UInt8] =
            switch kind {
            case .proof: []
            case .signature: [0x01, 0x01, 0xff]
            }
        // Wiped, since the numbers of an issuance identify the credential.
        let encoded = DER.wipedSequence(of: mark, [BigInteger(values.count)] + values)
        return BigInteger(bytes: HashAlgorithm.sha256.digest(of: encoded))
    }
}
