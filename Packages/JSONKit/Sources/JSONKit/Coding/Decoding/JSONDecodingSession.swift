/// One call of a decoder: the tape, the options, and which names have been asked for.
final class JSONDecodingSession {
    let tape: JSONTape
    let decoder: StrictJSONDecoder
    /// The objects that were opened and the requested names, by item, where unknown members are refused.
    var openedObjects: Set<Int> = []
    var askedNames: Set<Int> = []
    /// The first name that Swift's `String` takes for another one of its object.
    var foldedName: Int?

    init(tape: JSONTape, decoder: StrictJSONDecoder) {
        self.tape = tape
        self.decoder = decoder
    }

    func view(at index: Int) -> JSONView { JSONView(tape: tape, index: index) }

    func isNull(at index: Int) -> Bool { tape[index].kind == .null }

    func bool(at index: Int) throws -> Bool {
        try read(Bool.self, at: index) { view throws(JSONError) in try view.bool() }
    }

    func string(at index: Int) throws -> String {
        try read(String.self, at: index) { view throws(JSONError) in try view.string() }
    }

    func integer<Integer: FixedWidthInteger>(at index: Int) throws -> Integer {
        try read(Integer.self, at: index) { view throws(JSONError) in try view.integer() }
    }

    func floatingPoint<Value: JSONFloatingPoint>(at index: Int) throws -> Value {
        try read(Value.self, at: index) { view throws(JSONError) in try view.floatingPoint() }
    }

    /// Decodes any type: those that have a form of their own here, and the rest by their initialisers.
    func decode<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        if let form = try decodeOwnForm(type, at: index), let value = form as? Value { return value }
        return try Value(from: JSONValueDecoder(session: self, index: index))
    }

    /// Common types, which take a short cut, and bytes and dates; nil for all others.
    private func decodeOwnForm(_ type: Any.Type, at index: Int) throws -> Any? {
        if type == String.self { return try string(at: index) }
        if type == Int.self { return try integer(at: index) as Int }
        if type == Double.self { return try floatingPoint(at: index) as Double }
        if type == [UInt8].self, let base64 = decoder.bytes.base64 { return try bytes(at: index, base64) }
        return try decodeFoundationType(type, at: index)
    }

    func bytes(at index: Int, _ base64: JSONBase64) throws -> [UInt8] {
        try read([UInt8].self, at: index) { view throws(JSONError) in
            let text = try view.stringBytes()
            do throws(JSONError) {
                return try base64.decode(text)
            } catch {
                throw JSONError(error.code, error.message, at: view)
            }
        }
    }

    /// Reads a value; errors come out as `Codable` prescribes, with the cause inside.
    func read<Value>(
        _ type: Any.Type,
        at index: Int,
        _ body: (JSONView) throws(JSONError) -> Value
    ) throws -> Value {
        do throws(JSONError) {
            return try body(view(at: index))
        } catch {
            throw decodingError(error, asking: type, at: index)
        }
    }

    private func decodingError(_ error: JSONError, asking type: Any.Type, at index: Int) -> DecodingError {
        let context = context(of: error, at: index)
        guard error.code == .typeMismatch else { return .dataCorrupted(context) }
        return isNull(at: index) ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// The context of a `DecodingError` for an error at a value.
    func context(of error: JSONError, at index: Int) -> DecodingError.Context {
        DecodingError.Context(
            codingPath: codingPath(to: index),
            debugDescription: error.message,
            underlyingError: error
        )
    }

    func codingPath(to index: Int) -> [any CodingKey] {
        tape.path(to: index).components.map(JSONCodingKey.init)
    }
}
