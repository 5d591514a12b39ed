public import CBORKit

/// One of the six COSE messages (RFC 9052 section 2), read and not verified.
public protocol COSEMessage: Sendable {
    /// The message type, one of six.
    static var messageType: COSEMessageType { get }

    /// The headers of the outermost layer.
    ///
    /// Nothing about them is verified.
    var headers: COSEHeaders { get }

    /// Indicates that the message was received with its tag; false for one that was made here.
    var isTagged: Bool { get }

    /// Reads a message from an item of a larger document, tagged with its own tag or untagged.
    init(cbor view: CBORView, options: COSEReadingOptions) throws(COSEError)

    /// Writes the message: as received where it was received and not changed.
    func encode(to writer: inout CBORWriter, tagged: Bool)
}

extension COSEMessage {
    /// Reads a message from an item of a larger document, tagged with its own tag or untagged, within default limits.
    public init(cbor view: CBORView) throws(COSEError) {
        try self.init(cbor: view, options: .default)
    }

    /// Reads a message, tagged with its own tag or untagged.
    ///
    /// - Throws: ``COSEError/Code/malformed`` for bytes that are not one CBOR item of the right shape,
    ///   ``COSEError/Code/wrongTag``, ``COSEError/Code/wrongElementCount``, and the errors of reading the headers.
    public init(decoding bytes: ArraySlice<UInt8>, options: COSEReadingOptions = .default) throws(COSEError) {
        let document: CBORDocument
        do {
            document = try CBORDocument(bytes, options: options.cbor)
        } catch {
            throw COSEError(error, path: [Self.messageType.description])
        }
        try self.init(cbor: document.root, options: options)
    }

    /// Reads a message, tagged with its own tag or untagged.
    public init(decoding bytes: some Collection<UInt8>, options: COSEReadingOptions = .default) throws(COSEError) {
        let bytes = Array(bytes)
        try self.init(decoding: bytes[...], options: options)
    }

    /// The message in CBOR: as received where it was received and not changed.
    ///
    /// - Parameter tagged: Pass `true` to write the message's tag before it.
    public func encoded(tagged: Bool = true) -> [UInt8] {
        var writer = CBORWriter()
        encode(to: &writer, tagged: tagged)
        return writer.finish()
    }

    /// Writes the tag, then the received bytes or the elements.
    func encode(
        to writer: inout CBORWriter,
        tagged: Bool,
        received: ArraySlice<UInt8>?,
        elements: (inout CBORWriter) -> Void
    ) {
        if tagged { writer.write(tag: Self.messageType.tag) }
        if let received {
            writer.write(encoded: received)
        } else {
            writer.beginArray(count: Self.messageType.elementCount)
            headers.encode(to: &writer)
            elements(&writer)
        }
    }
}

extension CBORWriter {
    /// Writes a byte string, or null if absent.
    mutating func write(optionalBytes bytes: ArraySlice<UInt8>?) {
        if let bytes {
            write(bytes: bytes)
        } else {
            writeNull()
        }
    }
}

/// The content of a message, inside it or passed in beside it.
enum COSEContent {
    /// The content that the cryptography covers: the message's own, or the detached one.
    ///
    /// - Throws: ``COSEError/Code/missingContent`` or ``COSEError/Code/contentNotDetached`` unless there is exactly one.
    static func resolve(
        attached: ArraySlice<UInt8>?,
        detached: [UInt8]?,
        field: String
    ) throws(COSEError) -> ArraySlice<UInt8> {
        switch (attached, detached) {
        case (let attached?, nil): return attached
        case (nil, let detached?): return detached[...]
        case (nil, nil):
            throw COSEError(.missingContent, "the \(field) is detached and was not handed in", path: [field])
        case (_?, _?):
            throw COSEError(.contentNotDetached, "the message carries its own \(field)", path: [field])
        }
    }
}

/// Content whose signature or authentication tag was verified, or that was decrypted from authentic ciphertext.
///
/// Only verification and decryption make values of this type.
public struct COSEVerifiedPayload: Sendable {
    /// The content.
    public let payload: ArraySlice<UInt8>
    /// The headers of the message.
    ///
    /// The unprotected bucket is not verified.
    public let headers: COSEHeaders
    /// The headers of the signature that was verified, for a COSE_Sign; nil for every other message.
    public let signerHeaders: COSEHeaders?
    /// The algorithm of the signature, of the authentication tag or of the content encryption.
    public let algorithm: COSEAlgorithm

    init(
        payload: ArraySlice<UInt8>,
        headers: COSEHeaders,
        signerHeaders: COSEHeaders? = nil,
        algorithm: COSEAlgorithm
    ) {
        self.payload = payload
        self.headers = headers
        self.signerHeaders = signerHeaders
        self.algorithm = algorithm
    }
}
