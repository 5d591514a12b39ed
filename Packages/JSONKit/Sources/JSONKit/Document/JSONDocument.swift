/// A JSON text that has been checked and indexed, and is kept as received.
///
/// Making one is the only pass over the bytes; it accepts exactly the texts of RFC 8259 in UTF-8 whose objects have
/// distinct names, within the limits. Values are then read from it through ``root``, as needed:
///
/// ```swift
/// let document = try JSONDocument(bytes)
/// let audience = try document.root.object().required("aud").string()
/// ```
public struct JSONDocument: Sendable {
    let tape: JSONTape

    init(tape: JSONTape) {
        self.tape = tape
    }

    /// Checks and indexes a text, of which the document keeps the array.
    ///
    /// - Throws: ``JSONError`` with a code of syntax or limits, the offset and the path.
    public init(_ bytes: [UInt8], limits: JSONLimits = .default) throws(JSONError) {
        try self.init(bytes[...], limits: limits)
    }

    /// Checks and indexes a part of a larger array, which the document keeps; offsets count from the part's start.
    ///
    /// - Throws: ``JSONError`` with a code of syntax or limits, the offset and the path.
    public init(_ bytes: ArraySlice<UInt8>, limits: JSONLimits = .default) throws(JSONError) {
        tape = try JSONTape(bytes, limits: limits)
    }

    /// Checks and indexes a copy of bytes that are stored in some other way.
    ///
    /// - Throws: ``JSONError`` with a code of syntax or limits, the offset and the path.
    public init(_ bytes: some Collection<UInt8>, limits: JSONLimits = .default) throws(JSONError) {
        try self.init(Array(bytes), limits: limits)
    }

    /// Checks and indexes a text that is a string already.
    ///
    /// - Throws: ``JSONError`` with a code of syntax or limits, the offset and the path.
    public init(_ text: some StringProtocol, limits: JSONLimits = .default) throws(JSONError) {
        try self.init(Array(text.utf8), limits: limits)
    }

    /// The value that the text consists of.
    public var root: JSONView { JSONView(tape: tape, index: 0) }

    /// The whole text as received, white space around the value included.
    public var bytes: ArraySlice<UInt8> { tape.text }
}
