extension Checklist {
    /// Makes the check of the status under a policy.
    ///
    /// - Parameters:
    ///   - policy: The demand on the status.
    ///   - reference: The credential's statement of where its status is found, or nil.
    ///   - isolation: The actor of the caller.
    ///   - ask: Finds out the status; not called if the credential is refused already. The deviations that it met are
    ///     added to the verification.
    /// - Returns: A status that was asked for and is valid.
    @discardableResult
    public mutating func checkStatus<Reference>(
        _ policy: StatusPolicy,
        named reference: Reference?,
        isolation: isolated (any Actor)? = #isolation,
        _ ask: (Reference) async -> StatusFinding
    ) async -> CredentialStatus? {
        guard asksForStatus(policy, isNamed: reference != nil), let reference else { return nil }
        var deviations: [Deviation] = []
        let status = await check(.status) { () async throws(CheckFault) in
            let finding = await ask(reference)
            deviations = finding.deviations
            try finding.status.requireValid()
            return finding.status
        }
        addOfStatus(deviations)
        return status
    }

    /// Makes the check of a status that is known without waiting for others.
    @inlinable
    @discardableResult
    public mutating func checkStatus<Reference>(
        _ policy: StatusPolicy,
        named reference: Reference?,
        _ ask: (Reference) -> StatusFinding
    ) -> CredentialStatus? {
        guard asksForStatus(policy, isNamed: reference != nil), let reference else { return nil }
        return checkStatus(ask(reference))
    }

    /// Makes the check of a status that was found out.
    @usableFromInline
    mutating func checkStatus(_ finding: StatusFinding) -> CredentialStatus? {
        addOfStatus(finding.deviations)
        return check(.status) { () throws(CheckFault) in
            try finding.status.requireValid()
            return finding.status
        }
    }

    /// Adds the deviations of a statement about the status.
    private mutating func addOfStatus(_ deviations: [Deviation]) {
        for deviation in deviations { add(deviation.inside("status")) }
    }

    /// Indicates that a status has to be asked for; otherwise the result of the check is recorded.
    @usableFromInline
    mutating func asksForStatus(_ policy: StatusPolicy, isNamed: Bool) -> Bool {
        switch (policy, isNamed) {
        case (.waived, _): record(.status, .waived("status"))
        case (.required, false):
            record(.status, .failed(.statusUnknown, "the credential does not say where its status is found"))
        case (.whenNamed, false): record(.status, .notApplicable("the credential names no status"))
        case (_, true) where isRefused: record(.status, .notReached)
        case (_, true): return true
        }
        return false
    }
}
