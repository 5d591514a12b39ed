import COSEKit
import CryptoCore
import MdocKit
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes the checks of a trust list one after the other.
struct TrustListChecks {
    private let envelope: TrustListEnvelope
    private let policy: TrustListPolicy
    private let path: Verification<ValidatedCertificateChain>
    private let time: Date

    init(_ envelope: TrustListEnvelope, anchors: [Certificate], policy: TrustListPolicy, time: Date) {
        self.envelope = envelope
        self.policy = policy
        self.time = time
        path = CertificatePathValidator(anchors: anchors, policy: policy.signer)
            .validate(encodedChain: envelope.x5chain, at: time)
    }

    /// Makes the checks that every list has.
    func run(_ checklist: inout Checklist, date: Date, notAfter: Date?, _ freshness: TrustListFreshness) {
        checklist.check(.signerCertificate) { () throws(CheckFault) in try checkSigner() }
        checklist.check(.issuerSignature) { () throws(CheckFault) in try checkSignature() }
        checklist.check(.issuedAt) { () throws(CheckFault) in
            try VerificationTime(time, clockSkew: policy.clockSkew).requireIssued(at: date, named: "date")
        }
        checklist.check(.validity) { () throws(CheckFault) in
            guard let notAfter else { throw .notApplicable("the list does not say until when it is valid") }
            guard time <= notAfter else {
                throw .failed(
                    .expired,
                    "it is valid until \(VerificationTime.text(notAfter)), and it is \(VerificationTime.text(time))"
                )
            }
        }
        checklist.check(.freshness) { () throws(CheckFault) in try checkFreshness(freshness) }
    }

    /// The type of a RICAL.
    func checkType(_ type: String, among types: Set<String>, _ checklist: inout Checklist) {
        checklist.check(.type) { () throws(CheckFault) in
            guard types.contains(where: { $0.hasSameBytes(as: type) }) else {
                throw .failed(.unexpectedType, "a list of type \(type) was not asked for")
            }
        }
    }

    /// The issue against the last one: the number decides, or the date where the numbers are equal or missing.
    func checkIssue(
        _ issue: (id: UInt64?, date: Date),
        last: (id: UInt64?, date: Date?),
        _ checklist: inout Checklist
    ) {
        checklist.check(.issueID) { () throws(CheckFault) in
            guard last.id != nil || last.date != nil else { throw .notApplicable("no list was accepted before") }
            if let lastID = last.id {
                guard let id = issue.id else {
                    throw .failed(.superseded, "the list has no number, the last one had \(lastID)")
                }
                guard id >= lastID else {
                    throw .failed(.superseded, "issue \(id) is older than the last one, \(lastID)")
                }
                guard id == lastID else { return }
            }
            guard let lastDate = last.date, issue.date < lastDate else { return }
            let (text, lastText) = (VerificationTime.text(issue.date), VerificationTime.text(lastDate))
            throw .failed(.superseded, "the list of \(text) is older than the last one, of \(lastText)")
        }
    }

    /// The signer's certificate chain, if it is valid.
    var signer: ValidatedCertificateChain? { path.verified }

    private func checkSigner() throws(CheckFault) {
        guard let refusal = path.refusal else { return }
        let reason: Reason = refusal.check == .trustAnchor ? .issuerNotTrusted : .invalidSignerCertificate
        throw .failed(reason, refusal.message)
    }

    /// The signature by the key of the first certificate, whether that is trusted or not.
    private func checkSignature() throws(CheckFault) {
        guard let leaf = envelope.x5chain.first else {
            throw .failed(.invalidSignerCertificate, "there is no certificate")
        }
        do throws(COSEError) {
            try envelope.signature.headers.requireX5T(of: leaf)
        } catch {
            throw .failed(.invalidSignerCertificate, error.message)
        }
        let key: PublicKey
        do throws(CryptoError) {
            key = try Certificate(der: leaf).publicKey()
        } catch {
            throw .failed(.invalidSignerCertificate, "the signer's certificate cannot be used: \(error.message)")
        }
        let algorithm: COSEAlgorithm
        do throws(COSEError) {
            algorithm = try envelope.signature.verify(with: key, policy: MdocAlgorithms.signatures).algorithm
        } catch {
            throw .failed(.invalidIssuerSignature, error.message)
        }
        guard let curve = key.curve, MdocAlgorithms.allows(algorithm, on: curve) else {
            throw .failed(.algorithmNotAllowed, "\(algorithm) does not go with the signer's \(key)")
        }
    }

    private func checkFreshness(_ freshness: TrustListFreshness) throws(CheckFault) {
        switch freshness {
        case .unknown: throw .notApplicable("the list does not say when the next one comes")
        case .current: return
        case .updateDue(let date):
            let message = "the next list was due at \(date)"
            guard policy.refusesOverdueLists else { throw .waived(by: "overdueLists", message) }
            throw .failed(.updateOverdue, message)
        }
    }
}
