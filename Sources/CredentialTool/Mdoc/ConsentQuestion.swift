import CommandSupport
import MdocKit

/// The question to a holder before a presentation: exactly what would leave, and the reader with its proof.
struct ConsentQuestion {
    private let summary: ConsentSummary

    init(_ summary: ConsentSummary) {
        self.summary = summary
    }

    /// Asks on the terminal; anything but y or yes is a no.
    func isAnsweredYes() async -> Bool {
        guard !summary.documents.isEmpty else { return false }
        return await Console.current.confirms(lines)
    }

    /// The lines of the question on the terminal.
    var lines: [String] { summary.lines + ["Send this? [y/N]"] }
}

extension ConsentSummary {
    /// The requested elements, the readers, and the presented elements.
    var outline: Outline {
        let presented = documents.map { document in
            (document.docRequest, document.docType, document.proof, document.elements.map(\.reference).sorted())
        }
        let others = unanswered.map { ($0.docRequest, $0.docType, $0.proof, [DataElementReference]()) }
        return .list(
            (presented + others).sorted { $0.0 < $1.0 }.map { _, docType, proof, elements in
                .fields([
                    "docType": .verbatim(docType.text),
                    "reader": .text("\(proof)"),
                    "elements": .list(elements.map { .text("\($0)") }),
                ])
            }
        )
    }
}
