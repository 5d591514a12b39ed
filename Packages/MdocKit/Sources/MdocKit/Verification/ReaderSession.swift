import CryptoCore

/// A reader's knowledge of the session that a response belongs to.
struct ReaderSession: Sendable {
    let transcript: SessionTranscript
    /// The reader's private keys that a device may have agreed a MAC key with.
    let keys: [any KeyAgreement]
    /// The requested document types; nil for any.
    let docTypes: Set<DocType>?
    /// Whether credentials are taken without asking whether they are revoked.
    let skipsStatusCheck: Bool
}
