import CryptoCore

/// What a reader knows of the session that a response belongs to.
struct ReaderSession: Sendable {
    let transcript: SessionTranscript
    /// The reader's private keys that a device may have agreed a MAC key with.
    let keys: [any KeyAgreement]
    /// The document types that were asked for; nil where any will do.
    let docTypes: Set<DocType>?
    /// Whether credentials are taken without asking whether they are revoked.
    let skipsStatusCheck: Bool
}
