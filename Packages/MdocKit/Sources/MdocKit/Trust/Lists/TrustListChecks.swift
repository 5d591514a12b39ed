import COSEKit
import CryptoCore
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes the checks of a trust list one after the other, and notes the outcome of each.
struct TrustListChecks {
    private let envelope: TrustListEnvelope
    private let policy: TrustListPolicy
    private let time: Date
    private let path: Verification<ValidatedCertificateChain>
    private var freshness = TrustListFreshness.unknown
    private var outcomes: [(check: TrustListCheck, outcome: TrustListOutcome)] = []

    init(_ envelope: TrustListEnvelope, anchors: [Certificate], policy: TrustListPolicy, time: Date) {
        self.envelope = envelope
        self.policy = policy
        self.time = time
        path = CertificatePathValidator(anchors: anchors, policy: policy.signer)
            .validate(encodedChain: envelope.x5chain, at: time)
    }

    /// Makes the checks that every list has.
    mutating func run(date: Date, notAfter: Date?, nextUpdate: Date?) {
        freshness = TrustListFreshness(nextUpdate: nextUpdate, at: time)
        record(.signerCertificate, path.refusal.map { .failed($0.message) } ?? .passed)
        record(.signature, signature())
        record(.issueDate, issueDate(date))
        record(.validity, validity(notAfter))
        record(.freshness, isFresh())
    }

    /// The type of a RICAL.
    mutating func checkType(_ type: String, among types: Set<String>) {
        let isAskedFor = types.contains { $0.utf8.elementsEqual(type.utf8) }
        record(.type, isAskedFor ? .passed : .failed("a list of type \(type) was not asked for"))
    }

    /// The issue's number against that of the last one.
    mutating func checkIssueID(_ issueID: UInt64?, last: UInt64?) {
        switch (issueID, last) {
        case (_, nil): record(.issueID, .notMade("no list was accepted before"))
        case (nil, let last?): record(.issueID, .failed("the list has no number, the last one had \(last)"))
        case (let issueID?, let last?) where issueID < last:
            record(.issueID, .failed("issue \(issueID) is older than the last one, \(last)"))
        default: record(.issueID, .passed)
        }
    }

    /// Draws the verdict.
    func conclude<List>(
        _ makeList: (ValidatedCertificateChain, TrustListFreshness) -> List
    ) -> TrustListVerification<List> {
        for (check, outcome) in outcomes {
            if case .failed(let message) = outcome {
                return TrustListVerification(
                    verdict: .refused(TrustListFailure(check: check, message: message)),
                    checks: outcomes
                )
            }
        }
        guard let chain = path.verified else {
            let failure = TrustListFailure(check: .signerCertificate, message: "the signer is not known")
            return TrustListVerification(verdict: .refused(failure), checks: outcomes)
        }
        return TrustListVerification(verdict: .verified(makeList(chain, freshness)), checks: outcomes)
    }

    private mutating func record(_ check: TrustListCheck, _ outcome: TrustListOutcome) {
        outcomes.append((check, outcome))
    }

    /// The signature by the key of the first certificate, whether that is trusted or not.
    private func signature() -> TrustListOutcome {
        guard let leaf = envelope.x5chain.first else { return .notMade("there is no certificate") }
        let key: PublicKey
        do throws(CryptoError) {
            key = try Certificate(der: leaf).publicKey()
        } catch {
            return .notMade("the signer's certificate cannot be used: \(error.message)")
        }
        do throws(COSEError) {
            let verified = try envelope.signature.verify(with: key, policy: MdocAlgorithms.signatures)
            guard let curve = key.curve, MdocAlgorithms.allows(verified.algorithm, on: curve) else {
                return .failed("\(verified.algorithm) does not go with the signer's \(key)")
            }
            return .passed
        } catch {
            return .failed(error.message)
        }
    }

    private func issueDate(_ date: Date) -> TrustListOutcome {
        date <= time + policy.clockTolerance ? .passed : .failed("issued in the future, at \(date)")
    }

    private func validity(_ notAfter: Date?) -> TrustListOutcome {
        guard let notAfter else { return .notMade("the list does not say until when it is valid") }
        return time <= notAfter ? .passed : .failed("not valid after \(notAfter)")
    }

    private func isFresh() -> TrustListOutcome {
        switch freshness {
        case .unknown: .notMade("the list does not say when the next one comes")
        case .current: .passed
        case .updateDue(let date) where policy.refusesOverdueLists: .failed("the next list was due at \(date)")
        case .updateDue(let date): .notMade("the next list was due at \(date)")
        }
    }
}
