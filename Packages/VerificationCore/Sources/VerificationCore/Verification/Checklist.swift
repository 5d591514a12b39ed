#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Makes the checks of one verification, and draws its verdict.
///
/// The checks of the standard are declared at the start. Each has to be made: a check without a result is not reached, and
/// refuses.
///
/// ```swift
/// var checklist = Checklist([.structure, .issuerSignature, .validity], at: now)
/// let content = checklist.check(.structure) { () throws(CheckFault) in try structure() }
/// if let content { checklist.check(.issuerSignature) { () throws(CheckFault) in try signature(of: content) } }
/// if !checklist.isRefused { checklist.check(.validity) { () throws(CheckFault) in try validity() } }
/// return checklist.verification(of: content.map(Verified.init))
/// ```
public struct Checklist: ~Copyable {
    /// The mandatory checks, in the order of the standard.
    private let mandatory: [Check]
    private var results: [CheckResult] = []
    private var parts: [VerificationPart] = []
    private var deviations: [Deviation] = []
    /// Indicates that the results so far are those of the first mandatory checks, one of each, in the order of the standard.
    private var isInOrder = true

    /// The time for which the object is verified.
    public let time: Date
    /// Indicates that a check has failed or could not be made: the object is refused whatever follows.
    public private(set) var isRefused = false

    /// Starts with the mandatory checks of a standard, in its order.
    public init(_ mandatory: [Check], at time: Date) {
        self.mandatory = mandatory
        self.time = time
        results.reserveCapacity(mandatory.count)
    }

    /// Goes on where a verification ended, whose results stay as they are.
    init<Value>(continuing verification: Verification<Value>) {
        mandatory = []
        time = verification.time
        results = verification.checks
        parts = verification.parts
        deviations = verification.deviations
        isRefused = verification.refusal != nil
        isInOrder = verification.checks.isEmpty
    }

    /// Makes a check, and records its result.
    ///
    /// - Parameters:
    ///   - check: The check. One that was not declared counts too, after the declared ones.
    ///   - path: The names of the structures around the checked item, outermost first.
    ///   - body: The check; what it throws is its result.
    /// - Returns: The value of a check that passed, or nil.
    @discardableResult
    public mutating func check<Value>(
        _ check: Check,
        at path: [String] = [],
        _ body: () throws(CheckFault) -> Value
    ) -> Value? {
        do throws(CheckFault) {
            let value = try body()
            record(check, .passed, at: path)
            return value
        } catch {
            record(check, error.outcome, at: path + error.path)
            return nil
        }
    }

    /// Makes a check that waits for others, and records its result.
    @discardableResult
    public mutating func check<Value>(
        _ check: Check,
        at path: [String] = [],
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws(CheckFault) -> Value
    ) async -> Value? {
        do throws(CheckFault) {
            let value = try await body()
            record(check, .passed, at: path)
            return value
        } catch {
            record(check, error.outcome, at: path + error.path)
            return nil
        }
    }

    /// Records the result of a check.
    public mutating func record(_ check: Check, _ outcome: CheckResult.Outcome, at path: [String] = []) {
        let result = CheckResult(check, outcome.replaced(for: check), at: path)
        if !result.permitsSuccess { isRefused = true }
        if isInOrder { isInOrder = results.count < mandatory.count && mandatory[results.count] == check }
        results.append(result)
    }

    /// Adds the verification of a nested object.
    ///
    /// - Parameters:
    ///   - verification: The verification.
    ///   - name: The name of the object, such as `documents[0]`.
    ///   - isMandatory: Pass `false` if the outer object can be verified although this one is refused.
    @inlinable
    public mutating func add<Value>(_ verification: Verification<Value>, named name: String, isMandatory: Bool = true) {
        // Made in the caller's module, of its own type of values: a type that is not known takes longer.
        add(VerificationPart(name, verification), isMandatory ? verification.refusal : nil)
    }

    /// Adds a nested object, and its refusal if that refuses the outer object.
    @usableFromInline
    mutating func add(_ part: VerificationPart, _ refusal: Refusal?) {
        parts.append(part)
        guard let refusal else { return }
        let outcome: CheckResult.Outcome =
            refusal.isUnavailable
            ? .unavailable(refusal.reason, refusal.message) : .failed(refusal.reason, refusal.message)
        record(refusal.check, outcome, at: [part.name] + refusal.path)
    }

    /// Adds a deviation that a tolerance let pass.
    public mutating func add(_ deviation: Deviation) { deviations.append(deviation) }

    /// Returns `true` if every mandatory check has a result, and no result refuses.
    var permitsSuccess: Bool {
        guard !isRefused else { return false }
        if isCompleteInOrder { return true }
        let made = Set(results.map(\.check))
        return mandatory.allSatisfy(made.contains)
    }

    /// Draws the verdict.
    ///
    /// The first failure in the order of the standard is the reason of a refusal; without a failure, the first check that
    /// was unavailable or not reached.
    ///
    /// - Parameter value: The value to hand out if every mandatory check permits it. Without a value or without
    ///   any check the object is refused.
    @inlinable
    public consuming func verification<Value>(of value: Value?) -> Verification<Value> {
        Verification(value, conclusion())
    }

    /// Draws the verdict on any value.
    @usableFromInline
    consuming func conclusion() -> VerificationConclusion {
        // A reason is in the list only if it was recorded as one, or if a check is missing.
        let isComplete = isCompleteInOrder
        let checks = isComplete ? results : sortedResults()
        let reason: CheckResult? =
            isComplete && !isRefused
            ? nil : checks.first(where: \.hasFailed) ?? checks.first { !$0.permitsSuccess }
        return VerificationConclusion(
            refusal: reason.flatMap(Refusal.init),
            checks: checks,
            parts: parts,
            deviations: deviations,
            time: time
        )
    }

    /// Indicates that each mandatory check has one result, in the order of their declaration, and no other has any.
    private var isCompleteInOrder: Bool { isInOrder && results.count == mandatory.count }

    /// The results in the order of the declared checks, with those that were not reached; then those of other checks.
    private func sortedResults() -> [CheckResult] {
        var byCheck: [Check: [CheckResult]] = [:]
        for result in results { byCheck[result.check, default: []].append(result) }
        var sorted: [CheckResult] = []
        for check in mandatory {
            sorted += byCheck.removeValue(forKey: check) ?? [CheckResult(check, .notReached, at: [])]
        }
        return sorted + results.filter { byCheck[$0.check] != nil }
    }
}

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
