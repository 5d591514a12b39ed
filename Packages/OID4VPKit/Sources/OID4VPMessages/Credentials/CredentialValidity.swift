#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The time in which a credential may be presented; either end may be open.
///
/// A wallet compares it with its own clock, to the moment: the skew that verifiers allow is for their clocks.
public struct CredentialValidity: Hashable, Sendable {
    /// The first moment at which the credential is valid; nil for one that is valid from the start.
    public let start: Date?
    /// The end; nil for a credential that does not expire.
    public let end: Date?
    /// Indicates that the credential is still valid at the end: so `validUntil` of an mdoc (ISO/IEC 18013-5, 12.3.5), and not
    /// `exp` (RFC 7519, section 4.1.4).
    public let includesEnd: Bool

    /// No limits.
    public static let unlimited = CredentialValidity(from: nil, until: nil)

    /// Sets the ends.
    public init(from start: Date?, until end: Date?, includesEnd: Bool = false) {
        self.start = start
        self.end = end
        self.includesEnd = includesEnd
    }

    /// Returns `true` at a time before the start.
    public func isPending(at time: Date) -> Bool { start.map { time < $0 } ?? false }

    /// Returns `true` at a time after the end, and at the end itself unless that is included.
    public func isExpired(at time: Date) -> Bool {
        guard let end else { return false }
        return includesEnd ? end < time : end <= time
    }

    /// Returns `true` at a time within the validity.
    public func contains(_ time: Date) -> Bool { !isPending(at: time) && !isExpired(at: time) }
}

extension QueryableCredential {
    /// The reason that the credential cannot be presented at a time, or nil; nil also without a time.
    func mismatch(at time: Date?) -> QueryMismatch.Reason? {
        guard let time else { return nil }
        if validity.isExpired(at: time) { return .expired }
        return validity.isPending(at: time) ? .notYetValid : nil
    }
}
