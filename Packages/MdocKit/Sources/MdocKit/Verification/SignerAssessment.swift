import CryptoCore

/// What the validation of the issuer's certificate chain says about the checks of the standard.
struct SignerAssessment {
    /// The document signer's certificate, if it can be read.
    let certificate: Certificate?
    /// Its key, if it can be used; vouched for only by a validated chain.
    let key: Result<PublicKey, CryptoError>?
    /// The chain, if it is valid.
    let chain: ValidatedCertificateChain?
    /// The trust anchor that the chain ends at or was measured against, if there is one.
    let anchor: Certificate?

    /// The departures from the profile that were tolerated.
    var deviations: [CertificateDeviation] { chain?.toleratedDeviations ?? [] }

    private let result: CertificatePathResult
    /// A departure of a kind that is tolerated in other extensions only.
    private let refusedDeviation: CertificateDeviation?

    /// Takes a result; `leaf` is the first certificate as received.
    init(_ result: CertificatePathResult, leaf: ArraySlice<UInt8>?, tolerances: Set<CertificateTolerance>) {
        self.result = result
        refusedDeviation = result.chain?.toleratedDeviations.first { deviation in
            !Self.alwaysTolerated.contains(deviation.kind) && !tolerances.contains { $0.covers(deviation) }
        }
        chain = result.chain
        if let chain {
            certificate = chain.leaf
            key = .success(chain.leafPublicKey)
            anchor = chain.anchor
            return
        }
        let certificate = leaf.flatMap { try? Certificate(der: $0) }
        self.certificate = certificate
        key = certificate.map { certificate in
            do throws(CryptoError) { return .success(try certificate.publicKey()) } catch { return .failure(error) }
        }
        anchor = result.failure?.position == .anchor ? result.failure?.certificate : nil
    }

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
        guard chain == nil else { return .passed }
        var isMade = true
        for (part, outcome) in result.checks where part.mdocCheck == check {
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
