/// One value of a ``JSONDocument``, which costs nothing until it is read.
///
/// A view keeps its document alive. Every reading that the value is not fit for throws a ``JSONError`` that names the
/// value's path and offset.
public struct JSONView: Sendable {
    let tape: JSONTape
    let index: Int

    var item: JSONTapeItem { tape[index] }

    /// The kind of value.
    public var kind: JSONKind { item.kind.publicKind }

    /// The value as received, without white space around it: what a signature or digest over it covers.
    public var bytes: ArraySlice<UInt8> { tape.bytes(in: item.range) }

    /// The offset of the value in the document, in bytes.
    public var offset: Int { Int(item.start) }

    /// The names and indices that lead to the value from the root.
    public var path: JSONPath { tape.path(to: index) }

    /// Indicates that the value is `null`.
    public var isNull: Bool { item.kind == .null }

    /// The truth value.
    ///
    /// - Throws: ``JSONError/Code/typeMismatch`` for anything but `true` and `false`.
    public func bool() throws(JSONError) -> Bool {
        switch item.kind {
        case .true: return true
        case .false: return false
        default: throw .typeMismatch(expected: .boolean, at: self)
        }
    }

    /// The text of a string, its escapes decoded.
    ///
    /// - Throws: ``JSONError/Code/typeMismatch`` for anything but a string.
    public func string() throws(JSONError) -> String {
        guard kind == .string else { throw .typeMismatch(expected: .string, at: self) }
        return tape.decodedString(at: index)
    }

    /// The UTF-8 bytes of a string: a view into the document unless the string has escapes.
    ///
    /// - Throws: ``JSONError/Code/typeMismatch`` for anything but a string.
    public func stringBytes() throws(JSONError) -> ArraySlice<UInt8> {
        guard let bytes = tape.stringBytes(at: index) else { throw .typeMismatch(expected: .string, at: self) }
        return bytes
    }

    /// The number as written.
    ///
    /// - Throws: ``JSONError/Code/typeMismatch`` for anything but a number.
    public func number() throws(JSONError) -> JSONNumber {
        guard kind == .number else { throw .typeMismatch(expected: .number, at: self) }
        return JSONNumber(valid: tape.string(in: item.range))
    }

    /// The number as an integer, exactly: `12`, `12.0` and `1.2e1` are the same.
    ///
    /// - Throws: ``JSONError`` with code ``JSONError/Code/typeMismatch`` for anything but a number,
    ///   ``JSONError/Code/numberNotExact`` for one with a fraction, ``JSONError/Code/numberOutOfRange`` for one that
    ///   the type cannot hold.
    public func integer<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) throws(JSONError) -> Integer {
        guard kind == .number else { throw .typeMismatch(expected: .number, at: self) }
        let result = tape.withText { JSONDecimal.integer(of: $0.extracting(item.range)) as Result<Integer, _> }
        do throws(JSONNumberFailure) {
            return try result.get()
        } catch {
            throw failure(error, asking: type)
        }
    }

    /// The number as a `Double`, under the rules of ``JSONNumber/double()``.
    ///
    /// - Throws: ``JSONError`` with code ``JSONError/Code/typeMismatch`` for anything but a number,
    ///   ``JSONError/Code/numberOutOfRange`` or ``JSONError/Code/numberNotExact``.
    public func double() throws(JSONError) -> Double {
        try floatingPoint()
    }

    /// The number as a floating-point type, under the rules of ``JSONNumber/double()``.
    func floatingPoint<Value: JSONFloatingPoint>(as type: Value.Type = Value.self) throws(JSONError) -> Value {
        let number = try number()
        do throws(JSONNumberFailure) {
            return try Value(exact: number)
        } catch {
            throw failure(error, asking: type)
        }
    }

    private func failure(_ failure: JSONNumberFailure, asking type: Any.Type) -> JSONError {
        failure.error(tape.string(in: item.range), asking: type, offset: offset, path: path)
    }

    /// The value as an array, to go through its elements.
    ///
    /// - Throws: ``JSONError/Code/typeMismatch`` for anything but an array.
    public func array() throws(JSONError) -> JSONArrayView {
        guard kind == .array else { throw .typeMismatch(expected: .array, at: self) }
        return JSONArrayView(view: self)
    }

    /// The value as an object, to go through its members or look them up.
    ///
    /// - Throws: ``JSONError/Code/typeMismatch`` for anything but an object.
    public func object() throws(JSONError) -> JSONObjectView {
        guard kind == .object else { throw .typeMismatch(expected: .object, at: self) }
        return JSONObjectView(view: self)
    }

    /// The value of the member with this name; nil if absent, or if this is not an object.
    public subscript(name: String) -> JSONView? {
        kind == .object ? JSONObjectView(view: self)[name] : nil
    }

    /// The element at this index, counted from 0; nil if absent, or if this is not an array.
    public subscript(index: Int) -> JSONView? {
        kind == .array ? JSONArrayView(view: self)[index] : nil
    }
}

extension JSONTapeItem.Kind {
    var publicKind: JSONKind {
        switch self {
        case .object: .object
        case .array: .array
        case .string, .escapedString, .name, .escapedName: .string
        case .integer, .number: .number
        case .true, .false: .boolean
        case .null: .null
        }
    }
}
