import MdocKit

extension Outcome {
    /// The outcome of a response: verified if there is a document and every document is verified.
    init(_ verification: DeviceResponseVerification) {
        let refused = verification.documents.contains { $0.failure != nil } || verification.documents.isEmpty
        self.init(
            report: .fields([
                "verdict": refused ? "refused" : "verified",
                "reason": verification.documents.isEmpty ? "the response holds no document" : nil,
                "time": .text(verification.time.utcText),
                "documents": .list(verification.documents.map(\.outline)),
                "deviations": verification.deviations.isEmpty
                    ? nil : .list(verification.deviations.map { .text("\($0)") }),
            ]),
            isRefusal: refused
        )
    }
}
