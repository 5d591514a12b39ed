import MdocKit

/// What a holder is asked before anything is presented: exactly what would leave, and who asks with what proof.
struct ConsentQuestion {
    private let summary: ConsentSummary

    init(_ summary: ConsentSummary) {
        self.summary = summary
    }

    /// Asks on the terminal; anything but y is a no.
    func isAnsweredYes() -> Bool {
        guard !summary.documents.isEmpty else { return false }
        for line in lines { Console.current.error(line) }
        return readLine()?.lowercased() == "y"
    }

    /// The question as it stands on the terminal.
    var lines: [String] { summary.lines + ["Send this? [y/N]"] }
}

extension ConsentSummary {
    /// What was asked for, by whom, and what was presented.
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
