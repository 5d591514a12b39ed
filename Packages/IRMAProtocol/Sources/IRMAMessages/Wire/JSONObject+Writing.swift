import IdemixCore
import JSONKit

extension JSONObject {
    /// Writes a message.
    mutating func write(_ name: String, _ message: some IRMAMessage) throws(IRMAError) {
        do throws(IRMAError) { self[name] = try message.json() } catch { throw error.inside(name) }
    }

    /// Writes a message, or nothing for nil.
    mutating func write(_ name: String, ifPresent message: (some IRMAMessage)?) throws(IRMAError) {
        if let message { try write(name, message) }
    }

    /// Writes a value of IdemixCore.
    mutating func write(_ name: String, idemix value: some IdemixJSON) throws(IRMAError) {
        do throws(IdemixError) {
            self[name] = try value.json()
        } catch {
            throw IRMAError(.malformed, error.message, path: [name] + error.path, cause: error)
        }
    }

    /// Writes a value of IdemixCore, or nothing for nil.
    mutating func write(_ name: String, idemixIfPresent value: (some IdemixJSON)?) throws(IRMAError) {
        if let value { try write(name, idemix: value) }
    }

    /// Writes an array of messages.
    mutating func write(_ name: String, list messages: [some IRMAMessage]) throws(IRMAError) {
        do throws(IRMAError) { self[name] = try .list(messages) } catch { throw error.inside(name) }
    }

    /// Writes a text, or nothing for nil.
    mutating func write(_ name: String, ifPresent text: String?) {
        if let text { self[name] = .string(text) }
    }

    /// Writes a number, or nothing for nil.
    mutating func write(_ name: String, ifPresent number: (some FixedWidthInteger)?) {
        if let number { self[name] = .integer(number) }
    }

    /// Writes `true`, or nothing for false.
    mutating func write(_ name: String, flag: Bool) {
        if flag { self[name] = true }
    }
}

extension JSONValue {
    /// An array of messages.
    static func list(_ messages: [some IRMAMessage]) throws(IRMAError) -> JSONValue {
        var elements: [JSONValue] = []
        elements.reserveCapacity(messages.count)
        for (position, message) in messages.enumerated() {
            do throws(IRMAError) { elements.append(try message.json()) } catch { throw error.inside("[\(position)]") }
        }
        return .array(elements)
    }

    /// An object of values by names, in the order of the names.
    static func map<Key: Comparable, Value>(
        _ values: [Key: Value],
        name: (Key) -> String,
        _ write: (Value) throws(IRMAError) -> JSONValue
    ) throws(IRMAError) -> JSONValue {
        var object = JSONObject()
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            do throws(IRMAError) { object[name(key)] = try write(value) } catch { throw error.inside(name(key)) }
        }
        return .object(object)
    }
}
