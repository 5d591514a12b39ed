public import CryptoCore

/// Issuer-signed data that is verified up to a trust anchor; only verification makes one.
public struct VerifiedIssuerSigned: Sendable {
    private let members: Members

    /// The credential.
    public var issuerSigned: IssuerSigned { members.issuerSigned }
    /// The issuer's certificate chain with the trust anchor behind it.
    public var signer: ValidatedCertificateChain { members.signer }
    /// The entry of the verifier's configuration by which the issuer is trusted.
    public var trustAnchor: TrustAnchor { members.trustAnchor }
    /// The key that the credential is bound to.
    public var deviceKey: PublicKey { members.deviceKey }

    fileprivate init(_ members: Members) {
        self.members = members
    }

    /// The storage that all copies share: chain and anchor belong to many credentials, and threads contend where they
    /// are copied.
    fileprivate final class Members: Sendable {
        let issuerSigned: IssuerSigned
        let signer: ValidatedCertificateChain
        let trustAnchor: TrustAnchor
        let deviceKey: PublicKey

        init(
            issuerSigned: IssuerSigned,
            signer: ValidatedCertificateChain,
            trustAnchor: TrustAnchor,
            deviceKey: PublicKey
        ) {
            self.issuerSigned = issuerSigned
            self.signer = signer
            self.trustAnchor = trustAnchor
            self.deviceKey = deviceKey
        }
    }
}

extension IssuerChecks {
    /// The credential; nil if a check has failed.
    var credential: VerifiedIssuerSigned? {
        guard !checklist.isRefused, let chain = signer.chain, let trustAnchor, case .success(let deviceKey) = deviceKey
        else { return nil }
        return VerifiedIssuerSigned(
            VerifiedIssuerSigned.Members(
                issuerSigned: issuerSigned,
                signer: chain,
                trustAnchor: trustAnchor,
                deviceKey: deviceKey
            )
        )
    }
}
