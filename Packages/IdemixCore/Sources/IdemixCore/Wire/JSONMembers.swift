import JSONKit

/// The members of an object, found as the Go implementation finds them: `null` is absence, letter case does not count.
struct JSONMembers {
    /// The largest number of values by index: one for each base of a key.
    static let maximumIndexedCount = IdemixKeyElements.maximumBases

    private let object: JSONObject

    init(_ json: JSONValue) throws(IdemixError) {
        guard let object = json.objectValue else {
            throw IdemixError(.malformedJSON, "\(json.kind) where an object was expected")
        }
        self.object = object
    }

    /// The value of a member, or nil for `null` and absence.
    ///
    /// - Throws: ``IdemixError/Code/malformedJSON`` for a member that is there in two letter cases.
    func value(_ name: String) throws(IdemixError) -> JSONValue? {
        let found = object.filter { $0.name.isEqualIgnoringCase(to: name) }
        guard found.count <= 1 else {
            throw IdemixError(.malformedJSON, "the member occurs in more than one letter case", path: [name])
        }
        guard let value = found.first?.value, !value.isNull else { return .none }
        return value
    }

    /// Reads a member, or returns nil for `null` and absence.
    func optional<Value>(
        _ name: String,
        _ read: (JSONValue) throws(IdemixError) -> Value
    ) throws(IdemixError) -> Value? {
        guard let value = try value(name) else { return nil }
        do throws(IdemixError) { return try read(value) } catch { throw error.inside(name) }
    }

    /// Reads a required member.
    func required<Value>(
        _ name: String,
        _ read: (JSONValue) throws(IdemixError) -> Value
    ) throws(IdemixError) -> Value {
        guard let value = try optional(name, read) else {
            throw IdemixError(.malformedJSON, "the member is missing", path: [name])
        }
        return value
    }

    /// The integer of a required member.
    func integer(_ name: String) throws(IdemixError) -> BigInteger {
        try required(name) { json throws(IdemixError) in try BigInteger(json: json) }
    }

    /// Values by index; none for `null` and absence.
    ///
    /// - Throws: ``IdemixError/Code/limitExceeded`` for more than ``maximumIndexedCount``, before any is read.
    func indexed<Value>(
        _ name: String,
        _ read: (JSONValue) throws(IdemixError) -> Value
    ) throws(IdemixError) -> [Int: Value] {
        try optional(name) { json throws(IdemixError) in
            guard let object = json.objectValue else {
                throw IdemixError(.malformedJSON, "\(json.kind) where an object was expected")
            }
            guard object.count <= Self.maximumIndexedCount else {
                throw IdemixError(.limitExceeded, "\(object.count) values by index, over \(Self.maximumIndexedCount)")
            }
            var values: [Int: Value] = [:]
            for (key, value) in object {
                guard let index = Int(key), String(index) == key, index >= 0 else {
                    throw IdemixError(.malformedJSON, "a name is no index", path: [key])
                }
                do throws(IdemixError) { values[index] = try read(value) } catch { throw error.inside(key) }
            }
            return values
        } ?? [:]
    }

    /// Integers by index; none for `null` and absence.
    ///
    /// - Parameters:
    ///   - name: The name of the member.
    ///   - characters: The largest number of characters of an integer in base64.
    func integers(
        _ name: String,
        characters: Int = BigInteger.maximumJSONCharacters
    ) throws(IdemixError) -> [Int: BigInteger] {
        try indexed(name) { json throws(IdemixError) in try BigInteger(json: json, characters: characters) }
    }

    /// The elements of an array; none for `null` and absence.
    func list<Value>(
        _ name: String,
        _ read: (JSONValue) throws(IdemixError) -> Value
    ) throws(IdemixError) -> [Value] {
        try optional(name) { json throws(IdemixError) in try json.list(read) } ?? []
    }

    /// A machine integer that must be present.
    func number<Number: FixedWidthInteger>(_ name: String) throws(IdemixError) -> Number {
        try required(name) { json throws(IdemixError) in
            guard let number = json.numberValue else {
                throw IdemixError(.malformedJSON, "\(json.kind) where a number was expected")
            }
            do {
                return try number.integer(as: Number.self)
            } catch {
                throw IdemixError(.invalidNumber, "the number does not fit", cause: error)
            }
        }
    }
}

extension JSONValue {
    /// The elements of an array; none for `null`.
    func list<Value>(_ read: (JSONValue) throws(IdemixError) -> Value) throws(IdemixError) -> [Value] {
        guard !isNull else { return [] }
        guard let elements = arrayValue else {
            throw IdemixError(.malformedJSON, "\(kind) where an array was expected")
        }
        var values: [Value] = []
        for (position, element) in elements.enumerated() {
            do throws(IdemixError) { values.append(try read(element)) } catch { throw error.inside("[\(position)]") }
        }
        return values
    }

    /// The text of a string.
    func text() throws(IdemixError) -> String {
        guard let text = stringValue else {
            throw IdemixError(.malformedJSON, "\(kind) where a string was expected")
        }
        return text
    }

    /// The bytes of a string in base64.
    func base64() throws(IdemixError) -> [UInt8] {
        do {
            return try JSONBase64.base64.decode(try text())
        } catch let error as IdemixError {
            throw error
        } catch {
            throw IdemixError(.malformedJSON, "the text is not base64", cause: error)
        }
    }
}

extension JSONObject {
    /// Writes a member.
    mutating func write(_ name: String, _ value: some IdemixJSON) throws(IdemixError) {
        do throws(IdemixError) { self[name] = try value.json() } catch { throw error.inside(name) }
    }

    /// Writes a member, or nothing for nil.
    mutating func write(_ name: String, ifPresent value: (some IdemixJSON)?) throws(IdemixError) {
        if let value { try write(name, value) }
    }

    /// Writes an array.
    mutating func write(_ name: String, list values: [some IdemixJSON]) throws(IdemixError) {
        do throws(IdemixError) { self[name] = try values.json() } catch { throw error.inside(name) }
    }

    /// Writes values by index, the smallest first.
    mutating func write(_ name: String, indexed values: [Int: some IdemixJSON]) throws(IdemixError) {
        var object = JSONObject()
        for (index, value) in values.sorted(by: { $0.key < $1.key }) {
            do throws(IdemixError) { try object.write(String(index), value) } catch { throw error.inside(name) }
        }
        self[name] = .object(object)
    }
}

extension String {
    /// Compares two names, of which one is in ASCII, without regard to the letter case.
    fileprivate func isEqualIgnoringCase(to name: String) -> Bool {
        func folded(_ byte: UInt8) -> UInt8 {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
        return utf8.count == name.utf8.count && zip(utf8, name.utf8).allSatisfy { folded($0) == folded($1) }
    }
}
