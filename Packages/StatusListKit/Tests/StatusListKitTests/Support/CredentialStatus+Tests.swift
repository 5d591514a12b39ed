import VerificationCore

extension CredentialStatus {
    /// The code of the error that keeps a status unknown, or nil.
    var reason: String? {
        guard case .unknown(let obstacle) = self else { return nil }
        return String(obstacle.prefix { $0 != ":" })
    }

    /// Indicates a valid credential, whatever the time of the statement.
    var isValid: Bool {
        if case .valid = self { true } else { false }
    }
}
