import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes the checks of one path.
struct CertificatePathEvaluation {
    let path: CertificatePath
    let policy: CertificatePathPolicy
    let time: Date
    /// The results of signature checks between certificates of the given chain, by the index of the signed one; kept
    /// from one path to the next.
    var signatures: [Bool?]
    /// Departures from profiles that the policy tolerates, in the order met.
    var toleratedDeviations: [CertificateDeviation] = []

    init(path: CertificatePath, policy: CertificatePathPolicy, time: Date, signatures: [Bool?]) {
        self.path = path
        self.policy = policy
        self.time = time
        self.signatures = signatures
    }

    typealias Step = @Sendable (inout CertificatePathEvaluation) throws(CheckFault) -> Void

    /// The step for each check, in their order; length and anchor are checked before there is a path.
    static let steps: [(check: Check, run: Step)] = [
        (.certificateEncoding, { (path) throws(CheckFault) in try path.checkEncoding() }),
        (.chainLength, { (_) throws(CheckFault) in }),
        (.trustAnchor, { (_) throws(CheckFault) in }),
        (.nameChaining, { (path) throws(CheckFault) in try path.checkNameChaining() }),
        (.keyIdentifiers, { (path) throws(CheckFault) in try path.checkKeyIdentifiers() }),
        (.criticalExtensions, { (path) throws(CheckFault) in try path.checkCriticalExtensions() }),
        (.certificateAuthority, { (path) throws(CheckFault) in try path.checkCertificateAuthority() }),
        (.pathLength, { (path) throws(CheckFault) in try path.checkPathLength() }),
        (.issuerKeyUsage, { (path) throws(CheckFault) in try path.checkIssuerKeyUsage() }),
        (.certificateAlgorithms, { (path) throws(CheckFault) in try path.checkAlgorithms() }),
        (.certificateSignatures, { (path) throws(CheckFault) in try path.checkSignatures() }),
        (.certificateValidity, { (path) throws(CheckFault) in try path.checkValidity() }),
        (.nameConstraints, { (path) throws(CheckFault) in try path.checkNameConstraints() }),
        (.certificatePolicies, { (path) throws(CheckFault) in try path.checkPolicies() }),
        (.leafUsage, { (path) throws(CheckFault) in try path.checkLeafUsage() }),
        (.certificateProfile, { (path) throws(CheckFault) in try path.checkProfiles() }),
    ]

    /// Makes every check.
    ///
    /// Signatures are not checked on a path that is refused already: they cost far more than everything else.
    mutating func run() -> Verification<ValidatedCertificateChain> {
        var checklist = Checklist(CertificatePathValidator.checks, at: time)
        for step in Self.steps where step.check != .certificateSignatures || !checklist.isRefused {
            checklist.check(step.check) { () throws(CheckFault) in try step.run(&self) }
        }
        for deviation in toleratedDeviations {
            checklist.add(Deviation(deviation.kind.description, deviation.message))
        }
        let chain = checklist.isRefused ? nil : validatedChain()
        return checklist.verification(of: chain)
    }

    /// The chain of a path that passed every check; nil without a usable key, which the check of the algorithms refuses.
    private func validatedChain() -> ValidatedCertificateChain? {
        let leaf = path.leaf.certificate
        let key: PublicKey
        do throws(CryptoError) {
            key = try leaf.publicKey(options: policy.keyImportOptions)
        } catch {
            return nil
        }
        var certificates: [Certificate] = []
        certificates.reserveCapacity(path.members.count)
        var (notBefore, notAfter): (Date?, Date?)
        for member in path.members {
            if !member.isAnchor { certificates.append(member.certificate) }
            guard !member.isAnchor || policy.requiresValidAnchor else { continue }
            notBefore = max(notBefore ?? member.certificate.notValidBefore, member.certificate.notValidBefore)
            notAfter = min(notAfter ?? member.certificate.notValidAfter, member.certificate.notValidAfter)
        }
        return ValidatedCertificateChain(
            ValidatedCertificateChain.Members(
                certificates: certificates,
                anchor: path.anchor.certificate,
                leaf: leaf,
                leafPublicKey: key,
                validationTime: time,
                notValidBefore: notBefore ?? .distantPast,
                notValidAfter: notAfter ?? .distantFuture,
                toleratedDeviations: toleratedDeviations
            )
        )
    }

    func fault(_ reason: Reason, _ member: CertificatePath.Member, _ message: String) -> CheckFault {
        .failed(reason, message, path: [member.name])
    }
}

extension CertificatePathEvaluation {
    /// Applies each issuer's constraints to everything below it (RFC 5280, 6.1.3 (b), (c)); self-issued intermediates
    /// are exempt.
    func checkNameConstraints() throws(CheckFault) {
        for issuer in path.issuers where issuer.certificate.extension(.nameConstraints) != nil {
            let matcher: NameConstraintMatcher
            do throws(CryptoError) {
                guard let constraints = try issuer.certificate.nameConstraints else { continue }
                matcher = NameConstraintMatcher(constraints)
            } catch {
                throw fault(.nameConstraintViolated, issuer, error.description)
            }
            for member in path.members.prefix(issuer.index) {
                guard member.index == 0 || !member.certificate.isSelfIssued,
                    let message = matcher.violation(of: member.certificate)
                else { continue }
                throw fault(.nameConstraintViolated, member, message)
            }
        }
    }
}
