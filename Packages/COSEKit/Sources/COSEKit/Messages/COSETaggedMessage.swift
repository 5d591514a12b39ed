public import CBORKit

/// A message that says by its CBOR tag which of the six it is: COSE_Tagged_Message (RFC 9052 section 2).
public enum COSETaggedMessage: Sendable {
    /// Tag 18.
    case sign1(COSESign1)
    /// Tag 98.
    case sign(COSESign)
    /// Tag 17.
    case mac0(COSEMac0)
    /// Tag 97.
    case mac(COSEMac)
    /// Tag 16.
    case encrypt0(COSEEncrypt0)
    /// Tag 96.
    case encrypt(COSEEncrypt)

    /// Reads a tagged message.
    ///
    /// - Throws: ``COSEError/Code/wrongTag`` for bytes without one of the six tags, and the errors of reading the
    ///   message.
    public init(decoding bytes: ArraySlice<UInt8>, options: COSEReadingOptions = .default) throws(COSEError) {
        let document: CBORDocument
        do {
            document = try CBORDocument(bytes, options: options.cbor)
        } catch {
            throw COSEError(error, path: ["COSE_Tagged_Message"])
        }
        try self.init(cbor: document.root, options: options)
    }

    /// Reads a tagged message.
    public init(decoding bytes: some Collection<UInt8>, options: COSEReadingOptions = .default) throws(COSEError) {
        let bytes = Array(bytes)
        try self.init(decoding: bytes[...], options: options)
    }

    /// Reads a tagged message from an item of a larger document.
    public init(cbor view: CBORView, options: COSEReadingOptions = .default) throws(COSEError) {
        guard let tag = view.tag else {
            throw COSEError(.wrongTag, "the message has no tag", path: ["COSE_Tagged_Message"])
        }
        switch COSEMessageType(tag: tag) {
        case .sign1: self = .sign1(try COSESign1(cbor: view, options: options))
        case .sign: self = .sign(try COSESign(cbor: view, options: options))
        case .mac0: self = .mac0(try COSEMac0(cbor: view, options: options))
        case .mac: self = .mac(try COSEMac(cbor: view, options: options))
        case .encrypt0: self = .encrypt0(try COSEEncrypt0(cbor: view, options: options))
        case .encrypt: self = .encrypt(try COSEEncrypt(cbor: view, options: options))
        default: throw COSEError(.wrongTag, "tag \(tag) is of no COSE message", path: ["COSE_Tagged_Message"])
        }
    }

    /// The message, whichever it is.
    public var message: any COSEMessage {
        switch self {
        case .sign1(let message): message
        case .sign(let message): message
        case .mac0(let message): message
        case .mac(let message): message
        case .encrypt0(let message): message
        case .encrypt(let message): message
        }
    }

    /// The message type, one of six.
    public var messageType: COSEMessageType { type(of: message).messageType }

    /// The headers of the outermost layer.
    ///
    /// Nothing about them is verified.
    public var headers: COSEHeaders { message.headers }

    /// The message with its tag: as received where it was received and not changed.
    public func encoded() -> [UInt8] {
        message.encoded(tagged: true)
    }
}
