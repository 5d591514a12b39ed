public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CredentialStatus {
    /// The meaning of a status in a verified list; a reserved one is unknown.
    ///
    /// - Parameter time: When the list was issued.
    public init(_ status: StatusType, asOf time: Date) {
        switch status {
        case .valid: self = .valid(asOf: time)
        case .invalid: self = .revoked
        case .suspended: self = .suspended
        case let status where status.isApplicationSpecific: self = .application(UInt64(status.rawValue))
        default: self = .unknown(StatusListError(.reservedStatus, "the status \(status) has no meaning yet"))
        }
    }

    /// A status that could not be determined; the obstacle begins with the code, or with the reason of a refused token.
    public static func unknown(_ error: StatusListError) -> CredentialStatus {
        .unknown(error.code == .refused ? error.message : "\(error.code): \(error.message)")
    }
}
