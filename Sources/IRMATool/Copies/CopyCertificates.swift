import CryptoCore
import JOSEKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The demands on the certificates of issuers of SD-JWT copies: `irma wallet` makes them, and `irma server` has no others.
///
/// Any extended key usage will do, as for the reference's wallet: no purpose is registered for issuers of SD-JWT VCs, and those
/// of existing schemes have certificates of TLS clients. A certificate that was meant for another purpose gains nothing: the
/// authorities are those that the user trusts with issuers of copies, a copy comes with the signature of a credential over the
/// same values, and each verifier of a copy checks it by its own rules.
enum CopyCertificates {
    /// The algorithms that copies may be signed with.
    static let algorithms: JWSVerificationPolicy = [.es256, .es384, .es512]

    /// The demands on the path from an issuer's certificate to an authority.
    static let policy: CertificatePathPolicy = {
        var policy = CertificatePathPolicy.credentialIssuer
        policy.leafProfile?.name = "issuer of copies"
        policy.leafProfile?.purposes = nil
        policy.leafProfile?.curves = [.p256, .p384, .p521]
        // The reference's wallet takes no key that is for non-repudiation alone.
        policy.leafKeyUsage = .digitalSignature
        return policy
    }()

    /// The reason that wallets refuse an issuer's certificates, or nil.
    ///
    /// Which authorities a wallet trusts is not known: the last certificate stands for one. Validity is looked at from the time
    /// at which all of them begin to be valid.
    ///
    /// - Parameter chain: The certificates, the issuer's own first, each signed by the next.
    static func refusal(of chain: [Certificate]) -> String? {
        guard let anchor = chain.last, let time = chain.map(\.notValidBefore).max() else { return "no certificate" }
        var policy = policy
        policy.acceptsTrustedLeaf = chain.count == 1
        return CertificatePathValidator(anchors: [anchor], policy: policy).validate(chain, at: time).refusal?
            .description
    }
}
