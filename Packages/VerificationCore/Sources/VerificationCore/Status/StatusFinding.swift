#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The status of a credential as it was found out, with the deviations that tolerances let pass on the way.
///
/// ```swift
/// return StatusFinding(.valid(asOf: list.issuedAt), deviations: list.deviations)
/// ```
public struct StatusFinding: Hashable, Sendable {
    /// The status.
    public let status: CredentialStatus
    /// The deviations of the issuer's statement that a tolerance let pass; their paths begin inside the statement.
    public let deviations: [Deviation]
    /// Indicates that the issuer has an updated credential ready, which leaves the validity of this one as it is.
    public let isUpdateAvailable: Bool

    /// A finding.
    public init(_ status: CredentialStatus, deviations: [Deviation] = [], isUpdateAvailable: Bool = false) {
        self.status = status
        self.deviations = deviations
        self.isUpdateAvailable = isUpdateAvailable
    }

    /// A credential that is neither revoked nor suspended.
    ///
    /// - Parameter time: The time of the issuer's statement.
    public static func valid(asOf time: Date) -> StatusFinding { StatusFinding(.valid(asOf: time)) }

    /// A credential that is revoked for good.
    public static let revoked = StatusFinding(.revoked)

    /// A credential that is suspended.
    public static let suspended = StatusFinding(.suspended)

    /// A status that could not be determined.
    ///
    /// - Parameter obstacle: The reason, for people.
    public static func unknown(_ obstacle: String) -> StatusFinding { StatusFinding(.unknown(obstacle)) }

    /// The worse of two findings, where a credential has several statuses, with the deviations of both and the update that
    /// either tells of.
    public func combined(with other: StatusFinding) -> StatusFinding {
        StatusFinding(
            status.combined(with: other.status),
            deviations: deviations + other.deviations,
            isUpdateAvailable: isUpdateAvailable || other.isUpdateAvailable
        )
    }
}

extension Deviation {
    /// The same deviation, seen from a structure around the one that it was met in.
    public func inside(_ name: String) -> Deviation {
        Deviation(tolerance, at: [name] + path, message)
    }
}
