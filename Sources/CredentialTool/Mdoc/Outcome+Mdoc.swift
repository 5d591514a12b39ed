import CBORKit
import CommandSupport
import CryptoCore
import MdocKit

extension Outcome {
    /// The outcome of a response: verified if there is a document and every document is verified.
    init(_ verification: Verification<[VerifiedMdocDocument]>, of response: DeviceResponse) {
        let documents = verification.documents.enumerated().map { index, document in
            document.outline(docType: response.statedDocType(ofDocument: index))
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
                "validity": credential?.issuerSigned.mobileSecurityObject.validityInfo.outline,
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
    fileprivate func outline(docType: DocType?) -> Outline {
        switch verdict {
        case .verified(let document):
            .fields([
                "docType": .verbatim(document.docType.text),
                "verdict": "verified",
                "signer": .text("\(document.signer.leaf.subject)"),
                "trust anchor": .text("\(document.signer.anchor.subject)"),
                "validity": document.validityInfo.outline,
                "elements": document.elementsOutline,
            ])
        case .refused(let refusal):
            .fields([
                "docType": docType.map { .verbatim($0.text) },
                "verdict": "refused",
                "reason": .text("\(refusal.reason)"),
                "message": .text(refusal.message),
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
                    (name: element.identifier.text, value: Outline.text(element.value.view.readableText))
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
                    (name: item.elementIdentifier.text, value: Outline.text(item.elementValue.readableText))
                }
                return (name: group.nameSpace.text, value: .fields(members))
            }
        )
    }
}
