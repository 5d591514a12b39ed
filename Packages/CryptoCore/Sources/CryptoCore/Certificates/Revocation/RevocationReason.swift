/// The reason of a revocation (RFC 5280, 5.3.1): an open set.
public struct RevocationReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number of the reason.
    public let rawValue: Int

    /// Takes the number of a reason.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// No reason is given.
    public static let unspecified = RevocationReason(rawValue: 0)
    /// The subject's key is known or suspected to be compromised.
    public static let keyCompromise = RevocationReason(rawValue: 1)
    /// The authority's key is.
    public static let caCompromise = RevocationReason(rawValue: 2)
    /// Names or other facts in the certificate changed.
    public static let affiliationChanged = RevocationReason(rawValue: 3)
    /// Another certificate replaces it.
    public static let superseded = RevocationReason(rawValue: 4)
    /// It is not needed any more.
    public static let cessationOfOperation = RevocationReason(rawValue: 5)
    /// It is on hold for the time being.
    public static let certificateHold = RevocationReason(rawValue: 6)
    /// It is not on hold any more; only in delta lists.
    public static let removeFromCRL = RevocationReason(rawValue: 8)
    /// A privilege in it was withdrawn.
    public static let privilegeWithdrawn = RevocationReason(rawValue: 9)
    /// The key of an attribute authority is known or suspected to be compromised.
    public static let aaCompromise = RevocationReason(rawValue: 10)

    private static let names: [RevocationReason: String] = [
        .unspecified: "unspecified", .keyCompromise: "keyCompromise", .caCompromise: "cACompromise",
        .affiliationChanged: "affiliationChanged", .superseded: "superseded",
        .cessationOfOperation: "cessationOfOperation", .certificateHold: "certificateHold",
        .removeFromCRL: "removeFromCRL", .privilegeWithdrawn: "privilegeWithdrawn", .aaCompromise: "aACompromise",
    ]

    /// The name as in RFC 5280, or the number.
    public var description: String { Self.names[self] ?? "reason \(rawValue)" }
}
