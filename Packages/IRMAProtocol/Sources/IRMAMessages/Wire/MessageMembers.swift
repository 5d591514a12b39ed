import IdemixCore
import JSONKit

/// The members of an object, found as the Go implementation finds them: `null` is absence, letter case does not count.
struct MessageMembers {
    private let object: JSONObject

    /// The largest number of members of a message, unknown ones among them.
    static let maximumCount = 1024

    init(_ json: JSONValue) throws(IRMAError) {
        guard let object = json.objectValue else { throw .unexpected(json, "an object") }
        guard object.count <= Self.maximumCount else {
            throw IRMAError(.limitExceeded, "more than \(Self.maximumCount) members")
        }
        self.object = object
    }

    /// The value of a member, or nil for `null` and absence.
    ///
    /// - Throws: ``IRMAError/Code/malformed`` for a member that is there in two letter cases.
    func value(_ name: String) throws(IRMAError) -> JSONValue? {
        // Not `nil`, which can be a literal of the JSON value `null`.
        var found = JSONValue?.none
        for (other, value) in object where other.differsInCaseAlone(from: name) {
            guard case .none = found else {
                throw IRMAError(.malformed, "the member occurs in more than one letter case", path: [name])
            }
            found = .some(value)
        }
        guard let value = found, !value.isNull else { return .none }
        return value
    }

    /// Reads a member, or returns nil for `null` and absence.
    func optional<Value>(
        _ name: String,
        _ read: (JSONValue) throws(IRMAError) -> Value
    ) throws(IRMAError) -> Value? {
        guard let value = try value(name) else { return nil }
        do throws(IRMAError) { return try read(value) } catch { throw error.inside(name) }
    }

    /// Reads a required member.
    func required<Value>(
        _ name: String,
        _ read: (JSONValue) throws(IRMAError) -> Value
    ) throws(IRMAError) -> Value {
        guard let value = try optional(name, read) else {
            throw IRMAError(.malformed, "the member is missing", path: [name])
        }
        return value
    }

    func message<Message: IRMAMessage>(
        _ name: String,
        as type: Message.Type = Message.self
    ) throws(IRMAError)
        -> Message?
    {
        try optional(name) { json throws(IRMAError) in try Message(json: json) }
    }

    func requiredMessage<Message: IRMAMessage>(
        _ name: String,
        as type: Message.Type = Message.self
    ) throws(IRMAError) -> Message {
        try required(name) { json throws(IRMAError) in try Message(json: json) }
    }

    /// The value of a member that IdemixCore reads.
    func idemix<Value: IdemixJSON>(_ name: String, as type: Value.Type = Value.self) throws(IRMAError) -> Value? {
        try optional(name) { json throws(IRMAError) in try Value(idemix: json) }
    }

    func requiredIdemix<Value: IdemixJSON>(_ name: String, as type: Value.Type = Value.self) throws(IRMAError) -> Value
    {
        try required(name) { json throws(IRMAError) in try Value(idemix: json) }
    }

    func text(_ name: String) throws(IRMAError) -> String? {
        try optional(name) { json throws(IRMAError) in try json.text() }
    }

    /// A number above zero; zero is absent, as the reference reads it.
    func positiveNumber(_ name: String) throws(IRMAError) -> UInt64? {
        try number(name).flatMap { $0 == 0 ? nil : $0 }
    }

