package import CryptoCore

/// A reader's knowledge of the session that a response belongs to.
package struct ReaderSession: Sendable {
    let transcript: SessionTranscript
    /// The reader's private keys that a device may have agreed a MAC key with.
    let keys: [any KeyAgreement]
    /// The requested document types; nil for any.
    let docTypes: Set<DocType>?

    package init(transcript: SessionTranscript, keys: [any KeyAgreement] = [], docTypes: Set<DocType>? = nil) {
        self.transcript = transcript
        self.keys = keys
        self.docTypes = docTypes
    }
}
