/// The reason that a verification refuses: its first check that does not permit success, in the order of the standard.
public struct Refusal: Error, Hashable, Sendable {
    /// The check.
    public let check: Check
    /// The names of the structures around the fault, outermost first; empty for the whole.
    public let path: [String]
    /// The reason, as a value to act on.
    public let reason: Reason
    /// The finding, for a developer, on one line and with invisible characters escaped.
    public let message: String
    /// Returns `true` if no check failed, and this one could not be made: another attempt may succeed.
    public let isUnavailable: Bool

    init(_ check: Check, at path: [String], _ reason: Reason, _ message: String, isUnavailable: Bool = false) {
        self.check = check
        self.path = path
        self.reason = reason
        self.message = message.escapedForDisplay()
        self.isUnavailable = isUnavailable
    }

    /// The refusal of a result that does not permit success, or nil.
    init?(_ result: CheckResult) {
        switch result.outcome {
        case .passed, .notApplicable, .waived: return nil
        case .failed(let reason, let message): self.init(result.check, at: result.path, reason, message)
        case .unavailable(let reason, let message):
            self.init(result.check, at: result.path, reason, message, isUnavailable: true)
        case .notReached: self.init(result.check, at: result.path, .incomplete, "the check was not reached")
        }
    }
}

extension Refusal {
    /// The refusal of an object without a value, or without any check.
    @usableFromInline static let incomplete =
        Refusal(.structure, at: [], .incomplete, "no check was made, or none gave a value")
}

extension Refusal: CustomStringConvertible {
    /// Reason, check, place and message on one line, with invisible characters escaped.
    public var description: String {
        let place = path.isEmpty ? "" : " in " + path.joined(separator: ".")
        return "\(reason) (\(check)\(place)): \(message)".escapedForDisplay()
    }
}
