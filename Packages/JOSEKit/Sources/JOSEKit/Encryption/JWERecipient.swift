/// One recipient of a JWE (RFC 7516, section 7.2.1).
public struct JWERecipient: Sendable {
    /// The recipient's own header, which is not authenticated.
    public let unprotectedHeader: JOSEHeader

    /// All parameters: those of the protected header, of the shared one and of this recipient's.
    public let header: JOSEHeader

    /// The content encryption key as the recipient gets it; empty where the algorithm sends none.
    public let encryptedKey: [UInt8]

    /// The reason that the recipient is skipped, or nil for a readable one.
    ///
    /// An unreadable recipient has no parameters of its own. An object with such recipients alone is refused.
    public let fault: JOSEError?
}
