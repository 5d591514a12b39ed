import CryptoCore

/// What came of one check.
public struct SDJWTCheckOutcome: Sendable, CustomStringConvertible {
    /// What a check can come to.
    public enum Verdict: Sendable {
        /// It holds.
        case passed
        /// It does not hold; the error says what was found.
        case failed(SDJWTError)
        /// It could not be made, or there was nothing to check; the text says why.
        case notMade(String)
    }

    /// The check.
    public let check: SDJWTCheck
    /// What came of it.
    public let verdict: Verdict

    /// The check and its verdict, on one line; what does not show is escaped.
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
