import CryptoCore

/// The reason that a document is refused: its first failed check.
public struct VerificationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, in the terms that relying parties know.
    public let reason: FailureReason
    /// The finding, for a developer.
    public let message: String
    /// The check that failed.
    public let check: MdocCheck

    init(reason: FailureReason, message: String, check: MdocCheck) {
        self.reason = reason
        self.message = message.escapedForDisplay()
        self.check = check
    }

    /// Reason, check and message, on one line.
    public var description: String { "\(reason) (\(check)): \(message)" }
}

extension [CheckOutcome] {
    /// The first failure, which decides the reason.
    var firstFailure: VerificationFailure? {
        for outcome in self {
            if case .failed(let reason, let message) = outcome.verdict {
                return VerificationFailure(reason: reason, message: message, check: outcome.check)
            }
        }
        return nil
    }
}
