import CBORKit
import COSEKit
import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes the checks of what an issuer signed, one after the other, and notes what came of each.
///
/// A check that fails does not keep the later ones from being made, as far as they can be: whoever looks for a fault
/// sees all that is wrong.
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
        record(.issuerSignature, issuerSignature())
        record(.digests, digests())
        record(.docType, docType())
        record(.signingTime, signingTime())
        record(.validityPeriod, validityPeriod())
        record(.deviceKey, deviceKey(expecting: expectedKey))
    }

    /// What a check says that cannot be made for want of the issuer's certificate.
    static let withoutCertificate = CheckOutcome.Verdict.notMade("the issuer's certificate cannot be read")
}
