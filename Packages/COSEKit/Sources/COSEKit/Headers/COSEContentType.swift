public import CBORKit

/// The value of `content type` and `typ`: a CoAP content format or a media type (RFC 9052 section 3.1, RFC 9596).
public enum COSEContentType: Hashable, Sendable {
    /// A number of the registry "CoAP Content-Formats", such as 61 for `application/cwt`.
    case coapContentFormat(UInt16)
    /// A media type, such as `application/cbor`.
    case mediaType(String)

    /// The value of the header parameter.
    public var cbor: CBOR {
        switch self {
        case .coapContentFormat(let number): .integer(number)
        case .mediaType(let text): .text(text)
        }
    }
}
