public import CBORKit

/// A CBOR Web Token (RFC 8392), read and not verified.
///
/// ```swift
/// let token = try CWT(decoding: bytes)
/// let verified = try await token.verify(policy: [.es256], claims: policy, at: now) { _ in .signature(issuerKey) }
/// let subject = try verified.get().claims.subject()
/// ```
public struct CWT: Sendable {
    /// The outermost message.
    public let message: COSETaggedMessage

    /// The CBOR tag that may stand outside the message's own (RFC 8392 section 6).
    static let tag: UInt64 = 61

    /// Takes a message that the application knows to be a token.
    public init(_ message: COSETaggedMessage) {
        self.message = message
    }

    /// Reads a token: a tagged message, with or without tag 61 outside.
    ///
    /// - Throws: ``COSEError/Code/wrongTag`` for bytes without the tag of a message, and the errors of reading the
    ///   message.
    public init(decoding bytes: ArraySlice<UInt8>, options: COSEReadingOptions = .default) throws(COSEError) {
        let document: CBORDocument
        do {
            document = try CBORDocument(bytes, options: options.cbor)
        } catch {
            throw COSEError(error, path: ["CWT"])
        }
        try self.init(cbor: document.root, options: options)
    }

    /// Reads a token: a tagged message, with or without tag 61 outside.
    public init(decoding bytes: some Collection<UInt8>, options: COSEReadingOptions = .default) throws(COSEError) {
        let bytes = Array(bytes)
        try self.init(decoding: bytes[...], options: options)
    }

    /// Reads a token from an item of a larger document.
    public init(cbor view: CBORView, options: COSEReadingOptions = .default) throws(COSEError) {
        message = try within("CWT") { () throws(COSEError) in
            guard view.tag == Self.tag else { return try COSETaggedMessage(cbor: view, options: options) }
            let content = try reading("tag") { () throws(CBORError) in try view.content(ofTag: Self.tag) }
            return try COSETaggedMessage(cbor: content, options: options)
        }
    }

    /// The token in CBOR.
    ///
    /// - Parameter tagged: Indicates that tag 61 stands outside the tag of the message.
    public func encoded(tagged: Bool = false) -> [UInt8] {
        var writer = CBORWriter()
        if tagged { writer.write(tag: Self.tag) }
        writer.write(encoded: message.encoded())
        return writer.finish()
    }
}
