import CBORKit
public import MdocKit

extension DeviceEngagement {
    /// Reads the text of a QR code: `mdoc:` and the engagement in base64url (ISO/IEC 18013-5, 9.3).
    ///
    /// `mdoc://` is read too, and so is padding where ``MdocTolerance/paddedURI`` is tolerated.
    ///
    /// - Throws: ``MdocError`` with code `malformedURI` where the text is not of that form, or another where the content
    ///   is no engagement.
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
    public var uri: String { "mdoc:" + Base64URL.encode(encodedBytes) }
}
