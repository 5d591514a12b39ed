#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A source of trusted issuing authorities that may change while verifiers use it, such as `TrustedIssuers` of MdocTrust.
public protocol TrustedIssuerSource: Sendable {
    /// The number of the change that made the present issuers; it grows with every change.
    var revision: UInt64 { get }

    /// The issuers that are trusted at a time.
    func trustedIssuers(at time: Date) -> TrustedIssuerSelection
}

/// The issuers that a source trusts at a time.
public struct TrustedIssuerSelection: Sendable {
    /// The certificates of the issuers.
    public let anchors: [TrustAnchor]
    /// The revision of the source that they were taken from.
    public let revision: UInt64
    /// The moment after which the selection holds; `nil` for any earlier time.
    public let after: Date?
    /// The last moment at which the selection holds; `nil` for any later time.
    public let until: Date?

    /// Describes a selection.
    ///
    /// - Parameters:
    ///   - anchors: The certificates of the issuers.
    ///   - revision: The revision of the source.
    ///   - after: The moment after which the selection holds, such as the end of a list that is left out.
    ///   - until: The last moment at which the selection holds, such as the end of a list that is used.
    public init(_ anchors: [TrustAnchor], revision: UInt64, after: Date? = nil, until: Date? = nil) {
        self.anchors = anchors
        self.revision = revision
        self.after = after
        self.until = until
    }

    /// Returns `true` if the source would give the same issuers at a time.
    func holds(for revision: UInt64, at time: Date) -> Bool {
        self.revision == revision && after.map { time > $0 } ?? true && until.map { time <= $0 } ?? true
    }
}
