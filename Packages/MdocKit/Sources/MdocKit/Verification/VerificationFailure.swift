/// Why a document is refused: the first of its checks that failed.
public struct VerificationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, in the terms that relying parties know.
    public let reason: FailureReason
    /// What was found, for a developer.
    public let message: String
    /// The check that failed.
    public let check: MdocCheck

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
