/// Reads the items within an array or map one after the other, each as the expected type.
///
/// ```swift
/// var message = try document.root.content(ofTag: 18).cursor()
/// let protected = try message.bytes()
/// let unprotected = try message.next().map()
/// let payload = try message.bytesOrNull()
/// let signature = try message.bytes()
/// try message.finish()
/// ```
///
/// Every error has the place of the item that was not as expected. In a map, keys and values come in turns.
public struct CBORCursor: Sendable {
    /// The array or map.
    public let view: CBORView
    private var items: ItemIterator
    private var index = 0

    init(_ view: CBORView) {
        self.view = view
        items = ItemIterator(within: view)
    }

    /// Indicates that all items have been read.
    public var isAtEnd: Bool { items.isAtEnd }

    /// The next item, of any kind.
    ///
    /// - Throws: ``CBORError/Code/missingItem`` after the last one.
    public mutating func next() throws(CBORError) -> CBORView {
        guard let item = items.next() else {
            throw CBORError(.missingItem, "there is no item after the first \(index)", at: view)
        }
        index += 1
        return item
    }

    /// The next item as an integer.
    ///
    /// - Throws: ``CBORError`` as ``next()`` and ``CBORView/integer(as:)``.
    public mutating func integer<Integer: FixedWidthInteger>(
        as type: Integer.Type = Integer.self
    ) throws(CBORError) -> Integer {
        try next().integer(as: type)
    }

    /// The next item as text.
    ///
    /// - Throws: ``CBORError`` as ``next()`` and ``CBORView/text()``.
    public mutating func text() throws(CBORError) -> String { try next().text() }

    /// The next item as bytes.
    ///
    /// - Throws: ``CBORError`` as ``next()`` and ``CBORView/bytes()``.
    public mutating func bytes() throws(CBORError) -> ArraySlice<UInt8> { try next().bytes() }

    /// The next item as bytes, or nil if it is null.
    ///
    /// - Throws: ``CBORError`` as ``next()`` and ``CBORView/bytes()``.
    public mutating func bytesOrNull() throws(CBORError) -> ArraySlice<UInt8>? {
        let item = try next()
        return item.isNull ? nil : try item.bytes()
    }

    /// The next item as a Boolean.
    ///
    /// - Throws: ``CBORError`` as ``next()`` and ``CBORView/bool()``.
    public mutating func bool() throws(CBORError) -> Bool { try next().bool() }

    /// The next item as a floating-point number.
    ///
    /// - Throws: ``CBORError`` as ``next()`` and ``CBORView/double()``.
    public mutating func double() throws(CBORError) -> Double { try next().double() }

    /// The next item as a value of a type that reads itself.
    ///
    /// - Throws: As ``next()``, and the errors of the type.
    public mutating func value<Value: CBORDecodable>(_ type: Value.Type = Value.self) throws -> Value {
        try Value(cbor: next())
    }

    /// A cursor for the items within the next one.
    ///
    /// - Throws: ``CBORError`` as ``next()`` and ``CBORView/cursor()``.
    public mutating func cursor() throws(CBORError) -> CBORCursor { try next().cursor() }

    /// Makes sure that all items have been read.
    ///
    /// - Throws: ``CBORError/Code/unexpectedItem`` with the place of the first that is left.
    public func finish() throws(CBORError) {
        var rest = items
        guard let item = rest.next() else { return }
        throw CBORError(.unexpectedItem, "an item after the last one expected", at: item)
    }
}

extension CBORView {
    /// A cursor before the first item within an array or map.
    ///
    /// - Throws: ``CBORError/Code/typeMismatch`` for other kinds.
    public func cursor() throws(CBORError) -> CBORCursor {
        guard kind == .array || kind == .map else { throw .typeMismatch(expected: "array or map", at: self) }
        return CBORCursor(self)
    }
}
