/// Why a certificate path is not valid: the check that failed, the reason, and the certificate that it concerns.
public struct CertificatePathFailure: Hashable, Sendable, CustomStringConvertible {
    /// Which certificate of the path a failure concerns.
    public enum Position: Hashable, Sendable {
        /// A certificate of the given chain; 0 is the leaf.
        case chain(Int)
        /// The trust anchor.
        case anchor
    }

    /// The check that failed.
    public let check: CertificatePathCheck

    /// What was wrong, as a value to act on.
    public let reason: Reason

    /// Which certificate is concerned, or nil where it is the chain as a whole.
    public let position: Position?

    /// That certificate, or nil where there is none or it could not be read.
    public let certificate: Certificate?

    /// What was wrong, in a sentence for people.
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
