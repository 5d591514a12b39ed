import CryptoCore

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
    /// Country and state of the trust anchor that the chain ends at or was measured against, if there is one.
    let authority: CertificateLocality?

    /// The result of a failed validation.
    private let failed: CertificatePathResult?
    /// A departure of a kind that is tolerated in other extensions only.
    private let refusedDeviation: CertificateDeviation?

    /// Takes a result; `leaf` is the first certificate as received.
    init(_ result: CertificatePathResult, leaf: ArraySlice<UInt8>?, tolerances: Set<CertificateTolerance>) {
        switch result.verdict {
        case .valid(let chain): self.init(chain, tolerances)
        case .invalid(let failure): self.init(failure, result, leaf)
        }
    }

    private init(_ chain: ValidatedCertificateChain, _ tolerances: Set<CertificateTolerance>) {
        self.chain = chain
        certificate = SignerCertificate(chain.leaf)
        key = .success(chain.leafPublicKey)
        authority = CertificateLocality(chain.anchor)
        failed = nil
        refusedDeviation = chain.toleratedDeviations.first { deviation in
            !Self.alwaysTolerated.contains(deviation.kind) && !tolerances.contains { $0.covers(deviation) }
        }
    }

    private init(
        _ failure: CertificatePathFailure,
        _ result: CertificatePathResult,
        _ leaf: ArraySlice<UInt8>?
    ) {
        let certificate = leaf.flatMap(Self.certificate)
        chain = nil
        self.certificate = certificate.map(SignerCertificate.init)
        key = certificate.map { certificate in
            do throws(CryptoError) { return .success(try certificate.publicKey()) } catch { return .failure(error) }
        }
        authority = failure.anchor.map(CertificateLocality.init)
        failed = result
        refusedDeviation = nil
    }

    /// A certificate, or nil for an unreadable one; path validation reports the reason.
    private static func certificate(_ der: ArraySlice<UInt8>) -> Certificate? {
        do throws(CryptoError) { return try Certificate(der: der) } catch { return nil }
    }

    /// Whether the chain is valid.
    var isValid: Bool { failed == nil }

    /// The trust anchor that the chain ends at or was measured against, if there is one.
    var anchor: Certificate? { chain?.anchor ?? failed?.failure?.anchor }

    /// The departures from the profile that were tolerated.
    var deviations: [CertificateDeviation] { chain?.toleratedDeviations ?? [] }

    /// The kinds that never refuse a certificate here: the harmless ones, and those that ``MdocCheck/issuerLocality``
    /// judges by its own rule.
    static let alwaysTolerated: Set<CertificateDeviation.Kind> = CertificatePathPolicy.harmlessDeviations.union([
        .countryMismatch, .stateOrProvinceMismatch,
    ])

    /// The verdict of one of the standard's checks, from the checks of path validation that make it up.
    func verdict(of check: MdocCheck) -> CheckOutcome.Verdict {
        if let refusedDeviation, check == .signerCertificate {
            return .failed(.invalidSignerCertificate, refusedDeviation.message)
        }
        guard let failed else { return .passed }
        var isMade = true
        for (part, outcome) in failed.checks where part.mdocCheck == check {
            switch outcome {
            case .failed(let failure): return .failed(failure.mdocReason, failure.message)
            case .notRun: isMade = false
            case .passed: continue
            }
        }
        return isMade ? .passed : .notMade("the certificate chain failed before")
    }
}

extension CertificatePathCheck {
    /// The check of the standard that a check of path validation belongs to.
    fileprivate var mdocCheck: MdocCheck {
        switch self {
        case .trustAnchor, .signatures: .trustedIssuer
        case .validity: .certificateValidity
        default: .signerCertificate
        }
    }
}

extension CertificatePathFailure {
    /// The trust anchor, where it is what the failure is about.
    fileprivate var anchor: Certificate? { position == .anchor ? certificate : nil }

    /// The reason that relying parties know.
    fileprivate var mdocReason: FailureReason {
        switch (check, reason, position) {
        case (.trustAnchor, _, _): .issuerNotTrusted
        case (.validity, .expired, .anchor): .trustedIssuerCertificateExpired
        case (.validity, .notYetValid, .anchor): .trustedIssuerCertificateNotYetValid
        default: .invalidSignerCertificate
        }
    }
}
