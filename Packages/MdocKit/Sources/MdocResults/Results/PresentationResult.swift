import MdocKit
import VerificationCore

/// The verification of a document, with what the document states about itself, verified or not.
struct PresentationResult: Sendable {
    /// The document's place in the response, counted from 0.
    let index: Int
    /// The type as stated; nil if that much could not be read.
    let docType: DocType?
    /// The validity as stated; nil if the document could not be read.
    let validityInfo: ValidityInfo?
    /// The verification.
    let verification: Verification<VerifiedMdocDocument>

    /// The results of a response.
    static func results(
        _ verification: Verification<[VerifiedMdocDocument]>,
        of response: DeviceResponse
    ) -> [PresentationResult] {
        zip(PresentedDocument.documents(of: response), verification.documents).map { document, verification in
            PresentationResult(
                index: document.index,
                docType: document.docType,
                validityInfo: document.validityInfo,
                verification: verification
            )
        }
    }
}
