#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A check of a user's own, made after all checks of a verifier permit success.
///
/// It sees the value that the built-in checks have let pass, and can only refuse it. Verifiers with a policy take such checks
/// with it; ``Verification/checking(_:)`` adds them to the answer of any other.
///
/// ```swift
/// let adults = AdditionalCheck<VerifiedSDJWT>("adult") { credential, time in
///     guard credential["age_over_18"]?.boolValue == true else {
///         throw CheckFault.failed("tooYoung", "the holder is not of age")
///     }
/// }
/// ```
public struct AdditionalCheck<Value: Sendable>: Sendable {
    /// The check.
    public let check: Check

    private let body: @Sendable (Value, Date) async throws -> Void

    /// Describes a check.
    ///
    /// - Parameters:
    ///   - check: The check, by a name of the user's own.
    ///   - body: The check of a value for a time. A ``CheckFault`` that it throws is its result, an error of a layer is a
    ///     failure, and any other error makes the check unavailable: ``Reason/operationFailed``.
    public init(_ check: Check, _ body: @escaping @Sendable (Value, Date) async throws -> Void) {
        self.check = check
        self.body = body
    }

    func callAsFunction(_ value: Value, at time: Date) async throws(CheckFault) {
        try await CheckFault.ofAsyncCaller { try await body(value, time) }
    }
}

extension Checklist {
    /// Makes a user's checks, in their order, once every mandatory check permits success; otherwise they are not reached.
    ///
    /// - Parameters:
    ///   - checks: The checks.
    ///   - value: The value that will be handed out; `nil` without one.
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

extension Verification {
    /// The same verification with a check of the user's own behind the others.
    ///
    /// ```swift
    /// let verification = token.verify(with: key, policy: policy, claims: claims, at: now)
    ///     .checking("department") { token, time in
    ///         guard token.claims["department"]?.stringValue == "7" else {
    ///             throw CheckFault.failed("wrongDepartment", "the token is of another department")
    ///         }
    ///     }
    /// ```
    ///
    /// - Parameters:
    ///   - check: The check, by a name of the user's own.
    ///   - body: The check of the verified value for the time of the verification. A ``CheckFault`` that it throws is its
    ///     result, an error of a layer is a failure, and any other error makes the check unavailable:
    ///     ``Reason/operationFailed``. It is not made of a refused object.
    public func checking(_ check: Check, _ body: (Value, Date) throws -> Void) -> Verification<Value> {
        var checklist = Checklist(continuing: self)
        if let value = verified {
            checklist.check(check) { () throws(CheckFault) in
                try CheckFault.ofCaller { try body(value, time) }
            }
        } else {
            checklist.record(check, .notReached)
        }
        return checklist.verification(of: verified)
    }

    /// The same verification with the user's own checks behind the others, in their order.
    ///
    /// - Parameter checks: The checks of the verified value. They are not made of a refused object.
    public func checking(_ checks: [AdditionalCheck<Value>]) async -> Verification<Value> {
        var checklist = Checklist(continuing: self)
        await checklist.make(checks, of: verified)
        return checklist.verification(of: verified)
    }
}
