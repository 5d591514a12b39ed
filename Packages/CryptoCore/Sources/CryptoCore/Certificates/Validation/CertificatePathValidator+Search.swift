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
    func searchPath(_ chain: [Certificate], at time: Date) -> CertificatePathResult {
        guard let leaf = chain.first else { return .emptyChain }
        guard chain.count <= policy.maximumChainLength else { return .chainTooLong(chain.count, policy) }
        var signatures: [Int: Bool] = [:]
        if policy.acceptsTrustedLeaf, anchors.certificates.contains(leaf) {
            return evaluate(CertificatePath(trustedLeaf: leaf), at: time, &signatures)
        }
        var best: CertificatePathResult?
        for depth in chain.indices {
            for anchor in anchors.candidates(for: chain[depth], comparison: policy.nameComparison) {
                let path = CertificatePath(leaf: leaf, intermediates: chain[...depth].dropFirst(), anchor: anchor)
                let result = evaluate(path, at: time, &signatures)
                if case .valid = result.verdict { return result }
                if best.map({ $0.progress < result.progress }) ?? true { best = result }
            }
        }
        return best ?? withoutAnchor(chain, leaf)
    }

    private func evaluate(
        _ path: CertificatePath,
        at time: Date,
        _ signatures: inout [Int: Bool]
    ) -> CertificatePathResult {
        var evaluation = CertificatePathEvaluation(path: path, policy: policy, time: time, signatures: signatures)
        defer { signatures = evaluation.signatures }
        return evaluation.run()
    }

    private func withoutAnchor(_ chain: [Certificate], _ leaf: Certificate) -> CertificatePathResult {
        if anchors.certificates.contains(leaf) {
            return .failed(
                .trustAnchor,
                .leafIsTrustAnchor,
                .chain(0),
                leaf,
                "the leaf is itself a trust anchor, which the policy does not accept"
            )
        }
        let last = chain[chain.count - 1]
        let message =
            anchors.hasSubject(last.issuer, policy.nameComparison)
            ? "the trust anchors with the name \(last.issuer) have other key identifiers"
            : "no trust anchor has the name \(last.issuer)"
        return .failed(.trustAnchor, .noTrustAnchor, .chain(chain.count - 1), last, message)
    }
}
