/// The known status of a credential.
///
/// Only ``valid`` is a reason to go on. A status that could not be determined is ``unknown(_:)``, never valid.
public enum StatusVerdict: Sendable {
    /// The list says that the credential is valid.
    case valid
    /// The list says that the credential is revoked.
    case invalid
    /// The list says that the credential is not valid for now.
    case suspended
    /// The list has a status whose meaning the application defines: 3, or 12 to 15.
    case applicationSpecific(UInt8)
    /// Nothing can be said, for this reason.
    case unknown(StatusListError)

    /// The meaning of a status in a verified list.
    public init(_ status: StatusType) {
        switch status {
        case .valid: self = .valid
        case .invalid: self = .invalid
        case .suspended: self = .suspended
        case let status where status.isApplicationSpecific: self = .applicationSpecific(status.rawValue)
        default: self = .unknown(StatusListError(.reservedStatus, "the status \(status) has no meaning yet"))
        }
    }

    /// The reason of an unknown status, or nil.
    public var reason: StatusListError.Code? {
        if case .unknown(let error) = self { error.code } else { nil }
    }
}

extension StatusVerdict: Hashable {
    /// Returns `true` for equal verdicts; unknown ones are equal if their reasons have the same code.
    public static func == (left: StatusVerdict, right: StatusVerdict) -> Bool {
        switch (left, right) {
        case (.valid, .valid), (.invalid, .invalid), (.suspended, .suspended): true
        case (.applicationSpecific(let left), .applicationSpecific(let right)): left == right
        case (.unknown(let left), .unknown(let right)): left.code == right.code
        default: false
        }
    }

    /// Feeds what equality compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .valid: hasher.combine(0)
        case .invalid: hasher.combine(1)
        case .suspended: hasher.combine(2)
        case .applicationSpecific(let status): hasher.combine(status)
        case .unknown(let error): hasher.combine(error.code)
        }
    }
}
