#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A verification without its value, in the form that commands and servers print as JSON.
///
/// The article <doc:JSONForm> has the schema. The shape is stable: members may be added, and readers pass over members that
/// they do not know.
public struct VerificationReport: Hashable, Codable, Sendable {
    /// The possible verdicts.
    public enum Verdict: String, Codable, Sendable {
        /// Every mandatory check permits success.
        case verified
        /// A mandatory check does not.
        case refused
    }

    /// A check with its result.
    public struct CheckEntry: Hashable, Codable, Sendable {
        /// The possible results.
        public enum Result: String, Codable, Sendable {
            /// The check holds.
            case passed
            /// The check does not hold.
            case failed
            /// The check could not be made.
            case unavailable
            /// There was nothing to check.
            case notApplicable
            /// A policy waives the check.
            case waived
            /// The check was not made, since an earlier one failed.
            case notReached
        }

        /// The name of the check.
        public var check: String
        /// The names of the structures around the checked item; absent for the whole.
        public var path: [String]?
        /// The result.
        public var result: Result
        /// The reason of a failed or unavailable check.
        public var reason: String?
        /// The finding, or the name of the policy that waives the check without one.
        public var message: String?
        /// The name of the policy that waives the check.
        public var policy: String?
    }

    /// The reason of a refusal.
    public struct RefusalEntry: Hashable, Codable, Sendable {
        /// The name of the check.
        public var check: String
        /// The names of the structures around the fault; absent for the whole.
        public var path: [String]?
        /// The name of the reason.
        public var reason: String
        /// The finding.
        public var message: String
        /// Indicates that another attempt may succeed.
        public var isUnavailable: Bool
    }

    /// A deviation that a tolerance let pass.
    public struct DeviationEntry: Hashable, Codable, Sendable {
        /// The name of the tolerance.
        public var tolerance: String
        /// The names of the structures around the deviation; absent for the whole.
        public var path: [String]?
        /// The finding; absent if the tolerance says it all.
        public var message: String?
    }

    /// A nested verification.
    public struct Part: Hashable, Codable, Sendable {
        /// The name of the object within the outer one.
        public var name: String
        /// Its verification.
        public var verification: VerificationReport
    }

    /// The verdict.
    public var verdict: Verdict
    /// The reason of a refusal; absent for a verified object.
    public var refusal: RefusalEntry?
    /// The time for which the object was verified, in seconds since 1970-01-01T00:00:00Z.
    public var time: Double
    /// All checks, in the order of the standard.
    public var checks: [CheckEntry]
    /// The deviations that tolerances let pass; absent without any.
    public var deviations: [DeviationEntry]?
    /// The nested verifications; absent without any.
    public var parts: [Part]?
}

extension Verification {
    /// The verification without its value.
    public var report: VerificationReport {
        VerificationReport(
            verdict: verified == nil ? .refused : .verified,
            refusal: refusal.map(VerificationReport.RefusalEntry.init),
            time: time.timeIntervalSince1970,
            checks: checks.map(VerificationReport.CheckEntry.init),
            deviations: deviations.isEmpty ? nil : deviations.map(VerificationReport.DeviationEntry.init),
            parts: parts.isEmpty ? nil : parts.map { .init(name: $0.name, verification: $0.verification.report) }
        )
    }
}

extension VerificationReport.RefusalEntry {
    fileprivate init(_ refusal: Refusal) {
        check = refusal.check.name
        path = refusal.path.isEmpty ? nil : refusal.path
        reason = refusal.reason.name
        message = refusal.message
        isUnavailable = refusal.isUnavailable
    }
}

extension VerificationReport.CheckEntry {
    fileprivate init(_ checkResult: CheckResult) {
        check = checkResult.check.name
        path = checkResult.path.isEmpty ? nil : checkResult.path
        (result, reason, message, policy) =
            switch checkResult.outcome {
            case .passed: (.passed, nil, nil, nil)
            case .failed(let reason, let message): (.failed, reason.name, message, nil)
            case .unavailable(let reason, let message): (.unavailable, reason.name, message, nil)
            case .notApplicable(let message): (.notApplicable, nil, message, nil)
            case .waived(let policy, let message): (.waived, nil, message ?? policy, policy)
            case .notReached: (.notReached, nil, nil, nil)
            }
    }
}

extension VerificationReport.DeviationEntry {
    fileprivate init(_ deviation: Deviation) {
        tolerance = deviation.tolerance
        path = deviation.path.isEmpty ? nil : deviation.path
        message = deviation.message.isEmpty ? nil : deviation.message
    }
}
