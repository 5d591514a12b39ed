extension JWE {
    /// Reads the compact serialization (RFC 7516, section 7.1).
    ///
    /// - Throws: ``JOSEError/Code/wrongKind`` for the three parts of a JWS, ``JOSEError/Code/malformed`` for any other
    ///   number than five, ``JOSEError/Code/limitExceeded``, and the errors of reading the header.
    public init(compact text: some StringProtocol, limits: JOSELimits = .default) throws(JOSEError) {
        try self.init(compact: Array(text.utf8)[...], limits: limits)
    }

    /// Reads the compact serialization (RFC 7516, section 7.1).
    ///
    /// - Throws: As for a string.
    public init(compact text: some Collection<UInt8>, limits: JOSELimits = .default) throws(JOSEError) {
        let text = Array(text)
        try self.init(compact: text[...], limits: limits)
    }

    /// Reads the compact serialization (RFC 7516, section 7.1) from a part of a larger text.
    ///
    /// - Throws: As for a string.
    public init(compact text: ArraySlice<UInt8>, limits: JOSELimits = .default) throws(JOSEError) {
        self = try within("JWE") { () throws(JOSEError) in
            try limits.requireSize(text.count)
            return try JWE(parts: CompactParts(text, count: 5), limits)
        }
    }

    private init(parts: CompactParts, _ limits: JOSELimits) throws(JOSEError) {
        let headers = try JWEHeaders(
            protected: within("protected") { () throws(JOSEError) in
                try JOSEHeader(encoded: parts[0], limits: limits)
            },
            encodedProtected: parts[0]
        )
        let recipient = try headers.recipient(
            header: JOSEHeader(),
            encryptedKey: within("encrypted_key") { () throws(JOSEError) in try Base64URL.decode(parts[1]) }
        )
        let content = Content(
            initializationVector: try within("iv") { () throws(JOSEError) in try Base64URL.decode(parts[2]) },
            ciphertext: try within("ciphertext") { () throws(JOSEError) in try Base64URL.decode(parts[3]) },
            tag: try within("tag") { () throws(JOSEError) in try Base64URL.decode(parts[4]) }
        )
        self.init(
            headers: headers,
            recipients: [recipient],
            additionalData: nil,
            encodedAdditionalData: nil,
            content: content
        )
    }

    /// The compact serialization (RFC 7516, section 7.1); the protected header is written as received.
    ///
    /// - Throws: ``JOSEError/Code/notSerializable`` for several recipients, an unprotected header or additional data.
    public func compactSerialization() throws(JOSEError) -> String {
        guard let recipient = recipients.first, recipients.count == 1 else {
            throw JOSEError(.notSerializable, "the compact serialization has one recipient", path: ["JWE"])
        }
        guard sharedHeader.isEmpty, recipient.unprotectedHeader.isEmpty, additionalData == nil else {
            let message = "the compact serialization has neither unprotected headers nor additional data"
            throw JOSEError(.notSerializable, message, path: ["JWE"])
        }
        let parts = [recipient.encryptedKey, content.initializationVector, content.ciphertext, content.tag]
        var text = Array(encodedHeader)
        for part in parts {
            text.append(UInt8(ascii: "."))
            text.append(contentsOf: Base64URL.encodedBytes(part))
        }
        return String(decoding: text, as: UTF8.self)
    }
}
