import CryptoCore

/// The outcome of one check.
public struct CheckOutcome: Hashable, Sendable, CustomStringConvertible {
    /// The possible verdicts of a check.
    public enum Verdict: Hashable, Sendable {
        /// It holds.
        case passed
        /// It does not hold; the text says what was found.
        case failed(FailureReason, String)
        /// It could not be made, or there was nothing to check; the text is the reason.
        case notMade(String)
    }

    /// The check.
    public let check: MdocCheck
    /// The verdict of the check.
    public let verdict: Verdict

    /// The check and its verdict, on one line, with invisible characters escaped.
    public var description: String {
        switch verdict {
        case .passed: "\(check): passed"
        case .failed(let reason, let message): "\(check): \(reason): \(message)".escapedForDisplay()
        case .notMade(let message): "\(check): not made: \(message)".escapedForDisplay()
        }
    }
}
