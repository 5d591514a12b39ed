import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CertificatePathValidator {
    /// Tries every anchor that may have issued a certificate of the chain, from the leaf up, and takes the first valid
    /// path.
    ///
    /// Without a valid path, the one with the most progress gives the reason; a path that fails below its anchor comes
    /// before another. Certificates above the one that an anchor issued are not examined.
    func searchPath(_ chain: [Certificate], at time: Date) -> Verification<ValidatedCertificateChain> {
        guard let leaf = chain.first else {
            return refused(.chainLength, .emptyChain, "the chain has no certificates", at: time)
        }
        guard chain.count <= policy.maximumChainLength else { return refused(chainOf: chain.count, at: time) }
        var signatures = [Bool?](repeating: nil, count: chain.count)
        if policy.acceptsTrustedLeaf, anchors.certificates.contains(leaf) {
            return evaluate(CertificatePath(trustedLeaf: leaf), at: time, &signatures)
        }
        var best: Verification<ValidatedCertificateChain>?
        for depth in chain.indices {
            for anchor in anchors.candidates(for: chain[depth], comparison: policy.nameComparison) {
                let path = CertificatePath(leaf: leaf, intermediates: chain[...depth].dropFirst(), anchor: anchor)
                let result = evaluate(path, at: time, &signatures)
                if result.verified != nil { return result }
                if best.map({ Self.progress(of: $0) < Self.progress(of: result) }) ?? true { best = result }
            }
        }
        return best ?? withoutAnchor(chain, leaf, at: time)
    }

    private func evaluate(
        _ path: CertificatePath,
        at time: Date,
        _ signatures: inout [Bool?]
    ) -> Verification<ValidatedCertificateChain> {
        var evaluation = CertificatePathEvaluation(path: path, policy: policy, time: time, signatures: signatures)
        defer { signatures = evaluation.signatures }
        return evaluation.run()
    }

    private func withoutAnchor(
        _ chain: [Certificate],
        _ leaf: Certificate,
        at time: Date
    ) -> Verification<ValidatedCertificateChain> {
        if anchors.certificates.contains(leaf) {
            let message = "the leaf is itself a trust anchor, which the policy does not accept"
            return refused(.trustAnchor, .leafIsTrustAnchor, message, certificate: 0, at: time)
        }
        let last = chain[chain.count - 1]
        let message =
            anchors.hasSubject(last.issuer, policy.nameComparison)
            ? "the trust anchors with the name \(last.issuer) have other key identifiers"
            : "no trust anchor has the name \(last.issuer)"
        return refused(.trustAnchor, .noTrustAnchor, message, certificate: chain.count - 1, at: time)
    }

    /// The number of checks that passed before the first failure, and 0 or 1 for the anchor: 0 if that failure is the anchor's.
    ///
    /// Paths compare by it: the reason of the path with the most progress is reported.
    private static func progress(of result: Verification<ValidatedCertificateChain>) -> (passed: Int, anchor: Int) {
        let passed = result.checks.firstIndex { $0.outcome != .passed } ?? result.checks.count
        return (passed, result.refusal?.path.first == anchorName ? 0 : 1)
    }

    func refused(chainOf count: Int, at time: Date) -> Verification<ValidatedCertificateChain> {
        let message = "the chain has \(count) certificates and may have \(policy.maximumChainLength)"
        return refused(.chainLength, .chainTooLong, message, at: time)
    }

    /// A refusal after which no later check can be made; those before have passed.
    func refused(
        _ check: Check,
        _ reason: Reason,
        _ message: String,
        certificate index: Int? = nil,
        at time: Date
    ) -> Verification<ValidatedCertificateChain> {
        var checklist = Checklist(Self.checks, at: time)
        for earlier in Self.checks.prefix(while: { $0 != check }) { checklist.record(earlier, .passed) }
        checklist.record(check, .failed(reason, message), at: index.map { [CertificatePath.name(at: $0)] } ?? [])
        return checklist.verification(of: nil)
    }
}
