#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The answer of a verification: the verified value or the refusal, with every check.
///
/// A verifier of every format answers so, and a relying party handles all of them alike:
///
/// ```swift
/// let verification = await verifier.verify(credential, expecting: expectation)
/// switch verification.verdict {
/// case .verified(let credential): admit(credential)
/// case .refused(let refusal): log(refusal)
/// }
/// ```
///
/// Only a ``Checklist`` makes one, so that no value is verified without its checks.
public struct Verification<Value: Sendable>: Sendable {
    /// The possible verdicts.
    public enum Verdict: Sendable {
        /// Every mandatory check passed, is not applicable, or is waived.
        case verified(Value)
        /// A mandatory check failed, could not be made, or was not reached.
        case refused(Refusal)
    }

    /// The verdict.
    public let verdict: Verdict
    /// The results of all checks, in the order of the standard.
    public let checks: [CheckResult]
    /// The verifications of nested objects: documents of a response, signatures of a message, proofs of a list.
    public let parts: [VerificationPart]
    /// The deviations that tolerances let pass.
    public let deviations: [Deviation]
    /// The time for which the object was verified.
    public let time: Date

    /// Makes the answer of a checklist; without a value, or without any check, it is a refusal.
    ///
    /// A caller's module makes this of its own type of values, which takes less time than of a type that is not known.
    @inlinable
    init(_ value: Value?, _ conclusion: VerificationConclusion) {
        if let refusal = conclusion.refusal {
            verdict = .refused(refusal)
        } else if let value, !conclusion.checks.isEmpty {
            verdict = .verified(value)
        } else {
            verdict = .refused(.incomplete)
        }
        checks = conclusion.checks
        parts = conclusion.parts
        deviations = conclusion.deviations
        time = conclusion.time
    }

    @usableFromInline
    init(
        _ verdict: Verdict,
        checks: [CheckResult],
        parts: [VerificationPart],
        deviations: [Deviation],
        time: Date
    ) {
        self.verdict = verdict
        self.checks = checks
        self.parts = parts
        self.deviations = deviations
        self.time = time
    }

    /// The verified value.
    ///
    /// - Throws: The refusal.
    public func get() throws(Refusal) -> Value {
        switch verdict {
        case .verified(let value): return value
        case .refused(let refusal): throw refusal
        }
    }

    /// The verified value, or nil for a refusal.
    @inlinable
    public var verified: Value? {
        if case .verified(let value) = verdict { value } else { nil }
    }

    /// The refusal, or nil for a verified value.
    @inlinable
    public var refusal: Refusal? {
        if case .refused(let refusal) = verdict { refusal } else { nil }
    }

    /// The results of a check, one for each place that it looked at.
    public func results(of check: Check) -> [CheckResult] { checks.filter { $0.check == check } }

    /// The deviations of the object and of all nested ones, whose paths begin with the names of their parts.
    public var allDeviations: [Deviation] {
        parts.reduce(into: deviations) { all, part in
            all += part.verification.allDeviations.map { $0.inside(part.name) }
        }
    }

    /// The same verification with its value in another form; a refusal stays as it is.
    @inlinable
    public func map<Other: Sendable, Failure>(
        _ transform: (Value) throws(Failure) -> Other
    ) throws(Failure) -> Verification<Other> {
        let verdict: Verification<Other>.Verdict =
            switch verdict {
            case .verified(let value): .verified(try transform(value))
            case .refused(let refusal): .refused(refusal)
            }
        return Verification<Other>(verdict, checks: checks, parts: parts, deviations: deviations, time: time)
    }
}

extension Verification {
    /// The same verification with its value in another form, or nil if a verified value has none.
    fileprivate func compactMap<Other: Sendable>(_ transform: (Value) -> Other?) -> Verification<Other>? {
        let verdict: Verification<Other>.Verdict
        switch self.verdict {
        case .verified(let value):
            guard let other = transform(value) else { return nil }
            verdict = .verified(other)
        case .refused(let refusal): verdict = .refused(refusal)
        }
        return Verification<Other>(verdict, checks: checks, parts: parts, deviations: deviations, time: time)
    }
}

/// The verdict of a checklist, but for the value.
@usableFromInline
struct VerificationConclusion {
    /// The reason to refuse any value; nil if a value is verified.
    @usableFromInline let refusal: Refusal?
    @usableFromInline let checks: [CheckResult]
    @usableFromInline let parts: [VerificationPart]
    @usableFromInline let deviations: [Deviation]
    @usableFromInline let time: Date

    init(
        refusal: Refusal?,
        checks: [CheckResult],
        parts: [VerificationPart],
        deviations: [Deviation],
        time: Date
    ) {
        self.refusal = refusal
        self.checks = checks
        self.parts = parts
        self.deviations = deviations
        self.time = time
    }
}

/// The verification of an object within another.
public struct VerificationPart: Sendable {
    /// The name of the object within the outer one, such as `documents[0]`.
    public let name: String
    /// The verification.
    public let verification: Verification<any Sendable>

    @inlinable
    init<Value>(_ name: String, _ verification: Verification<Value>) {
        self.name = name
        self.verification = verification.map { $0 as any Sendable }
    }

    /// The verified value; nil for a refusal, and if the value is of another type.
    @inlinable
    public func verified<Value>(as type: Value.Type) -> Value? {
        verification.verified as? Value
    }

    /// The verification with its value's type; nil if the verified value is of another type.
    public func verification<Value>(as type: Value.Type) -> Verification<Value>? {
        verification.compactMap { $0 as? Value }
    }
}

/// A deviation from the standard that a tolerance let pass.
public struct Deviation: Hashable, Sendable {
    /// The name of the tolerance, in lower camel case.
    public let tolerance: String
    /// The names of the structures around the deviation, outermost first; empty for the whole.
    public let path: [String]
    /// The finding, for a developer; empty if the tolerance says it all.
    public let message: String

    /// Describes a deviation.
    public init(_ tolerance: String, at path: [String] = [], _ message: String = "") {
        self.tolerance = tolerance
        self.path = path
        self.message = message
    }
}

extension Deviation: CustomStringConvertible {
    /// Tolerance, place and finding on one line, with invisible characters escaped.
    public var description: String {
        var text = tolerance
        if !path.isEmpty { text += " in " + path.joined(separator: ".") }
        if !message.isEmpty { text += ": " + message }
        return text.escapedForDisplay()
    }
}
