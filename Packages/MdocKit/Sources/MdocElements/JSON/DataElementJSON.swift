import CBORKit
import JSONKit
import MdocKit

/// Turns one CBOR item into JSON, level by level without calling itself.
struct DataElementJSON {
    /// A remaining step; the last step comes first.
    private enum Step {
        case convert(CBOR, CBORExpectedEncoding?)
        case closeArray(count: Int)
        case closeMap(names: [String])
    }

    private let base64: JSONBase64
    private var steps: [Step] = []
    private var values: [JSONValue] = []

    /// Byte strings are written in the given encoding.
    init(_ base64: JSONBase64) {
        self.base64 = base64
    }

    /// The item in JSON.
    mutating func convert(_ item: CBOR) -> JSONValue {
        steps = [.convert(item, nil)]
        values = []
        while let step = steps.popLast() {
            switch step {
            case .convert(let item, let encoding): convert(item, encoding)
            case .closeArray(let count): values.append(.array(taken(count)))
            case .closeMap(let names):
                let members = zip(names, taken(names.count)).map { (name: $0, value: $1) }
                values.append(.object(JSONObject(members)))
            }
        }
        return values.last ?? .null
    }

    private mutating func convert(_ item: CBOR, _ encoding: CBORExpectedEncoding?) {
        switch item {
        case .unsigned(let number): values.append(.integer(number))
        case .negative(let argument): values.append(.integer(-1 - Int128(argument)))
        case .bytes(let bytes): values.append(.string(text(bytes, encoding)))
        case .text(let text): values.append(.string(text))
        case .simple(let simple): values.append(simple == .true ? true : simple == .false ? false : .null)
        case .float(let float): values.append((try? JSONNumber(float.value)).map(JSONValue.number) ?? .null)
        case .formed(_, let inner): steps.append(.convert(inner, encoding))
        case .tagged(let tag, let content): convert(tag, content, encoding)
        case .array(let elements):
            steps.append(.closeArray(count: elements.count))
            for element in elements.reversed() { steps.append(.convert(element, encoding)) }
        case .map(let map):
            steps.append(.closeMap(names: Self.names(map)))
            for pair in map.reversed() { steps.append(.convert(pair.value, encoding)) }
        }
    }

    private mutating func convert(_ tag: UInt64, _ content: CBOR, _ encoding: CBORExpectedEncoding?) {
        switch (tag, content.unformed) {
        case (CBORTag.unsignedBignum, .bytes(let bytes)):
            values.append(number(CBORBigInteger(isNegative: false, argument: bytes)))
        case (CBORTag.negativeBignum, .bytes(let bytes)):
            values.append(number(CBORBigInteger(isNegative: true, argument: bytes)))
        case (CBORTag.epochDate, let days):
            let date = days.integerValue.flatMap(Int32.init(exactly:)).map(CBORDate.init(daysSinceEpoch:))
            guard let date else { return steps.append(.convert(content, encoding)) }
            values.append(.string(date.description))
        default:
            steps.append(.convert(content, CBORExpectedEncoding(rawValue: tag) ?? encoding))
        }
    }

    /// A number, or as RFC 8949 has it for those beyond 128 bits, its bytes with a tilde in front of negative ones.
    private func number(_ number: CBORBigInteger) -> JSONValue {
        if let integer = number.integer(as: Int128.self) { return .integer(integer) }
        return .string((number.isNegative ? "~" : "") + JSONBase64.base64url.encode(number.argument))
    }

    private func text(_ bytes: [UInt8], _ encoding: CBORExpectedEncoding?) -> String {
        encoding?.text(for: bytes) ?? base64.encode(bytes)
    }

    private mutating func taken(_ count: Int) -> [JSONValue] {
        let taken = Array(values.suffix(count))
        values.removeLast(taken.count)
        return taken
    }

    /// A name for every key; where two keys would have the same, all stand in diagnostic notation.
    private static func names(_ map: CBORMap) -> [String] {
        let names = map.map { name($0.key) }
        guard Set(names.map { Array($0.utf8) }).count == names.count else {
            return map.map { $0.key.diagnosticNotation() }
        }
        return names
    }

    private static func name(_ key: CBOR) -> String {
        switch key.unformed {
        case .text(let text): text
        case .unsigned(let number): "\(number)"
        case .negative(let argument): "\(-1 - Int128(argument))"
        default: key.diagnosticNotation()
        }
    }
}
