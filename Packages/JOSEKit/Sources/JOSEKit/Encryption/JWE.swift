/// Content encrypted to one or more recipients: JSON Web Encryption (RFC 7516), read and not decrypted.
///
/// One type for all three serializations. Received text is kept: the additional data are the received texts, never a
/// re-encoding.
///
/// ```swift
/// let message = try JWE(compact: text)
/// let policy = JWEDecryptionPolicy(algorithms: [.ecdhES], encryptions: [.a256GCM])
/// let decrypted = try await message.decrypt(with: .privateKey(key), policy: policy)
/// use(decrypted.plaintext)
/// ```
public struct JWE: Sendable {
    private let parts: Parts

    /// The authenticated header; empty if absent.
    public var protectedHeader: JOSEHeader { parts.protectedHeader }

    /// The header shared by all recipients, which is not authenticated (`unprotected`).
    public var sharedHeader: JOSEHeader { parts.sharedHeader }

    /// The recipients; one, unless the object is in the general JSON serialization.
    public var recipients: [JWERecipient] { parts.recipients }

    /// The data that the application authenticates along with the content (`aad`), or nil.
    ///
    /// An unverified claim until the object is decrypted.
    public var additionalData: [UInt8]? { parts.additionalData }

    var encodedHeader: ArraySlice<UInt8> { parts.encodedHeader }
    var encodedAdditionalData: ArraySlice<UInt8>? { parts.encodedAdditionalData }
    var content: Content { parts.content }

    /// The encrypted content with its nonce, its tag and its additional data.
    struct Content: Sendable {
        var initializationVector: [UInt8]
        var ciphertext: [UInt8]
        var tag: [UInt8]
    }

    init(
        headers: JWEHeaders,
        recipients: [JWERecipient],
        additionalData: [UInt8]?,
        encodedAdditionalData: ArraySlice<UInt8>?,
        content: Content
    ) {
        parts = Parts(
            headers: headers,
            recipients: recipients,
            additionalData: additionalData,
            encodedAdditionalData: encodedAdditionalData,
            content: content
        )
    }

    /// The parts of a JWE, on the heap, since each step of a decryption passes them on.
    private final class Parts: Sendable {
        let protectedHeader: JOSEHeader
        let sharedHeader: JOSEHeader
        let recipients: [JWERecipient]
        let additionalData: [UInt8]?
        let encodedHeader: ArraySlice<UInt8>
        let encodedAdditionalData: ArraySlice<UInt8>?
        let content: Content

        init(
            headers: JWEHeaders,
            recipients: [JWERecipient],
            additionalData: [UInt8]?,
            encodedAdditionalData: ArraySlice<UInt8>?,
            content: Content
        ) {
            protectedHeader = headers.protected
            sharedHeader = headers.shared
            encodedHeader = headers.encodedProtected
            self.recipients = recipients
            self.additionalData = additionalData
            self.encodedAdditionalData = encodedAdditionalData
            self.content = content
        }
    }

    /// The additional data of the content encryption (RFC 7516, section 5.1, step 14).
    var authenticatedBytes: [UInt8] {
        Self.authenticatedBytes(encodedHeader, encodedAdditionalData)
    }

    static func authenticatedBytes(
        _ header: ArraySlice<UInt8>,
        _ additionalData: ArraySlice<UInt8>?
    ) -> [UInt8] {
        guard let additionalData else { return Array(header) }
        return Array(header) + [UInt8(ascii: ".")] + additionalData
    }
}

/// One recipient of a JWE (RFC 7516, section 7.2.1).
public struct JWERecipient: Sendable {
    /// The recipient's own header, which is not authenticated.
    public let unprotectedHeader: JOSEHeader

    /// All parameters: those of the protected header, of the shared one and of this recipient's.
    public let header: JOSEHeader

    /// The content encryption key as the recipient gets it; empty if the algorithm sends none.
    public let encryptedKey: [UInt8]

    /// The reason that the recipient is skipped, or nil for a readable one.
    ///
    /// An unreadable recipient has no parameters of its own. An object with such recipients alone is refused.
    public let fault: JOSEError?
}
