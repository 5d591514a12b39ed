/// Encodes `Encodable` types as CBOR.
///
/// ```swift
/// let bytes = try CBOREncoder().encode(response)
/// ```
///
/// `[UInt8]`, Foundation's `Data` and every other collection of bytes that can be built up become byte strings; dates are
/// written as ``CBORDateForm`` says; a type that is ``CBOREncodable`` writes itself. To write tags, bytes or values as they
/// are, give a property the type ``CBORTagged``, ``EncodedCBOR`` or ``CBOR``.
public struct CBOREncoder: Sendable {
    /// The options for writing values.
    ///
    /// Items that types write themselves are copied unchanged, whatever the order of their keys.
    public var encodingOptions = CBOREncodingOptions.preferred
    /// The form of the keys.
    public var keys = CBORKeyForm.integersWhereGiven
    /// The form of dates.
    public var dates = CBORDateForm.dateTime
    /// The `userInfo` of the types' encoder.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// An encoder with the default options.
    public init() {}

    /// Encodes a value as one item.
    ///
    /// - Throws: `EncodingError` if a value writes nothing or a date cannot be written in its form. Errors of the type
    ///   itself are rethrown.
    public func encode(_ value: some Encodable) throws -> [UInt8] {
        let session = EncodingSession(self)
        let item = try session.encode(value, codingPath: CodingPath())
        var output = OutputBuffer()
        item.append(to: &output, encodingOptions)
        return output.array()
    }
}
