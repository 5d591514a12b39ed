/// Whether a verifier checks the status of a credential (`status`, Token Status List).
public enum StatusDemand: Sendable {
    /// It is left out.
    case ignored
}

extension StatusDemand {
    /// Makes the check.
    func check(_ checks: inout SDJWTChecks) async {
        checks.skip([.status], "not asked for")
    }
}
