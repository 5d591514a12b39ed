import CBORKit
import COSEKit
import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How much a verification did, counted so that a test can tell that no input makes it do more than its share.
package struct VerificationWork: Hashable, Sendable {
    /// The issuer's signatures that were checked.
    package var issuerSignatures = 0
    /// The digests that were computed.
    package var digests = 0
    /// The digests of mobile security objects that were looked at to find those of items: an index counts each once.
    package var digestsCompared = 0
    /// The device-signed elements that were looked up among the key's authorizations.
    package var authorizations = 0
    /// The device signatures and MACs that were checked.
    package var deviceAuthentications = 0
}

/// Makes the checks of what an issuer signed, one after the other, and notes what came of each.
///
/// A check that fails does not keep the later ones from being made that cost little: they show what else is wrong. Those
/// whose cost is in the hands of the sender are made only while no check has failed, unless the policy wants all.
struct IssuerChecks: ~Copyable {
    let issuerSigned: IssuerSigned
    /// The document that presents it; nil for a credential by itself.
    let document: Document?
    /// The document types that were asked for; nil where any will do.
    let requested: Set<DocType>?
    let now: Date
    /// What is demanded beyond the standard's checks, and tolerated.
    let policy: MdocVerificationPolicy

    let signer: SignerAssessment
    /// The entry of the verifier's configuration that trusts the issuer for documents of this type; nil where none does.
    let trustAnchor: TrustAnchor?
    let deviceKey: Result<PublicKey, COSEError>
    /// The algorithm that the protected header of issuerAuth names; nil where it names none.
    let issuerAlgorithm: COSEAlgorithm?
    private(set) var outcomes: [CheckOutcome] = []
    /// The deviations that the checks met and tolerated.
    private(set) var deviations: [MdocDeviation] = []
    /// What the checks took.
    var work = VerificationWork()
    /// Whether a check has failed up to that of the issuer's signature: what the issuer did not vouch for is not looked at
    /// any further.
    private(set) var isDisowned = false

    init(
        _ issuerSigned: IssuerSigned,
        in document: Document?,
        requested: Set<DocType>?,
        issuers: borrowing IssuerTrust,
        now: Date
    ) {
        self.issuerSigned = issuerSigned
        self.document = document
        self.requested = requested
        self.now = now
        policy = issuers.policy
        signer = SignerAssessment(
            issuers.chains.validate(encodedChain: issuerSigned.x5chain, at: now),
            leaf: issuerSigned.x5chain.first,
            tolerances: issuers.policy.certificateTolerances
        )
        if let anchor = signer.anchor {
            trustAnchor = issuers.purposes.anchor(for: issuerSigned.mobileSecurityObject.docType, anchor)
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
            // One that is no number is none that the standard knows: the check of the structure refuses it.
            issuerAlgorithm = nil
        }
        outcomes.reserveCapacity(MdocCheck.all.count)
    }

    var mobileSecurityObject: MobileSecurityObject { issuerSigned.mobileSecurityObject }

    /// Lets a deviation pass if the policy tolerates it, and notes it.
    mutating func tolerates(_ tolerance: MdocTolerance, at view: CBORView) -> Bool {
        guard policy.tolerances.contains(tolerance) else { return false }
        deviations.append(MdocDeviation(tolerance: tolerance, path: view.path))
        return true
    }

    /// Notes what came of a check.
    mutating func record(_ check: MdocCheck, _ verdict: CheckOutcome.Verdict) {
        outcomes.append(CheckOutcome(check: check, verdict: verdict))
    }

    /// Whether a costly check is to be made; notes that it is not where the document is refused already.
    mutating func isDue(_ check: MdocCheck) -> Bool {
        guard isDisowned, !policy.makesAllChecks else { return true }
        record(check, .notMade("refused before: nothing vouches for what this check looks at"))
        return false
    }

    /// Makes every check up to that of the device key.
    ///
    /// - Parameters:
    ///   - expectedKey: The key that the credential must be bound to; nil for any.
    ///   - signerRevocation: What came of asking whether the issuer's certificate is revoked; nil where nobody asked.
    mutating func run(expecting expectedKey: PublicKey? = nil, signerRevocation: CheckOutcome.Verdict? = nil) {
        record(.structure, structure())
        record(.algorithms, algorithms())
        record(.signerCertificate, signer.verdict(of: .signerCertificate))
        record(.trustedIssuer, signer.verdict(of: .trustedIssuer))
        record(.certificateValidity, signer.verdict(of: .certificateValidity))
        record(.issuerLocality, issuerLocality())
        if let signerRevocation { record(.signerRevocation, signerRevocation) }
        record(.trustedForDocType, trustedForDocType())
        isDisowned = outcomes.firstFailure != nil
        if isDue(.issuerSignature) {
            record(.issuerSignature, issuerSignature())
            work.issuerSignatures += 1
            isDisowned = outcomes.firstFailure != nil
        }
        if isDue(.digests) { record(.digests, digests()) }
        record(.docType, docType())
        record(.signingTime, signingTime())
        record(.validityPeriod, validityPeriod())
        record(.deviceKey, deviceKey(expecting: expectedKey))
    }

    /// What a check says that cannot be made for want of the issuer's certificate.
    static let withoutCertificate = CheckOutcome.Verdict.notMade("the issuer's certificate cannot be read")
}
