/// The place of a value in a ``JSONDocument``: a number, which costs nothing to copy.
///
/// A ``JSONView`` keeps its document alive, and every copy of it is counted. Code that holds a document anyway, and reads
/// many small values, does without the counting:
///
/// ```swift
/// var position = document.firstElement(of: document.rootPosition)
/// while let element = position {
///     read(document.range(at: element))
///     position = document.element(after: element, in: document.rootPosition)
/// }
/// ```
@_spi(Layers) public struct JSONPosition: Hashable, Sendable {
    // No text has more values and names than this holds.
    private let item: UInt32

    init(index: Int) {
        item = UInt32(truncatingIfNeeded: index)
    }

    var index: Int { Int(item) }
}

@_spi(Layers) extension JSONPosition: Comparable {
    /// Returns `true` if a value comes before another one in the text; a container comes before its content.
    public static func < (one: JSONPosition, other: JSONPosition) -> Bool { one.index < other.index }
}

extension JSONView {
    /// The position of the value in its document.
    @_spi(Layers) public var position: JSONPosition { JSONPosition(index: index) }

    /// The document that the value is of.
    public var document: JSONDocument { JSONDocument(tape: tape) }
}

// A position that is handed in must be one of the document's own.
extension JSONDocument {
    /// The position of the value that the text consists of.
    @_spi(Layers) public var rootPosition: JSONPosition { JSONPosition(index: 0) }

    /// The value at a position.
    @_spi(Layers) public func view(at position: JSONPosition) -> JSONView {
        JSONView(tape: tape, index: position.index)
    }

    /// The kind of the value at a position.
    @_spi(Layers) public func kind(at position: JSONPosition) -> JSONKind {
        tape[position.index].kind.publicKind
    }

    /// The range of the value's bytes, counted from the start of the text.
    @_spi(Layers) public func range(at position: JSONPosition) -> Range<Int> {
        tape[position.index].range
    }

    /// The value at a position where it is neither array nor object; nil if it is.
    @_spi(Layers) public func scalar(at position: JSONPosition) -> JSONValue? {
        tape.scalar(at: position.index)
    }

    /// The value at a position, owning its parts and independent of the document.
    ///
    /// - Throws: ``JSONError/Code/depthLimit`` if it is nested deeper than ``JSONValue/maximumDepth``.
    @_spi(Layers) public func value(at position: JSONPosition) throws(JSONError) -> JSONValue {
        if let scalar = tape.scalar(at: position.index) { return scalar }
        return try view(at: position).value()
    }

    /// The text of the string at a position, its escapes decoded.
    ///
    /// - Throws: ``JSONError/Code/typeMismatch`` for anything but a string.
    @_spi(Layers) public func string(at position: JSONPosition) throws(JSONError) -> String {
        guard kind(at: position) == .string else {
            throw .typeMismatch(expected: .string, at: view(at: position))
        }
        return tape.decodedString(at: position.index)
    }

    /// The range of a string's characters, counted from the start of the text; nil for a string with escapes, and for
    /// any other value.
    @_spi(Layers) public func stringRange(at position: JSONPosition) -> Range<Int>? {
        let item = tape[position.index]
        return item.kind == .string ? item.textRange : nil
    }

    /// The UTF-8 bytes of the string at a position: a part of the text unless the string has escapes.
    ///
    /// - Throws: ``JSONError/Code/typeMismatch`` for anything but a string.
    @_spi(Layers) public func stringBytes(at position: JSONPosition) throws(JSONError) -> ArraySlice<UInt8> {
        guard let bytes = tape.stringBytes(at: position.index) else {
            throw .typeMismatch(expected: .string, at: view(at: position))
        }
        return bytes
    }

    /// The first element of the array at a position; nil for an array without elements, and for anything but an array.
    @_spi(Layers) public func firstElement(of array: JSONPosition) -> JSONPosition? {
        let item = tape[array.index]
        return item.kind == .array && item.count > 0 ? JSONPosition(index: array.index + 1) : nil
    }

    /// The element of an array after another one; nil after the last.
    @_spi(Layers) public func element(after element: JSONPosition, in array: JSONPosition) -> JSONPosition? {
        let next = tape[element.index].next
        return next < tape[array.index].next ? JSONPosition(index: Int(next)) : nil
    }
}
