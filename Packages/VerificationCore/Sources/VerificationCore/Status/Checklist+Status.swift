extension Checklist {
    /// Makes the check of the status under a policy.
    ///
    /// - Parameters:
    ///   - policy: The demand on the status.
    ///   - reference: The credential's statement of where its status is found, or nil.
    ///   - isolation: The actor of the caller.
    ///   - ask: Finds out the status; not called if the credential is refused already.
    /// - Returns: A status that was asked for and is valid.
    @discardableResult
    public mutating func checkStatus<Reference>(
        _ policy: StatusPolicy,
        named reference: Reference?,
        isolation: isolated (any Actor)? = #isolation,
        _ ask: (Reference) async -> CredentialStatus
    ) async -> CredentialStatus? {
        if policy == .waived {
            record(.status, .waived("status"))
            return nil
        }
        guard let reference else {
            record(.status, policy == .required ? Self.noStatus : .notApplicable("the credential names no status"))
            return nil
        }
        guard !isRefused else {
            record(.status, .notReached)
            return nil
        }
        return await check(.status) { () async throws(CheckFault) in
            let status = await ask(reference)
            try status.requireValid()
            return status
        }
    }

    private static var noStatus: CheckResult.Outcome {
        .failed(.statusUnknown, "the credential does not say where its status is found")
    }
}
