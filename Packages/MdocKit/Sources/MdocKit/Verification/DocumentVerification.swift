public import CryptoCore

/// The outcome of verifying one document of a response.
public struct DocumentVerification: Sendable {
    /// The document with its elements, or why it is refused.
    public enum Verdict: Sendable {
        /// Every check that applies holds.
        case verified(VerifiedDocument)
        /// A check failed; the first failure is the reason.
        case refused(VerificationFailure)
    }

    /// The document's place in the response, counted from 0.
    public let index: Int
    /// The document type as stated, whether it is verified or not; nil where that much could not be read.
    public let docType: DocType?
    /// The document with its elements, or why it is refused.
    public let verdict: Verdict
    /// Every check in order, with its outcome.
    public let checks: [CheckOutcome]
    /// The validity as stated, whether it is verified or not; nil where the document could not be read.
    public let validityInfo: ValidityInfo?
    /// The tolerated deviations of the document from the standard, starting with those detected in reading.
    public let deviations: [MdocDeviation]
    /// The departures of the issuer's certificate from its profile that were tolerated.
    public let certificateDeviations: [CertificateDeviation]
    /// The ``deviations`` detected in verification.
    let deviationsOfChecks: [MdocDeviation]
    /// Counters for the work done.
    package let work: VerificationWork

    /// The document, if it is verified.
    public var verifiedDocument: VerifiedDocument? {
        guard case .verified(let document) = verdict else { return nil }
        return document
    }

    /// The reason that the document is refused, or nil.
    public var failure: VerificationFailure? {
        guard case .refused(let failure) = verdict else { return nil }
        return failure
    }
}

extension DocumentVerification {
    /// Draws the verdict from the checks.
    init(_ document: Document, _ checks: borrowing IssuerChecks) {
        index = document.index
        docType = document.docType
        self.checks = checks.outcomes
        validityInfo = document.issuerSigned.mobileSecurityObject.validityInfo
        deviations = document.deviations + checks.deviations
        deviationsOfChecks = checks.deviations
        certificateDeviations = checks.signer.deviations
        work = checks.work
        verdict =
            switch checks.conclusion {
            case .success(let credential): .verified(VerifiedDocument(document, credential))
            case .failure(let failure): .refused(failure)
            }
    }

    /// The verdict on a document that could not be read.
    init(unreadable document: UnreadableDocument) {
        let failure = VerificationFailure(
            reason: .mobileCredentialInvalid,
            message: document.error.description,
            check: .structure
        )
        index = document.index
        docType = document.docType
        verdict = .refused(failure)
        checks = MdocCheck.all.map { check in
            CheckOutcome(
                check: check,
                verdict: check == .structure
                    ? .failed(failure.reason, failure.message) : .notMade("the document cannot be read")
            )
        }
        validityInfo = nil
        deviations = []
        deviationsOfChecks = []
        certificateDeviations = []
        work = VerificationWork()
    }
}
