/// One recipient of a JWE (RFC 7516, section 7.2.1).
public struct JWERecipient: Sendable {
    /// What is said to this recipient alone, and anyone on the way could have changed.
    public let unprotectedHeader: JOSEHeader

    /// All parameters: those of the protected header, of the shared one and of this recipient's.
    public let header: JOSEHeader

    /// The content encryption key as the recipient gets it; empty where the algorithm sends none.
    public let encryptedKey: [UInt8]

    /// The reason that the recipient is passed over, or nil where it can be read.
    ///
    /// A recipient that cannot be read has no parameters of its own. An object of such recipients alone is refused.
    public let fault: JOSEError?
}
