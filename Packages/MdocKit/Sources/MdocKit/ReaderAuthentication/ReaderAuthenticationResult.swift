public import CryptoCore

/// The outcome of verifying one reader's signature.
public enum ReaderAuthenticationResult: Sendable {
    /// There is no signature.
    case absent
    /// The signature is right, and a trust anchor stands behind the reader's certificate, the leaf of the chain.
    case verified(ValidatedCertificateChain)
    /// A check failed; the checks tell a wrong signature from a reader that is not known.
    case refused(VerificationFailure, checks: [CheckOutcome])

    /// The reader's certificate chain, if the signature is verified.
    public var reader: ValidatedCertificateChain? {
        guard case .verified(let chain) = self else { return nil }
        return chain
    }

    /// The reason that the signature is refused, or nil.
    public var failure: VerificationFailure? {
        guard case .refused(let failure, _) = self else { return nil }
        return failure
    }
}
