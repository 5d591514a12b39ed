public import MdocKit

/// One record of an NDEF message (NFC Forum, NFC Data Exchange Format).
public struct NDEFRecord: Hashable, Sendable {
    /// The interpretation of a record's type.
    public enum TypeNameFormat: UInt8, Hashable, Sendable {
        /// No type, id or payload.
        case empty = 0
        /// A type of the NFC Forum, such as `Hs`.
        case wellKnown = 1
        /// A media type (RFC 2046).
        case media = 2
        /// An absolute URI.
        case absoluteURI = 3
        /// A type in an organisation's domain, such as `iso.org:18013:nfc`.
        case external = 4
        /// No type: the payload is of no known kind.
        case unknown = 5
        /// The value without a meaning yet; read as a record of no known kind.
        case reserved = 7
    }

    /// The interpretation of ``type``.
    public let typeNameFormat: TypeNameFormat
    /// The type, at most 255 bytes.
    public let type: [UInt8]
    /// The identifier for references to this record, at most 255 bytes; empty for none.
    public let id: [UInt8]
    /// The content.
    public let payload: [UInt8]

    /// Creates a record.
    ///
    /// - Throws: `MdocError` with code `malformedNDEF` if type or id is too long, or if the format does not go with a
    ///   type, an id or a payload that is there, or demands a type that is not.
    public init(
        _ typeNameFormat: TypeNameFormat,
        type: [UInt8] = [],
        id: [UInt8] = [],
        payload: [UInt8] = []
    ) throws(MdocError) {
        self.typeNameFormat = typeNameFormat
        self.type = type
        self.id = id
        self.payload = payload
        try requireForm()
    }

    /// Creates a record with a type in ASCII.
    init(_ format: TypeNameFormat, _ type: StaticString, id: [UInt8] = [], payload: [UInt8]) throws(MdocError) {
        try self.init(format, type: Array("\(type)".utf8), id: id, payload: payload)
    }

    /// Returns `true` if the record is of a type; media and external types are the same in capitals.
    func isOf(_ format: TypeNameFormat, _ name: StaticString) -> Bool {
        guard typeNameFormat == format else { return false }
        let wanted = Array("\(name)".utf8)
        return format == .wellKnown ? type == wanted : type.map(Self.lowercased) == wanted.map(Self.lowercased)
    }

    private static func lowercased(_ character: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(character) ? character | 0x20 : character
    }

    private func requireForm() throws(MdocError) {
        guard type.count <= 255, id.count <= 255, payload.count <= Int(UInt32.max) else {
            throw MdocError(.malformedNDEF, "an NDEF record's type and id have at most 255 bytes")
        }
        let isRight =
            switch typeNameFormat {
            case .empty: type.isEmpty && id.isEmpty && payload.isEmpty
            case .unknown: type.isEmpty
            case .wellKnown, .media, .absoluteURI, .external: !type.isEmpty
            case .reserved: true
            }
        guard isRight else {
            throw MdocError(.malformedNDEF, "an NDEF record of format \(typeNameFormat) with the wrong fields")
        }
    }
}
