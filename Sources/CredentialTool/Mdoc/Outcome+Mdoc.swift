import CBORKit
import CommandSupport
import CryptoCore
import JSONKit
import MdocElements
import MdocKit
import MdocResults

extension Outcome {
    /// The outcome of a response: verified if there is a document and every document is verified.
    ///
    /// - Parameters:
    ///   - verification: The verification of the response.
    ///   - response: The response.
    ///   - diagnoses: The findings on documents whose device authentication fails, by the document's index.
    init(
        _ verification: Verification<[VerifiedMdocDocument]>,
        of response: DeviceResponse,
        diagnoses: [Int: Outline] = [:]
    ) {
        let documents = verification.documents.enumerated().map { index, document in
            document.outline(docType: response.statedDocType(ofDocument: index), diagnosis: diagnoses[index])
        }
        self.init(verification, ["documents": documents.isEmpty ? nil : .list(documents)])
    }

    /// The outcome of a credential by itself.
    init(_ verification: Verification<VerifiedIssuerSigned>) {
        let credential = verification.verified
        self.init(
            verification,
            [
                "docType": credential.map { .verbatim($0.issuerSigned.docType.text) },
                "signer": credential.map { .text("\($0.signer.leaf.subject)") },
                "trust anchor": credential.map { .text("\($0.signer.anchor.subject)") },
                "validity": credential?.issuerSigned.mobileSecurityObject.validityInfo.outline,
                "status": credential?.issuerSigned.mobileSecurityObject.status?.outline,
                "elements": credential?.elementsOutline,
            ]
        )
    }
}

extension DeviceResponse {
    /// The type that a document states; nil if it cannot be read.
    fileprivate func statedDocType(ofDocument index: Int) -> DocType? {
        documents.first { $0.index == index }?.docType ?? unreadableDocuments.first { $0.index == index }?.docType
    }
}

extension Verification<VerifiedMdocDocument> {
    /// Verdict, reason, and elements where there are verified ones.
    fileprivate func outline(docType: DocType?, diagnosis: Outline?) -> Outline {
        switch verdict {
        case .verified(let document):
            .fields([
                "docType": .verbatim(document.docType.text),
                "verdict": "verified",
                "signer": .text("\(document.signer.leaf.subject)"),
                "trust anchor": .text("\(document.signer.anchor.subject)"),
                "validity": document.validityInfo.outline,
                "status": document.status?.outline,
                "elements": document.elementsOutline,
            ])
        case .refused(let refusal):
            .fields([
                "docType": docType.map { .verbatim($0.text) },
                "verdict": "refused",
                "reason": .text("\(refusal.reason)"),
                "message": .text(refusal.message),
                "diagnosis": diagnosis,
            ])
        }
    }
}

extension VerifiedMdocDocument {
    /// The verified elements by namespace.
    fileprivate var elementsOutline: Outline {
        .fields(
            elements.groups.map { group in
                let members = group.elements.map { element in
                    (name: element.identifier.text, value: element.value.view.valueOutline)
                }
                return (name: group.nameSpace.text, value: .fields(members))
            }
        )
    }
}

extension VerifiedIssuerSigned {
    /// The verified elements by namespace.
    fileprivate var elementsOutline: Outline {
        .fields(
            issuerSigned.nameSpaces.map { group in
                let members = group.items.map { item in
                    (name: item.elementIdentifier.text, value: item.elementValue.valueOutline)
                }
                return (name: group.nameSpace.text, value: .fields(members))
            }
        )
    }
}

extension CBORView {
    /// A data element's value: in diagnostic notation for people, as a JSON value for machines.
    var valueOutline: Outline {
        .forms(people: .text(readableText), machines: JSONValue(dataElement: self))
    }
}

extension DeviceAuthenticationDiagnosis {
    /// The finding in a sentence: what the device signed, or that it signed nothing that the options lead to.
    var outline: Outline {
        switch finding {
        case .fits(let attempt):
            .text("the device authenticated another session: \(attempt.summary)")
        case .cannotBeChecked(let reason):
            .text("device authentication cannot be checked with any session: \(reason)")
        case .nothingFits:
            .text(
                """
                the device authenticated none of the \(attempts.count) sessions that the options lead to: the nonce or \
                another value of the session is not the one that the wallet answered to, or it signed with another key
                """
            )
        }
    }
}

extension DeviceAuthenticationAttempt {
    /// The flow and its variations, without the bytes.
    fileprivate var summary: String {
        ([form.description] + variations.map(\.description)).joined(separator: "; ")
    }
}
