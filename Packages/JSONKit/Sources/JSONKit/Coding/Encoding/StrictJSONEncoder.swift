/// Encodes `Encodable` types as JSON texts.
///
/// Members stand in the order in which types encode them. Floating-point numbers take their shortest form that reads back
/// as the same number; NaN and the infinities are refused. ``JSONValue``, ``JSONObject`` and ``JSONNumber`` members are
/// written as they are.
///
/// ```swift
/// let bytes = try StrictJSONEncoder().encode(confirmation)
/// let canonical = try StrictJSONEncoder().encodeValue(confirmation).canonicalized()
/// ```
public struct StrictJSONEncoder: Sendable {
    /// The layout of the text: without white space by default.
    public var format: JSONFormat
    /// The form of `[UInt8]` and `Data`: base64url by default.
    public var bytes: JSONBytesCoding
    /// The form of `Date`: seconds since 1970 by default.
    public var dates: JSONDateCoding
    /// The `userInfo` of the types' encoder.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Makes an encoder.
    public init(
        format: JSONFormat = .compact,
        bytes: JSONBytesCoding = .base64url,
        dates: JSONDateCoding = .secondsSince1970
    ) {
        self.format = format
        self.bytes = bytes
        self.dates = dates
    }

    /// Encodes a value as a JSON text in UTF-8.
    ///
    /// - Throws: ``JSONError`` with code ``JSONError/Code/nonFiniteNumber``, or ``JSONError/Code/invalidValue`` if a
    ///   type throws or encodes nothing.
    public func encode(_ value: some Encodable) throws(JSONError) -> [UInt8] {
        try encodeValue(value).encoded(format)
    }

    /// Encodes a value as a JSON value, such as to canonicalize or extend it.
    ///
    /// - Throws: ``JSONError`` with code ``JSONError/Code/nonFiniteNumber``, or ``JSONError/Code/invalidValue`` if a
    ///   type throws or encodes nothing.
    public func encodeValue(_ value: some Encodable) throws(JSONError) -> JSONValue {
        do {
            return try JSONNodeEncoder(options: self).encode(value, nil).value()
        } catch {
            throw Self.completedError(error)
        }
    }

    /// The error that leaves the encoder for one that a type or a container has thrown.
    private static func completedError(_ error: any Error) -> JSONError {
        if let error = error as? JSONError { return error }
        guard case EncodingError.invalidValue(_, let context) = error else {
            return JSONError(.invalidValue, "a type refused to be encoded", cause: error)
        }
        let components = context.codingPath.map { key in
            key.intValue.map(JSONPath.Component.index) ?? .name(key.stringValue)
        }
        let cause = context.underlyingError as? JSONError
        return JSONError(
            cause?.code ?? .invalidValue,
            cause?.message ?? context.debugDescription,
            path: JSONPath(components),
            cause: cause == nil ? error : nil
        )
    }
}
