/// A bound on the work of an evaluation, which all its parts share.
///
/// The verifier writes paths, filters and patterns, so that each must be cheap, and all of them together.
struct EvaluationBudget {
    private let total: Int
    private var left: Int

    /// The number of instructions of a pattern's machine that count as one step.
    private static let instructionsPerStep = 16

    /// Starts with a number of steps.
    init(_ steps: Int) {
        total = steps
        left = steps
    }

    /// Takes steps off.
    ///
    /// - Throws: ``OID4VPError/Code/limitExceeded`` if there are not as many left.
    mutating func spend(_ steps: Int) throws(OID4VPError) {
        guard steps <= left else {
            throw OID4VPError(.limitExceeded, "the evaluation takes more than \(total) steps")
        }
        left -= steps
    }

    /// Searches a text, and takes off what that took.
    mutating func search(_ text: String, for pattern: LinearPattern) throws(OID4VPError) -> Bool {
        let (matches, instructions) = pattern.search(text)
        try spend(1 + instructions / Self.instructionsPerStep)
        return matches
    }
}
