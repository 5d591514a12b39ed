import CBORKit
import JSONKit
import MdocKit

/// Turns JSON into CBOR without a table, level by level without calling itself.
struct PlainMapping {
    /// A remaining step; the last step comes first.
    private enum Step {
        case convert(JSONValue, name: String, CBORPath)
        case closeArray(count: Int)
        case closeMap(names: [String])
    }

    private var steps: [Step] = []
    private var values: [CBOR] = []

    /// The value in CBOR.
    mutating func convert(_ json: JSONValue, named name: String, _ path: CBORPath) throws(MdocError) -> CBOR {
        steps = [.convert(json, name: name, path)]
        values = []
        while let step = steps.popLast() {
            switch step {
            case .convert(let json, let name, let path): try convert(json, name, path)
            case .closeArray(let count): values.append(.array(taken(count)))
            case .closeMap(let names):
                let pairs = zip(names, taken(names.count)).map { CBORMap.Pair(key: .text($0), value: $1) }
                values.append(.map(CBORMap(pairs)))
            }
        }
        return values.last ?? .null
    }

    private mutating func convert(_ json: JSONValue, _ name: String, _ path: CBORPath) throws(MdocError) {
        switch json {
        case .null: values.append(.null)
        case .bool(let flag): values.append(.bool(flag))
        case .string(let text): values.append(name.hasSuffix("_date") ? Self.date(text) : .text(text))
        case .number(let number): values.append(try Self.number(number, path))
        case .array(let elements):
            steps.append(.closeArray(count: elements.count))
            for (index, element) in elements.enumerated().reversed() {
                steps.append(.convert(element, name: name, path + CBORPath([.index(index)])))
            }
        case .object(let members):
            if let bytes = try JSONBytes.explicit(members, path) { return values.append(.bytes(bytes)) }
            steps.append(.closeMap(names: members.names))
            for (name, value) in members.reversed() {
                steps.append(.convert(value, name: name, path + CBORPath([.key(name)])))
            }
        }
    }

    private mutating func taken(_ count: Int) -> [CBOR] {
        let taken = Array(values.suffix(count))
        values.removeLast(taken.count)
        return taken
    }

    private static func number(_ number: JSONNumber, _ path: CBORPath) throws(MdocError) -> CBOR {
        if let integer = try? number.integer(as: Int128.self) { return .integer(integer) }
        do {
            return .double(try number.double())
        } catch {
            throw MdocError(.invalidValue, "the number \(number) cannot be written", path: path, cause: error)
        }
    }

    private static func date(_ text: String) -> CBOR {
        if let day = FullDate(text) { return day.dataElement() }
        return CBORDateTime(tdate: text).map { .dateTime($0) } ?? .text(text)
    }
}
