/// Decodes `Decodable` types from JSON texts, straight from the index and as strictly as they are read.
///
/// ```swift
/// struct Confirmation: Decodable {
///     var kid: String
///     var iat: Int
/// }
/// let confirmation = try StrictJSONDecoder().decode(Confirmation.self, from: bytes)
/// ```
///
/// Numbers are never changed: an integer type takes a number of exactly that value (`12`, `12.0` and `1.2e1` alike), a
/// floating-point type the nearest value, but no integer that it cannot hold (see ``JSONNumber/double()``). Strings
/// are never taken for numbers nor numbers for truth values. Names are compared byte for byte; two that a
/// `Dictionary` would take for one are refused there. Members of the types ``JSONValue``, ``JSONObject`` and
/// ``JSONNumber`` keep what is written, and those of ``JSONView`` the bytes, too.
///
/// While it decodes, types see `DecodingError`, as `Codable` prescribes. The error that the decoder throws is a
/// ``JSONError`` with the path and offset of the value at fault.
public struct StrictJSONDecoder: Sendable {
    /// The treatment of members that the decoded type does not have.
    public enum UnknownMembers: Sendable {
        /// They are skipped.
        case ignore
        /// They are an error with the code ``JSONError/Code/unknownMember``.
        case refuse
    }

    /// The limits for a text.
    ///
    /// Beyond ``JSONValue/maximumDepth`` nothing is decoded, whatever the depth here.
    public var limits: JSONLimits
    /// The treatment of members that the decoded type does not have: ignored by default.
    public var unknownMembers: UnknownMembers
    /// The form of `[UInt8]` and `Data`: base64url by default.
    public var bytes: JSONBytesCoding
    /// The form of `Date`: seconds since 1970 by default.
    public var dates: JSONDateCoding
    /// The `userInfo` of the types' decoder.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Makes a decoder.
    public init(
        limits: JSONLimits = .default,
        unknownMembers: UnknownMembers = .ignore,
        bytes: JSONBytesCoding = .base64url,
        dates: JSONDateCoding = .secondsSince1970
    ) {
        self.limits = limits
        self.unknownMembers = unknownMembers
        self.bytes = bytes
        self.dates = dates
    }

    /// Decodes a type from a JSON text.
    ///
    /// - Throws: ``JSONError`` of any kind.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        from bytes: some Collection<UInt8>
    ) throws(JSONError) -> Value {
        try decode(type, from: JSONDocument(bytes, limits: limits).root)
    }

    /// Decodes a type from a JSON text.
    ///
    /// - Throws: ``JSONError`` of any kind.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        from text: some StringProtocol
    ) throws(JSONError) -> Value {
        try decode(type, from: JSONDocument(text, limits: limits).root)
    }

    /// Decodes a type from a value, which need not be the root of its document.
    ///
    /// - Throws: ``JSONError`` of the kinds that concern values; paths and offsets are those of the document.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        from view: JSONView
    ) throws(JSONError) -> Value {
        try view.tape.refuseDepth(beyond: limits.forOwnedValues.depth, at: view.index)
        let session = JSONDecodingSession(tape: view.tape, decoder: self)
        do {
            let value = try session.decode(type, at: view.index)
            try session.refuseLostMembers()
            return value
        } catch {
            throw session.completedError(error)
        }
    }

    /// Decodes a type from a value without a text of its own; offsets of errors count in its compact text.
    ///
    /// - Throws: ``JSONError`` of any kind.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        from value: JSONValue
    ) throws(JSONError) -> Value {
        try decode(type, from: value.encoded())
    }
}
