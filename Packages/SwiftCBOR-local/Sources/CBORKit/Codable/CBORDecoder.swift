/// Decodes `Decodable` types from CBOR, straight from the index of the input.
///
/// ```swift
/// let response = try CBORDecoder().decode(Response.self, from: bytes)
/// ```
///
/// Byte strings decode as `[UInt8]`, Foundation's `Data`, and every other collection of bytes that can be built up; dates
/// as ``CBORDateForm`` says; a type that is ``CBORDecodable`` reads itself. To keep tags, bytes or values as they came,
/// give a property the type ``CBORTagged``, ``EncodedCBOR`` or ``CBOR``.
///
/// A number decodes as an integer type only if it is an integer that fits, and as a floating-point type from integers
/// too where those are exact. Null is nil for optionals and an error for all else; a missing key is an error of its own.
public struct CBORDecoder: Sendable {
    /// The treatment of map keys that the type's `CodingKeys` do not have.
    public enum UnknownKeys: Hashable, Sendable {
        /// Passes them over.
        case ignore
        /// Refuses the input.
        case refuse
    }

    /// The options and limits for reading the CBOR.
    public var readingOptions = CBORReadingOptions.default
    /// The form of the keys.
    public var keys = CBORKeyForm.integersWhereGiven
    /// The treatment of keys that the type does not have.
    public var unknownKeys = UnknownKeys.ignore
    /// The form in which dates must be, or nil for any of the tagged ones.
    public var dates: CBORDateForm?
    /// The `userInfo` of the types' decoder.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// A decoder with the default options.
    public init() {}

    /// Decodes a value from one item.
    ///
    /// - Throws: `DecodingError`, with a ``CBORError`` as its underlying error if the input is to blame: malformed, or
    ///   not what the type expects. Errors of the type itself are rethrown.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from bytes: [UInt8]) throws -> Value {
        try decode(type, from: bytes[...])
    }

    /// Decodes a value from one item in a slice.
    ///
    /// - Throws: As for an array.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from bytes: ArraySlice<UInt8>) throws -> Value
    {
        let document: CBORDocument
        do throws(CBORError) {
            document = try CBORDocument(bytes, options: readingOptions)
        } catch {
            throw DecodingError(error, for: type)
        }
        return try decode(type, from: document.root)
    }

    /// Decodes a value from an item of a document that is read already.
    ///
    /// - Throws: As for an array.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from view: CBORView) throws -> Value {
        try ItemDecoder(view: view, session: DecodingSession(self)).decode(type)
    }
}

/// The form in which ``CBOREncoder`` and ``CBORDecoder`` write and read Foundation's `Date`.
///
/// This module does not use Foundation. It recognizes `Date` by its name, and relies on its documented coding: the
/// seconds since 2001-01-01T00:00Z as a `Double`.
public enum CBORDateForm: Hashable, Sendable {
    /// Text under tag 0, such as `0("2013-03-21T20:04:00Z")`, to the microsecond (RFC 8949 section 3.4.1).
    case dateTime
    /// Seconds since 1970 under tag 1, as an integer where there is no fraction (RFC 8949 section 3.4.2).
    case epochTime
    /// The day in UTC as text under tag 1004 (RFC 8943); the time of day is dropped.
    case fullDate
    /// The day in UTC as a number under tag 100 (RFC 8943); the time of day is dropped.
    case epochDate
    /// Seconds since 1970 as a bare number, such as the NumericDate of RFC 8392.
    case seconds
}

/// The form of the keys that ``CBOREncoder`` and ``CBORDecoder`` write and read for Codable types.
public enum CBORKeyForm: Hashable, Sendable {
    /// A key with an `intValue`, such as a case of `enum CodingKeys: Int`, is an integer; all others are text.
    case integersWhereGiven
    /// Every key is text, by its `stringValue`.
    case text
}

extension ItemDecoder {
    /// The decoder as one of this module.
    init(_ decoder: any Decoder, for type: Any.Type) throws {
        guard let item = decoder as? ItemDecoder else {
            let message = "\(type) can be decoded by CBORDecoder only"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: message))
        }
        self = item
    }
}

extension ItemEncoder {
    /// Writes a value of this module to an encoder that must be one of this module.
    static func write<Value: Encodable>(_ value: Value, to encoder: any Encoder) throws {
        guard let item = encoder as? ItemEncoder else {
            let message = "\(Value.self) can be encoded by CBOREncoder only"
            throw EncodingError.invalidValue(value, .init(codingPath: encoder.codingPath, debugDescription: message))
        }
        try item.encode(value)
    }
}
