/// One way in which a certificate departs from a ``CertificateProfile``.
public struct CertificateDeviation: Hashable, Sendable, CustomStringConvertible {
    /// The kind of deviation, as a value to act on.
    public let kind: Kind

    /// The extension that it concerns, or nil.
    public let extensionID: OID?

    /// The departure in a sentence for people.
    public let message: String

    init(_ kind: Kind, _ message: String, extension extensionID: OID? = nil) {
        self.kind = kind
        self.message = message.escapedForDisplay()
        self.extensionID = extensionID
    }

    /// Kind and message in one line.
    public var description: String { "\(kind): \(message)" }
}
