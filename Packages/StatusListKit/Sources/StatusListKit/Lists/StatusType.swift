public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The status of a credential in a list: the number at its index (Token Status List, section 7.1).
public struct StatusType: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt8

    /// The status of a number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The credential is valid, correct or legal.
    public static let valid = StatusType(rawValue: 0x00)
    /// The credential is revoked, annulled, taken back, recalled or cancelled.
    public static let invalid = StatusType(rawValue: 0x01)
    /// The credential is not valid for now.
    public static let suspended = StatusType(rawValue: 0x02)

    /// Indicates a status whose meaning is left to applications: 3, and 12 to 15.
    public var isApplicationSpecific: Bool {
        rawValue == 0x03 || (0x0c...0x0f).contains(rawValue)
    }
}

extension StatusType: CustomStringConvertible {
    /// The registered name, or the number.
    public var description: String {
        switch self {
        case .valid: "VALID"
        case .invalid: "INVALID"
        case .suspended: "SUSPENDED"
        default: "0x" + (rawValue < 16 ? "0" : "") + String(rawValue, radix: 16)
        }
    }
}

extension StatusType: ExpressibleByIntegerLiteral {
    /// The status of a number.
    public init(integerLiteral value: UInt8) {
        self.init(rawValue: value)
    }
}

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

    /// A status that could not be determined; the obstacle begins with the code, or with the reason of a refused token, and ends with
    /// the place in the token.
    public static func unknown(_ error: StatusListError) -> CredentialStatus {
        let obstacle = error.code == .refused ? error.message : "\(error.code): \(error.message)"
        guard let path = error.refusal?.path, !path.isEmpty else { return .unknown(obstacle) }
        return .unknown("\(obstacle) (\(path.joined(separator: ".")))")
    }
}
