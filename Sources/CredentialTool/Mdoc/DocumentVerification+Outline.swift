import CBORKit
import CryptoCore
import MdocKit

extension DocumentVerification {
    /// Verdict, reason, elements where there are verified ones, and the outcome of every check.
    var outline: Outline {
        switch verdict {
        case .verified(let document):
            .fields([
                "docType": .verbatim(document.docType.text),
                "verdict": "verified",
                "signer": .text("\(document.signer.leaf.subject)"),
                "trust anchor": .text("\(document.signer.anchor.subject)"),
                "validity": document.validityInfo.outline,
                "elements": document.elementsOutline,
                "checks": checksOutline,
                "certificate deviations": certificateDeviations.outline,
            ])
        case .refused(let failure):
            .fields([
                "docType": docType.map { .verbatim($0.text) },
                "verdict": "refused",
                "reason": .text("\(failure.reason)"),
                "message": .text(failure.message),
                "checks": checksOutline,
            ])
        }
    }

    private var checksOutline: Outline {
        .list(checks.map { .text("\($0)") })
    }
}

extension [CertificateDeviation] {
    /// The tolerated deviations; empty without any.
    var outline: Outline? { isEmpty ? nil : .list(map { .text("\($0)") }) }
}

extension VerifiedDocument {
    /// The verified elements by namespace.
    var elementsOutline: Outline {
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
