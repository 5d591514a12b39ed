import MdocKit
import MdocResults

/// A refusal by the name that relying parties know.
struct Failure: CustomStringConvertible {
    let check: Check
    let reason: FailureReason
    let message: String

    var description: String { "\(reason) (\(check)): \(message)" }
}

extension Verification {
    /// The refusal, or nil for a verified value.
    var failure: Failure? {
        refusal.map { Failure(check: $0.check, reason: FailureReason($0.reason), message: $0.message) }
    }

    /// The outcome of a check.
    func outcome(of check: Check) -> CheckResult.Outcome? { results(of: check).first?.outcome }
}
