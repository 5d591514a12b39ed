extension CertificatePathResult {
    /// A failure after which no later check can be made.
    static func failed(
        _ check: CertificatePathCheck,
        _ reason: CertificatePathFailure.Reason,
        _ position: CertificatePathFailure.Position?,
        _ certificate: Certificate?,
        _ message: String
    ) -> CertificatePathResult {
        let failure = CertificatePathFailure(
            check: check,
            reason: reason,
            position: position,
            certificate: certificate,
            message: message
        )
        var outcome = Outcome.passed
        let checks = CertificatePathCheck.all.map { candidate in
            if candidate == check {
                outcome = .notRun
                return (check: candidate, outcome: Outcome.failed(failure))
            }
            return (check: candidate, outcome: outcome)
        }
        return CertificatePathResult(verdict: .invalid(failure), checks: checks)
    }

    static let emptyChain = failed(.chainLength, .emptyChain, nil, nil, "the chain has no certificates")

    static func chainTooLong(_ count: Int, _ policy: CertificatePathPolicy) -> CertificatePathResult {
        let message = "the chain has \(count) certificates and may have \(policy.maximumChainLength)"
        return failed(.chainLength, .chainTooLong, nil, nil, message)
    }

    static func malformed(at index: Int, _ error: CryptoError) -> CertificatePathResult {
        failed(.encoding, .malformedCertificate, .chain(index), nil, error.description)
    }

    /// The number of checks that passed before the first failure, and 0 or 1 for the anchor: 0 if that failure is the anchor's.
    ///
    /// Paths compare by it: the reason of the path with the most progress is reported.
    var progress: (passed: Int, anchor: Int) {
        (checks.firstIndex { $0.outcome != .passed } ?? checks.count, failure?.position == .anchor ? 0 : 1)
    }
}
