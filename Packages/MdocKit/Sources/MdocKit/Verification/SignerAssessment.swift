import CryptoCore
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The results of the issuer's chain validation for the checks of the standard.
///
/// The fields that the checks need are taken out of the certificates once, since all threads share the certificates.
struct SignerAssessment {
    /// The chain, if it is valid.
    let chain: ValidatedCertificateChain?
    /// The fields of the document signer's certificate, or nil for an unreadable one.
    let certificate: SignerCertificate?
    /// Its key, if it can be used; vouched for only by a validated chain.
    let key: Result<PublicKey, CryptoError>?
    /// The trust anchor that the chain ends at or was measured against, if there is one.
    let anchor: Certificate?
    /// Country and state of that anchor.
    let authority: CertificateLocality?

    /// The result of a failed validation.
    private let failed: Verification<ValidatedCertificateChain>?
    /// A departure of a kind that is tolerated in other extensions only.
    private let refusedDeviation: CertificateDeviation?

    /// Validates a chain; a refused one is assessed by its first certificate as received.
    init(_ encodedChain: [ArraySlice<UInt8>], _ issuers: IssuerTrust, at time: Date) {
        let path = issuers.validate(encodedChain, at: time)
        switch path.verdict {
        case .verified(let chain): self.init(chain, issuers.policy.certificateTolerances)
        case .refused(let refusal): self.init(refusal, path, encodedChain.first, issuers)
        }
    }

    private init(_ chain: ValidatedCertificateChain, _ tolerances: Set<CertificateTolerance>) {
        self.chain = chain
        certificate = SignerCertificate(chain.leaf)
        key = .success(chain.leafPublicKey)
        anchor = chain.anchor
        authority = CertificateLocality(chain.anchor)
        failed = nil
        refusedDeviation = chain.deviation(outsideOf: tolerances, besides: Self.alwaysTolerated)
    }

    private init(
        _ refusal: Refusal,
        _ path: Verification<ValidatedCertificateChain>,
        _ leaf: ArraySlice<UInt8>?,
        _ issuers: IssuerTrust
    ) {
        let certificate = leaf.flatMap(Self.certificate)
        chain = nil
        self.certificate = certificate.map(SignerCertificate.init)
        key = certificate.map { certificate in
            do throws(CryptoError) { return .success(try certificate.publicKey()) } catch { return .failure(error) }
        }
        anchor = refusal.isAboutAnchor ? certificate.flatMap { issuers.anchors(above: $0).first } : nil
        authority = anchor.map(CertificateLocality.init)
        failed = path
        refusedDeviation = nil
    }

    /// A certificate, or nil for an unreadable one; path validation reports the reason.
    private static func certificate(_ der: ArraySlice<UInt8>) -> Certificate? {
        do throws(CryptoError) { return try Certificate(der: der) } catch { return nil }
    }

    /// Indicates that the chain is valid.
    var isValid: Bool { failed == nil }

    /// The departures from the profile that were tolerated.
    var deviations: [CertificateDeviation] { chain?.toleratedDeviations ?? [] }

    /// The kinds that never refuse a certificate here: the harmless ones, and those that `issuerLocality`
    /// judges by its own rule.
    static let alwaysTolerated: Set<CertificateDeviation.Kind> = CertificatePathPolicy.harmlessDeviations.union([
        .countryMismatch, .stateOrProvinceMismatch,
    ])

    /// The outcome of one of the standard's checks, from the checks of path validation that make it up.
    func outcome(of check: Check) -> CheckResult.Outcome {
        if let refusedDeviation, check == .signerCertificate {
            return .failed(.invalidSignerCertificate, refusedDeviation.message)
        }
        guard let failed else { return .passed }
        var isMade = true
        for result in failed.checks where result.check.inDocuments == check {
            switch result.outcome {
            case .failed(let reason, let message): return .failed(result.reasonInDocuments(reason), message)
            case .notReached, .unavailable: isMade = false
            case .passed, .notApplicable, .waived: continue
            }
        }
        return isMade ? .passed : .notReached
    }
}

extension SignerAssessment {
    /// The document signer's certificate, which must be for licences if the document is one (B.1.1).
    func certificateOutcome(for docType: DocType) -> CheckResult.Outcome {
        let outcome = outcome(of: .signerCertificate)
        guard case .passed = outcome, docType == .mDL, let usage = chain?.leaf.extendedKeyUsage,
            !usage.purposes.contains(.mdlDocumentSigner)
        else { return outcome }
        return .failed(.invalidSignerCertificate, "the issuer's certificate is not for driving licences")
    }

    /// Country and state of the certificates of issuing authority and document signer (Annex B.1.4).
    func locality(_ tolerances: Set<CertificateTolerance>) -> CheckResult.Outcome {
        guard let subject = certificate?.locality else { return .notReached }
        guard let authority else { return .notReached }
        guard let country = subject.country, authority.country?.equalsIgnoringCase(country) == true else {
            return .failed(
                .invalidSignerCertificate,
                "the issuer's certificate is for another country than its issuer's"
            )
        }
        guard let expected = authority.state else { return .passed }
        if let state = subject.state, !state.hasSameBytes(as: expected) {
            return .failed(
                .invalidSignerCertificate,
                "the issuer's certificate is for \(state), its issuer's for \(expected)"
            )
        }
        // An authority with a state issues only certificates that have it.
        guard subject.state != nil || tolerances.contains(.missingState) else {
            return .failed(
                .invalidSignerCertificate,
                "the issuer's certificate is for no state, its issuer's for \(expected)"
            )
        }
        return .passed
    }

    /// The entry of the verifier's configuration that trusts the issuer for documents of a type.
    func trusted(by trustAnchor: TrustAnchor?, for docType: DocType) -> CheckResult.Outcome {
        guard authority != nil else { return .notReached }
        guard trustAnchor != nil else {
            let name = anchor.map { "\($0.subject)" } ?? "the trust anchor"
            return .failed(
                .issuerNotTrusted,
                "\(name) is not trusted for documents of type \(docType)"
            )
        }
        return .passed
    }
}

extension Check {
    /// The check of the standard that a check of path validation belongs to.
    fileprivate var inDocuments: Check {
        switch self {
        case .trustAnchor, .certificateSignatures: .issuerTrust
        case .certificateValidity: .certificateValidity
        default: .signerCertificate
        }
    }
}

extension Refusal {
    /// Returns `true` if the refusal concerns the trust anchor.
    fileprivate var isAboutAnchor: Bool { path.first == CertificatePathValidator.anchorName }
}

extension CheckResult {
    /// The reason of a failed check of path validation, as that of a document.
    fileprivate func reasonInDocuments(_ reason: Reason) -> Reason {
        switch (check, reason, path.first == CertificatePathValidator.anchorName) {
        case (.trustAnchor, _, _): .issuerNotTrusted
        case (.certificateValidity, .expired, true): .trustAnchorExpired
        case (.certificateValidity, .notYetValid, true): .trustAnchorNotYetValid
        default: .invalidSignerCertificate
        }
    }
}
