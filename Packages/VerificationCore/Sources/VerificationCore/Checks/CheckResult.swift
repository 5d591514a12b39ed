/// The result of one check.
public struct CheckResult: Hashable, Sendable {
    /// The possible results.
    public enum Outcome: Hashable, Sendable {
        /// The check holds.
        case passed
        /// The check does not hold; the text is the finding, for a developer.
        case failed(Reason, String)
        /// The check could not be made, so that it may succeed later; the text is the obstacle.
        case unavailable(Reason, String)
        /// The object has nothing to check; the text is the reason.
        case notApplicable(String)
        /// The policy of this name does without the check; the second text is the finding that it lets pass, or nil.
        case waived(String, String? = nil)
        /// The check was not made, since an earlier one failed.
        case notReached
    }

    /// The check.
    public let check: Check
    /// The names of the structures around the checked item, outermost first; empty for the whole.
    public var path: [String] { finding?.path ?? [] }
    /// The result.
    public var outcome: Outcome { finding?.outcome ?? .passed }

    /// All but the check; nil for one that passed for the whole, as nearly all do: a list of results stays small.
    private let finding: Finding?

    private final class Finding: Sendable {
        let outcome: Outcome
        let path: [String]

        init(_ outcome: Outcome, _ path: [String]) {
            self.outcome = outcome
            self.path = path
        }
    }

    init(_ check: Check, _ outcome: Outcome, at path: [String]) {
        self.check = check
        if case .passed = outcome, path.isEmpty { finding = nil } else { finding = Finding(outcome, path) }
    }

    /// Returns `true` if check, path and outcome are the same.
    public static func == (left: CheckResult, right: CheckResult) -> Bool {
        left.check == right.check && left.path == right.path && left.outcome == right.outcome
    }

    /// Feeds check, path and outcome.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(check)
        hasher.combine(path)
        hasher.combine(outcome)
    }

    /// Returns `true` if a verification with this result can succeed: the check passed, is not applicable, or is waived.
    public var permitsSuccess: Bool {
        switch finding?.outcome {
        case nil, .passed, .notApplicable, .waived: true
        case .failed, .unavailable, .notReached: false
        }
    }

    /// Returns `true` if the check was made and does not hold.
    public var hasFailed: Bool {
        if case .failed = outcome { true } else { false }
    }
}

extension CheckResult: CustomStringConvertible {
    /// Check, place and result on one line, with invisible characters escaped.
    public var description: String {
        let place = path.isEmpty ? "" : " in " + path.joined(separator: ".")
        return "\(check)\(place): \(outcome)".escapedForDisplay()
    }
}

extension CheckResult.Outcome: CustomStringConvertible {
    /// The result on one line, with invisible characters escaped.
    public var description: String {
        let text =
            switch self {
            case .passed: "passed"
            case .failed(let reason, let message): "failed: \(reason): \(message)"
            case .unavailable(let reason, let message): "unavailable: \(reason): \(message)"
            case .notApplicable(let message): "not applicable: \(message)"
            case .waived(let policy, nil): "waived by \(policy)"
            case .waived(let policy, let message?): "waived by \(policy): \(message)"
            case .notReached: "not reached"
            }
        return text.escapedForDisplay()
    }
}

/// The error that a check throws in order not to pass.
public struct CheckFault: Error, Hashable, Sendable {
    /// The result.
    public let outcome: CheckResult.Outcome
    /// The names of the structures around the fault, below those of the check.
    public let path: [String]

    private init(_ outcome: CheckResult.Outcome, _ path: [String]) {
        self.outcome = outcome
        self.path = path
    }

    /// Fails the check.
    public static func failed(_ reason: Reason, _ message: String, path: [String] = []) -> CheckFault {
        CheckFault(.failed(reason, message), path)
    }

    /// Says that the check could not be made.
    public static func unavailable(_ reason: Reason, _ message: String, path: [String] = []) -> CheckFault {
        CheckFault(.unavailable(reason, message), path)
    }

    /// The same fault seen from one structure further out.
    public func inside(_ structure: String) -> CheckFault { CheckFault(outcome, [structure] + path) }

    /// Says that there is nothing to check.
    public static func notApplicable(_ message: String) -> CheckFault { CheckFault(.notApplicable(message), []) }

    /// Says that a policy does without the check.
    ///
    /// - Parameters:
    ///   - policy: The name of the policy.
    ///   - message: The finding that the policy lets pass, or nil.
    public static func waived(by policy: String, _ message: String? = nil) -> CheckFault {
        CheckFault(.waived(policy, message), [])
    }
}
