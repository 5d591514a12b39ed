#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A check of a user's own, which a verifier makes after all of its checks permit success.
///
/// It sees the value that the built-in checks have let pass, and can only refuse it:
///
/// ```swift
/// let adults = AdditionalCheck<VerifiedSDJWT>("adult") { credential, time throws(CheckFault) in
///     guard credential["age_over_18"]?.boolValue == true else {
///         throw .failed("tooYoung", "the holder is not of age")
///     }
/// }
/// ```
public struct AdditionalCheck<Value: Sendable>: Sendable {
    /// The check.
    public let check: Check

    private let body: @Sendable (Value, Date) async throws(CheckFault) -> Void

    /// Describes a check.
    ///
    /// - Parameters:
    ///   - check: The check, by a name of the user's own.
    ///   - body: The check of a value for a time; what it throws is its result.
    public init(_ check: Check, _ body: @escaping @Sendable (Value, Date) async throws(CheckFault) -> Void) {
        self.check = check
        self.body = body
    }

    func callAsFunction(_ value: Value, at time: Date) async throws(CheckFault) {
        try await body(value, time)
    }
}

extension Checklist {
    /// Makes a user's checks, in their order, once every mandatory check permits success; otherwise they are not reached.
    ///
    /// - Parameters:
    ///   - checks: The checks.
    ///   - value: The value that will be handed out; nil if there is none.
    ///   - isolation: The actor of the caller.
    public mutating func make<Value>(
        _ checks: [AdditionalCheck<Value>],
        of value: Value?,
        isolation: isolated (any Actor)? = #isolation
    ) async {
        let isDue = permitsSuccess
        for additional in checks {
            guard isDue, let value else {
                record(additional.check, .notReached)
                continue
            }
            let time = time
            await check(additional.check) { () async throws(CheckFault) in try await additional(value, at: time) }
        }
    }
}