    /// A text; an empty one is absent, as the reference reads it.
    func nonEmptyText(_ name: String) throws(IRMAError) -> String? {
        try text(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    func requiredText(_ name: String) throws(IRMAError) -> String {
        try required(name) { json throws(IRMAError) in try json.text() }
    }

    /// A Boolean; absence is false.
    func flag(_ name: String) throws(IRMAError) -> Bool {
        try optional(name) { json throws(IRMAError) in
            guard let value = json.boolValue else { throw .unexpected(json, "a Boolean") }
            return value
        } ?? false
    }

    func number<Number: FixedWidthInteger>(_ name: String) throws(IRMAError) -> Number? {
        try optional(name) { json throws(IRMAError) in try json.number() }
    }

    /// The elements of an array, or nil for `null` and absence.
    func list<Value>(
        _ name: String,
        _ read: (JSONValue) throws(IRMAError) -> Value
    ) throws(IRMAError) -> [Value]? {
        try optional(name) { json throws(IRMAError) in try json.elements(read) }
    }

    /// The members of an object by their names, or nil for `null` and absence.
    ///
    /// - Throws: ``IRMAError/Code/limitExceeded`` for more members than `limit`, before any is read.
    func map<Key: Hashable, Value>(
        _ name: String,
        atMost limit: Int = .max,
        key: (String) throws(IRMAError) -> Key,
        _ read: (JSONValue) throws(IRMAError) -> Value
    ) throws(IRMAError) -> [Key: Value]? {
        try optional(name) { json throws(IRMAError) -> [Key: Value] in
            guard json.objectValue?.count ?? 0 <= limit else {
                throw IRMAError(.limitExceeded, "more than \(limit) members")
            }
            return try json.map(key: key, read)
        }
    }
}

extension IdemixJSON {
    /// Reads a value of IdemixCore, and turns its error into one of this module.
    init(idemix json: JSONValue) throws(IRMAError) {
        do throws(IdemixError) {
            try self.init(json: json)
        } catch {
            throw IRMAError(.malformed, error.message, path: error.path, cause: error)
        }
    }
}

extension IRMAError {
    /// The error for a value of another kind.
    static func unexpected(_ json: JSONValue, _ expected: String) -> IRMAError {
        IRMAError(.malformed, "\(json.kind) where \(expected) was expected")
    }
}

extension JSONValue {
    /// The text of a string.
    func text() throws(IRMAError) -> String {
        guard let text = stringValue else { throw .unexpected(self, "a string") }
        return text
    }

    /// The text of a string, or nil for `null`.
    func optionalText() throws(IRMAError) -> String? { isNull ? nil : try text() }

    /// The exact integer of a number.
    func number<Number: FixedWidthInteger>() throws(IRMAError) -> Number {
        guard let number = numberValue else { throw .unexpected(self, "a number") }
        do {
            return try number.integer(as: Number.self)
        } catch {
            throw IRMAError(.malformed, "the number does not fit", cause: error)
        }
    }

    /// The largest number of characters of a key, a signature, a hash or a challenge in base64.
    static var maximumBase64Size: Int { 8192 }

    /// The bytes of a string in base64, of at most ``maximumBase64Size`` characters.
    func base64() throws(IRMAError) -> [UInt8] {
        let text = try text()
        guard text.utf8.count <= Self.maximumBase64Size else {
            throw IRMAError(.limitExceeded, "more than \(Self.maximumBase64Size) characters of base64")
        }
        do {
            return try JSONBase64.base64.decode(text)
        } catch {
            throw IRMAError(.malformed, "the text is not base64", cause: error)
        }
    }

    /// The elements of an array; none for `null`.
    func elements<Value>(_ read: (JSONValue) throws(IRMAError) -> Value) throws(IRMAError) -> [Value] {
        guard !isNull else { return [] }
        guard let elements = arrayValue else { throw .unexpected(self, "an array") }
        var values: [Value] = []
        values.reserveCapacity(elements.count)
        for (position, element) in elements.enumerated() {
            do throws(IRMAError) { values.append(try read(element)) } catch { throw error.inside("[\(position)]") }
        }
        return values
    }

    /// The members of an object by their names; names of a message's own are compared as written.
    func map<Key: Hashable, Value>(
        key: (String) throws(IRMAError) -> Key,
        _ read: (JSONValue) throws(IRMAError) -> Value
    ) throws(IRMAError) -> [Key: Value] {
        guard let object = objectValue else { throw .unexpected(self, "an object") }
        var values: [Key: Value] = [:]
        for (name, value) in object {
            do throws(IRMAError) { values[try key(name)] = try read(value) } catch { throw error.inside(name) }
        }
        return values
    }

    /// The index or counter that the name of a member is, in its shortest decimal form.
    static func index<Index: FixedWidthInteger>(_ name: String) throws(IRMAError) -> Index {
        guard let index = Index(name), String(index) == name, index >= 0 else {
            throw IRMAError(.malformed, "the name is no index")
        }
        return index
    }
}

extension String {
    /// Returns `true` for a text that differs from another at most in the case of letters of ASCII.
    func differsInCaseAlone(from other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return zip(utf8, other.utf8).allSatisfy { left, right in
            left == right || left ^ right == 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(left | 0x20)
        }
    }

    /// The text with its letters of ASCII in lower case.
    var foldedASCII: String {
        func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
        guard utf8.contains(where: isUpper) else { return self }
        return String(decoding: utf8.map { isUpper($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
