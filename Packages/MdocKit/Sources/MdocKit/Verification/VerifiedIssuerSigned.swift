public import CryptoCore

/// What an issuer signed, verified up to a trust anchor; only verification makes one.
public struct VerifiedIssuerSigned: Sendable {
    /// The credential.
    public let issuerSigned: IssuerSigned
    /// The issuer's certificate chain with the trust anchor behind it.
    public let signer: ValidatedCertificateChain
    /// The entry of the verifier's configuration by which the issuer is trusted.
    public let trustAnchor: TrustAnchor
    /// The key that the credential is bound to.
    public let deviceKey: PublicKey
}

extension IssuerChecks {
    /// The credential if no check failed, else the first failure.
    var conclusion: Result<VerifiedIssuerSigned, VerificationFailure> {
        if let failure = outcomes.firstFailure { return .failure(failure) }
        guard let chain = signer.chain, let trustAnchor, case .success(let deviceKey) = deviceKey else {
            return .failure(
                VerificationFailure(
                    reason: .mobileCredentialInvalid,
                    message: "a check could not be made",
                    check: .structure
                )
            )
        }
        return .success(
            VerifiedIssuerSigned(
                issuerSigned: issuerSigned,
                signer: chain,
                trustAnchor: trustAnchor,
                deviceKey: deviceKey
            )
        )
    }
}
