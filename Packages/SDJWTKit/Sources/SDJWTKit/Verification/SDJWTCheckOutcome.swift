import CryptoCore

/// The outcome of one check.
public struct SDJWTCheckOutcome: Sendable, CustomStringConvertible {
    /// The possible verdicts of a check.
    public enum Verdict: Sendable {
        /// It holds.
        case passed
        /// It does not hold; the error says what was found.
        case failed(SDJWTError)
        /// It could not be made, or there was nothing to check; the text is the reason.
        case notMade(String)
    }

    /// The check.
    public let check: SDJWTCheck
    /// The verdict of the check.
    public let verdict: Verdict

    /// The check and its verdict, on one line, with invisible characters escaped.
    public var description: String {
        switch verdict {
        case .passed: "\(check): passed"
        case .failed(let error): "\(check): \(error)"
        case .notMade(let message): "\(check): not made: \(message)".escapedForDisplay()
        }
    }

    /// Whether the check failed.
    public var hasFailed: Bool {
        if case .failed = verdict { true } else { false }
    }

    /// Whether the check holds.
    public var hasPassed: Bool {
        if case .passed = verdict { true } else { false }
    }
}
