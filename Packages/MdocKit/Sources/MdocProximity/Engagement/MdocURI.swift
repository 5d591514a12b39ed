import CBORKit
public import MdocKit

/// The text of a QR code or link: `mdoc:` or `mdoc://`, and an engagement in base64url.
struct MdocURI {
    /// The engagement.
    let bytes: [UInt8]
    /// Indicates that the base64url is padded, which the standard does not allow.
    let isPadded: Bool

    /// Takes a text apart.
    ///
    /// - Throws: `MdocError` with code `malformedURI`.
    init(_ text: String) throws(MdocError) {
        let scheme = text.prefix(while: { $0 != ":" })
        guard scheme.lowercased() == "mdoc", scheme.endIndex < text.endIndex else {
            throw MdocError(.malformedURI, "the text does not start with mdoc:")
        }
        var content = text[text.index(after: scheme.endIndex)...]
        if content.hasPrefix("//") { content = content.dropFirst(2) }
        let padding = content.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard Self.isPadding(padding, in: content.utf8.count),
            let bytes = MdocBase64URL.decode(content.utf8.dropLast(padding))
        else { throw MdocError(.malformedURI, "what follows mdoc: is not base64url") }
        self.bytes = bytes
        isPadded = padding > 0
    }

    /// Returns `true` for a valid number of padding characters: none, or those that complete the last four characters.
    private static func isPadding(_ count: Int, in length: Int) -> Bool {
        count == 0 || (count <= 2 && length % 4 == 0)
    }
}

extension DeviceEngagement {
    /// Reads the text of a QR code: `mdoc:` and the engagement in base64url (ISO/IEC 18013-5, 9.3).
    ///
    /// `mdoc://` is read too, and so is padding where `MdocTolerance.paddedURI` is tolerated.
    ///
    /// - Throws: `MdocError` with code `malformedURI` if the text is not of that form, or another if the content is not
    ///   an engagement.
    public init(uri: String, options: MdocReadingOptions = .strict) throws(MdocError) {
        let content = try MdocURI(uri)
        try self.init(decoding: content.bytes, options: options)
        if content.isPadded { try tolerate(.paddedURI, options) }
        if retrievalMethods.isEmpty { try tolerate(.missingRetrievalMethods, options) }
    }

    /// Lets a deviation of the text pass if it is tolerated, and notes it.
    private mutating func tolerate(_ tolerance: MdocTolerance, _ options: MdocReadingOptions) throws(MdocError) {
        guard options.tolerances.contains(tolerance) else {
            throw MdocError(.deviation, "not tolerated: \(tolerance)")
        }
        add(MdocDeviation(tolerance: tolerance, path: CBORPath()))
    }

    /// The text of a QR code: `mdoc:` and the engagement in base64url without padding.
    public var uri: String { "mdoc:" + MdocBase64URL.encode(encodedBytes) }
}
