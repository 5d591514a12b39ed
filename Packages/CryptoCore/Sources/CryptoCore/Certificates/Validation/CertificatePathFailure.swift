/// The reason that a certificate path is invalid: the failed check, the fault, and the certificate concerned.
public struct CertificatePathFailure: Hashable, Sendable, CustomStringConvertible {
    /// The certificate of the path that a failure concerns.
    public enum Position: Hashable, Sendable {
        /// A certificate of the given chain; 0 is the leaf.
        case chain(Int)
        /// The trust anchor.
        case anchor
    }

    /// The check that failed.
    public let check: CertificatePathCheck

    /// The kind of fault, as a value to act on.
    public let reason: Reason

    /// The certificate concerned, or nil for the chain as a whole.
    public let position: Position?

    /// That certificate, or nil if it is missing or unreadable.
    public let certificate: Certificate?

    /// A description of the fault for people, in one sentence.
    public let message: String

    init(
        check: CertificatePathCheck,
        reason: Reason,
        position: Position?,
        certificate: Certificate?,
        message: String
    ) {
        self.check = check
        self.reason = reason
        self.position = position
        self.certificate = certificate
        self.message = message.escapedForDisplay()
    }

    /// Check, place and message in one line.
    public var description: String {
        switch position {
        case nil: "\(check): \(message)"
        case .chain(let index): "\(check), certificate \(index): \(message)"
        case .anchor: "\(check), trust anchor: \(message)"
        }
    }
}
