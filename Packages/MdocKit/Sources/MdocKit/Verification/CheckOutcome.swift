import CryptoCore

/// What came of one check.
public struct CheckOutcome: Hashable, Sendable, CustomStringConvertible {
    /// What a check can come to.
    public enum Verdict: Hashable, Sendable {
        /// It holds.
        case passed
        /// It does not hold; the text says what was found.
        case failed(FailureReason, String)
        /// It could not be made, or there was nothing to check; the text says why.
        case notMade(String)
    }

    /// The check.
    public let check: MdocCheck
    /// What came of it.
    public let verdict: Verdict

    /// The check and its verdict, on one line; what does not show is escaped.
    public var description: String {
        switch verdict {
        case .passed: "\(check): passed"
        case .failed(let reason, let message): "\(check): \(reason): \(message)".escapedForDisplay()
        case .notMade(let message): "\(check): not made: \(message)".escapedForDisplay()
        }
    }
}
