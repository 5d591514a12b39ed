#if DEBUG
/// Puts a result in the place of another, so that a test can prove of any verifier that no value gets past a check.
///
/// Builds for release have nothing of it.
@_spi(Laws) public struct CheckReplacement: Sendable {
    /// The replacement in effect in a task, or nil.
    @TaskLocal public static var current: CheckReplacement?

    let check: Check
    let outcome: CheckResult.Outcome

    /// Replaces every result of a check.
    public init(of check: Check, by outcome: CheckResult.Outcome) {
        self.check = check
        self.outcome = outcome
    }
}
#endif

extension CheckResult.Outcome {
    /// The result that counts for a check: this one, unless a test has put another in its place.
    func replaced(for check: Check) -> CheckResult.Outcome {
        #if DEBUG
        if let replacement = CheckReplacement.current, replacement.check == check { return replacement.outcome }
        #endif
        return self
    }
}
