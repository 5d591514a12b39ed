#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Runs the checks over one path.
struct CertificatePathEvaluation {
    let path: CertificatePath
    let policy: CertificatePathPolicy
    let time: Date
    /// The results of signature checks between certificates of the given chain, by the index of the signed one; kept
    /// from one path to the next.
    var signatures: [Int: Bool]
    /// Departures from profiles that the policy tolerates, in the order met.
    var toleratedDeviations: [CertificateDeviation] = []

    init(path: CertificatePath, policy: CertificatePathPolicy, time: Date, signatures: [Int: Bool]) {
        self.path = path
        self.policy = policy
        self.time = time
        self.signatures = signatures
    }

    private typealias Step = @Sendable (inout CertificatePathEvaluation) -> CertificatePathFailure?

    /// The step for each of ``CertificatePathCheck/all``; length and anchor are checked before there is a path.
    private static let steps: [(check: CertificatePathCheck, run: Step)] = [
        (.encoding, { $0.checkEncoding() }),
        (.chainLength, { _ in nil }),
        (.trustAnchor, { _ in nil }),
        (.nameChaining, { $0.checkNameChaining() }),
        (.keyIdentifiers, { $0.checkKeyIdentifiers() }),
        (.criticalExtensions, { $0.checkCriticalExtensions() }),
        (.certificateAuthority, { $0.checkCertificateAuthority() }),
        (.pathLength, { $0.checkPathLength() }),
        (.issuerKeyUsage, { $0.checkIssuerKeyUsage() }),
        (.algorithms, { $0.checkAlgorithms() }),
        (.signatures, { $0.checkSignatures() }),
        (.validity, { $0.checkValidity() }),
        (.nameConstraints, { $0.checkNameConstraints() }),
        (.leafUsage, { $0.checkLeafUsage() }),
        (.profile, { $0.checkProfiles() }),
    ]

    /// Runs every check and draws the verdict from the first that failed.
    ///
    /// Signatures are not checked on a path that is refused already: they cost far more than everything else.
    mutating func run() -> CertificatePathResult {
        var first: CertificatePathFailure?
        var checks: [(check: CertificatePathCheck, outcome: CertificatePathResult.Outcome)] = []
        checks.reserveCapacity(Self.steps.count)
        for step in Self.steps {
            guard first == nil || step.check != .signatures else {
                checks.append((step.check, .notRun))
                continue
            }
            let failure = step.run(&self)
            checks.append((step.check, failure.map { .failed($0) } ?? .passed))
            first = first ?? failure
        }
        return CertificatePathResult(verdict: first.map { .invalid($0) } ?? validVerdict(), checks: checks)
    }

    private func validVerdict() -> CertificatePathResult.Verdict {
        let dated = policy.requiresValidAnchor ? path.members : path.members.filter { $0.position != .anchor }
        let leaf = path.leaf.certificate
        do {
            let chain = ValidatedCertificateChain.Members(
                certificates: path.members.filter { $0.position != .anchor }.map(\.certificate),
                anchor: path.anchor.certificate,
                leaf: leaf,
                leafPublicKey: try leaf.publicKey(options: policy.keyImportOptions),
                validationTime: time,
                notValidBefore: dated.map(\.certificate.notValidBefore).max() ?? .distantPast,
                notValidAfter: dated.map(\.certificate.notValidAfter).min() ?? .distantFuture,
                toleratedDeviations: toleratedDeviations
            )
            return .valid(ValidatedCertificateChain(chain))
        } catch {
            return .invalid(unsupportedKey(path.leaf, error))
        }
    }

    func unsupportedKey(_ member: CertificatePath.Member, _ error: CryptoError) -> CertificatePathFailure {
        failure(.algorithms, error.code == .weakKey ? .weakKey : .unsupportedKey, member, error.description)
    }

    func failure(
        _ check: CertificatePathCheck,
        _ reason: CertificatePathFailure.Reason,
        _ member: CertificatePath.Member,
        _ message: String
    ) -> CertificatePathFailure {
        CertificatePathFailure(
            check: check,
            reason: reason,
            position: member.position,
            certificate: member.certificate,
            message: message
        )
    }
}
