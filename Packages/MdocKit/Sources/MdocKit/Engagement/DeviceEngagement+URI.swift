extension DeviceEngagement {
    /// Reads the text of a QR code: `mdoc:` and the engagement in base64url (ISO/IEC 18013-5, 9.2.2.3).
    ///
    /// `mdoc://` is read too.
    ///
    /// - Throws: ``MdocError`` with code `malformedURI` where the text is not of that form, or another where the content
    ///   is no engagement.
    public init(uri: String, options: MdocReadingOptions = .default) throws(MdocError) {
        let scheme = uri.prefix(while: { $0 != ":" })
        guard scheme.lowercased() == "mdoc", scheme.endIndex < uri.endIndex else {
            throw MdocError(.malformedURI, "the text does not start with mdoc:")
        }
        var content = uri[uri.index(after: scheme.endIndex)...]
        if content.hasPrefix("//") { content = content.dropFirst(2) }
        guard let bytes = Base64URL.decode(content.utf8) else {
            throw MdocError(.malformedURI, "what follows mdoc: is not base64url")
        }
        try self.init(decoding: bytes, options: options)
    }

    /// The text of a QR code: `mdoc:` and the engagement in base64url without padding.
    public var uri: String { "mdoc:" + Base64URL.encode(encodedBytes) }
}
