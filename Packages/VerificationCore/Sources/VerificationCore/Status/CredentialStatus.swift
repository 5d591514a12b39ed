#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The status of a credential, whichever way its issuer publishes it.
public enum CredentialStatus: Hashable, Sendable {
    /// The credential is neither revoked nor suspended; the time is that of the issuer's statement.
    case valid(asOf: Date)
    /// A status whose meaning the application defines.
    case application(UInt64)
    /// The status could not be determined; the text is the obstacle.
    case unknown(String)
    /// The credential is suspended, which its issuer can undo.
    case suspended
    /// The credential is revoked for good.
    case revoked

    /// The worse of two statuses, where a credential has several.
    ///
    /// From worst to best: revoked, suspended, unknown, a status of the application, valid. Of two valid statuses the older
    /// statement counts.
    public func combined(with other: CredentialStatus) -> CredentialStatus {
        if case (.valid(let date), .valid(let otherDate)) = (self, other) { return .valid(asOf: min(date, otherDate)) }
        return other.severity > severity ? other : self
    }

    private var severity: Int {
        switch self {
        case .valid: 0
        case .application: 1
        case .unknown: 2
        case .suspended: 3
        case .revoked: 4
        }
    }

    /// Fails a check of the status for everything but valid.
    public func requireValid() throws(CheckFault) {
        switch self {
        case .valid: return
        case .application(let value):
            throw .failed(.statusUnknown, "the status \(value) has a meaning of the application's own")
        case .unknown(let obstacle): throw .unavailable(.statusUnknown, obstacle)
        case .suspended: throw .failed(.suspended, "the credential is suspended")
        case .revoked: throw .failed(.revoked, "the credential is revoked")
        }
    }
}

extension CredentialStatus: CustomStringConvertible {
    /// The status in a word, with its number or obstacle.
    public var description: String {
        switch self {
        case .valid: "valid"
        case .application(let value): "application status \(value)"
        case .unknown(let obstacle): "unknown: \(obstacle)".escapedForDisplay()
        case .suspended: "suspended"
        case .revoked: "revoked"
        }
    }
}

/// The demand on the status of credentials.
public enum StatusPolicy: Hashable, Sendable {
    /// Every credential must name a status, and it must be valid.
    case required
    /// A credential that names a status must be valid; one without is taken.
    case whenNamed
    /// The status is not asked for.
    case waived
}
