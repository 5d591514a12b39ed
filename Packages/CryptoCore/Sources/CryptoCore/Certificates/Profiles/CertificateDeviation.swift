public import VerificationCore

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

extension Deviation {
    /// A departure of a certificate from its profile that the policy of the path tolerated.
    ///
    /// - Parameters:
    ///   - deviation: The departure.
    ///   - path: The names of the structures around the certificate, outermost first.
    public init(_ deviation: CertificateDeviation, at path: [String]) {
        self.init(deviation.kind.description, at: path, deviation.message)
    }
}

extension ValidatedCertificateChain {
    /// The departures that the policy tolerated, as a verification lists them.
    ///
    /// - Parameter path: The names of the structures around the certificates, outermost first.
    public func deviations(at path: [String]) -> [Deviation] {
        toleratedDeviations.map { Deviation($0, at: path) }
    }
}
