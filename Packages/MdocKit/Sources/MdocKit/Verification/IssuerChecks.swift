import CBORKit
import COSEKit
import CryptoCore
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Counters for the work of a verification, with which tests bound the work that any input can cause.
package struct VerificationWork: Hashable, Sendable {
    /// The number of issuer signatures checked.
    package var issuerSignatures = 0
    /// The number of digests computed.
    package var digests = 0
    /// The number of digests of mobile security objects examined to find those of items; an index counts each once.
    package var digestsCompared = 0
    /// The number of device-signed elements looked up in the key's authorizations.
    package var authorizations = 0
    /// The number of device signatures and MACs checked.
    package var deviceAuthentications = 0
}

/// Makes the checks of issuer-signed data one after the other, and notes the outcome of each.
///
/// After a failed check, cheap checks are still made, to report further faults. Checks whose cost the sender controls
/// are made only while no check has failed, unless the policy wants all.
struct IssuerChecks: ~Copyable {
    let issuerSigned: IssuerSigned
    /// The document that presents it; nil for a credential by itself.
    let document: MdocDocument?
    /// The requested document types; nil for any.
    let requested: Set<DocType>?
    /// The verifier's trusted issuers, and the demands on credentials.
    private let issuers: IssuerTrust

    let signer: SignerAssessment
    /// The entry of the verifier's configuration that trusts the issuer for documents of this type; nil if none does.
    let trustAnchor: TrustAnchor?
    let deviceKey: Result<PublicKey, COSEError>
    /// The algorithm that the protected header of issuerAuth names; nil if it names none.
    let issuerAlgorithm: COSEAlgorithm?
    private(set) var checklist: Checklist
    /// Counters for the work of the checks.
    var work = VerificationWork()
    /// Indicates that a check has failed, up to that of the issuer's signature.
    ///
    /// The issuer does not vouch for the rest, so that is not examined any further.
    private(set) var lacksIssuer = false

    init(
        _ issuerSigned: IssuerSigned,
        in document: MdocDocument?,
        requested: Set<DocType>?,
        issuers: IssuerTrust,
        now: Date
    ) {
        self.issuerSigned = issuerSigned
        self.document = document
        self.requested = requested
        self.issuers = issuers
        signer = SignerAssessment(issuerSigned.x5chain, issuers, at: now)
        if let anchor = signer.anchor {
            trustAnchor = issuers.anchor(for: issuerSigned.mobileSecurityObject.docType, anchor)
        } else {
            trustAnchor = nil
        }
        do throws(COSEError) {
            deviceKey = .success(try issuerSigned.mobileSecurityObject.deviceKeyInfo.deviceKey.publicKey())
        } catch {
            deviceKey = .failure(error)
        }
        do throws(COSEError) {
            issuerAlgorithm = try issuerSigned.issuerAuth.headers.protected.algorithm()
        } catch {
            // An algorithm that is not a number is unknown to the standard; the check of the structure refuses it.
            issuerAlgorithm = nil
        }
        let names = document == nil ? MdocVerifier.issuerSignedChecks : MdocVerifier.documentChecks
        checklist = Checklist(names, at: now)
        for deviation in document?.deviations ?? issuerSigned.deviations { checklist.add(Deviation(deviation)) }
        for deviation in signer.deviations { checklist.add(Deviation(deviation, at: Deviation.issuerChain)) }
    }

    /// The time of the verification.
    var now: Date { checklist.time }

    var mobileSecurityObject: MobileSecurityObject { issuerSigned.mobileSecurityObject }

    /// The demands beyond the standard, but for that on the status, and the tolerances.
    var policy: MdocVerificationPolicy { issuers.policy }

    /// Lets a tolerated deviation pass, and notes it.
    mutating func tolerates(_ tolerance: MdocTolerance, at view: CBORView) -> Bool {
        guard policy.tolerances.contains(tolerance) else { return false }
        checklist.add(Deviation(MdocDeviation(tolerance: tolerance, path: view.path)))
        return true
    }

    /// Notes the outcome of a check.
    mutating func record(_ check: Check, _ outcome: CheckResult.Outcome) {
        checklist.record(check, outcome)
    }

    /// Makes the check of the status that the credential names.
    mutating func checkStatus(
        _ policy: StatusPolicy,
        _ ask: (MobileSecurityObject.Status) async -> StatusFinding
    ) async {
        await checklist.checkStatus(policy, named: mobileSecurityObject.status, ask)
    }

    /// Makes the check of the status of a credential that names none, which takes no waiting.
    mutating func checkMissingStatus(_ policy: StatusPolicy) {
        let status: MobileSecurityObject.Status? = nil
        checklist.checkStatus(policy, named: status) { _ in .unknown("the credential names no status") }
    }

    /// Makes a user's checks of the value, and draws the verdict.
    nonisolated(nonsending) consuming func conclude<Value>(
        _ value: Value?,
        _ additionalChecks: [AdditionalCheck<Value>] = []
    ) async -> Verification<Value> {
        if !additionalChecks.isEmpty { await checklist.make(additionalChecks, of: value) }
        return checklist.verification(of: value)
    }

    /// Draws the verdict.
    consuming func conclude() -> Verification<VerifiedIssuerSigned> {
        let credential = credential
        return checklist.verification(of: credential)
    }

    /// Returns `true` if a costly check has to be made; otherwise notes that it is not reached.
    mutating func isDue(_ check: Check) -> Bool {
        guard lacksIssuer, !issuers.policy.makesAllChecks else { return true }
        record(check, .notReached)
        return false
    }

    /// Makes every check up to that of the device key.
    ///
    /// - Parameters:
    ///   - expectedKey: The key that the credential must be bound to; nil for any.
    ///   - signerRevocation: The outcome of the revocation check of the issuer's certificate.
    mutating func run(expecting expectedKey: PublicKey? = nil, signerRevocation: CheckResult.Outcome) {
        record(.structure, structure())
        record(.algorithm, algorithms())
        record(.signerCertificate, signerCertificate())
        record(.issuerTrust, signer.outcome(of: .issuerTrust))
        record(.certificateValidity, signer.outcome(of: .certificateValidity))
        record(.issuerLocality, issuerLocality())
        record(.signerRevocation, signerRevocation)
        record(.trustedForDocType, trustedForDocType())
        lacksIssuer = checklist.isRefused
        if isDue(.issuerSignature) {
            record(.issuerSignature, issuerSignature())
            work.issuerSignatures += 1
            lacksIssuer = checklist.isRefused
        }
        if isDue(.digests) { record(.digests, digests()) }
        record(.credentialType, credentialType())
        record(.signingTime, signingTime())
        record(.validity, validityPeriod())
        record(.deviceKey, deviceKey(expecting: expectedKey))
    }
}
