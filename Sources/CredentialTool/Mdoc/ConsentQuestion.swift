import CryptoCore
import MdocKit

/// What a holder is asked before anything is presented: who asks, for what, and what there is.
struct ConsentQuestion {
    private let match: RequestMatch
    private let readers: ReaderAuthenticationVerification

    init(_ match: RequestMatch, _ readers: ReaderAuthenticationVerification) {
        self.match = match
        self.readers = readers
    }

    /// Asks on the terminal; anything but y is a no.
    func isAnsweredYes() -> Bool {
        let consent = match.fullConsent()
        guard !consent.entries.isEmpty else { return false }
        for docRequest in match.docRequests {
            Console.current.error("Reader: \(reader(of: docRequest))")
            Console.current.error("asks for \(docRequest.docRequest.itemsRequest.docType):")
            for element in docRequest.candidates.first?.elements ?? [] {
                let retained = element.intentToRetain ? ", to be kept" : ""
                let missing = element.returned.isEmpty ? ", which is not there" : ""
                Console.current.error("  \(element.element)\(retained)\(missing)")
            }
        }
        Console.current.error("Present it? [y/N]")
        return readLine()?.lowercased() == "y"
    }

    /// What was asked for, by whom, and what was presented.
    func outline(of decision: ConsentDecision) -> Outline {
        .list(
            match.docRequests.map { docRequest in
                let elements = decision.entries.filter { $0.docRequest == docRequest.index }.flatMap(\.elements)
                return .fields([
                    "docType": .verbatim(docRequest.docRequest.itemsRequest.docType.text),
                    "reader": .text(reader(of: docRequest)),
                    "elements": .list(elements.sorted().map { .text("\($0)") }),
                ])
            }
        )
    }

    private func reader(of docRequest: DocRequestMatch) -> String {
        switch readers.docRequests[docRequest.index] {
        case .absent: "somebody unnamed"
        case .verified(let chain): "\(chain.leaf.subject)"
        case .refused(let failure, _): "somebody whose signature is refused (\(failure.reason))"
        }
    }
}
