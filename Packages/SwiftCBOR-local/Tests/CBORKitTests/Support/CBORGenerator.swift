import CBORKit
import TestSupport

/// Makes values and encodings of every kind, the same ones for the same seed.
struct CBORGenerator {
    var random: RepeatableRandomNumberGenerator

    init(seed: UInt64) {
        random = RepeatableRandomNumberGenerator(seed: seed)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    /// An argument of any of the widths, as often at a border as not.
    mutating func argument() -> UInt64 {
        let bits = number(0...64)
        let power: UInt64 = bits == 64 ? 0 : 1 << UInt64(bits)
        switch number(0...3) {
        case 0: return power
        case 1: return power &- 1
        default: return bits == 0 ? 0 : UInt64.random(in: 0...UInt64.max, using: &random) >> UInt64(64 - bits)
        }
    }

    mutating func bytes(upTo count: Int) -> [UInt8] {
        (0..<number(0...count)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    mutating func text() -> String {
        let samples: [Unicode.Scalar] = ["a", "Z", "\"", "\\", "\n", "\0", "é", "\u{301}", "水", "𐅑", "\u{10ffff}"]
        return (0..<number(0...12)).reduce(into: "") { text, _ in
            text.unicodeScalars.append(samples[number(0...samples.count - 1)])
        }
    }

    mutating func float() -> CBORFloat {
        switch number(0...3) {
        case 0: CBORFloat(halfBitPattern: UInt16.random(in: 0...UInt16.max, using: &random))
        case 1: CBORFloat(singleBitPattern: UInt32.random(in: 0...UInt32.max, using: &random))
        case 2: CBORFloat(doubleBitPattern: random.next())
        default: CBORFloat(Double(number(-1000...1000)) / 8)
        }
    }

    mutating func simple() -> CBORSimpleValue {
        CBORSimpleValue(rawValue: UInt8.random(in: 0...255, using: &random)) ?? .undefined
    }

    /// A value whose nesting is at most so deep.
    mutating func value(depth: Int = 4) -> CBOR {
        switch number(0...(depth > 0 ? 9 : 6)) {
        case 0: return .unsigned(argument())
        case 1: return .negative(argument())
        case 2: return .bytes(bytes(upTo: 40))
        case 3: return .text(text())
        case 4: return .float(float())
        case 5: return .simple(simple())
        case 6: return .bool(number(0...1) == 0)
        case 7: return .array((0..<number(0...6)).map { _ in value(depth: depth - 1) })
        case 8: return map(depth: depth)
        default: return .tagged(tag(), value(depth: depth - 1))
        }
    }

    /// Any tag but those of bignums, which preferred serialization turns into integers.
    private mutating func tag() -> UInt64 {
        let number = argument()
        return number == CBORTag.unsignedBignum || number == CBORTag.negativeBignum ? CBORTag.encodedItem : number
    }

    private mutating func map(depth: Int) -> CBOR {
        var map = CBORMap()
        for _ in 0..<number(0...6) { map[value(depth: min(depth - 1, 1))] = value(depth: depth - 1) }
        return .map(map)
    }
}

extension CBORGenerator {
    /// A well-formed encoding of the value, with widths and lengths chosen at random.
    mutating func encoding(of value: CBOR) -> [UInt8] {
        switch value.unformed {
        case .unsigned(let argument): return head(0, argument)
        case .negative(let argument): return head(1, argument)
        case .bytes(let bytes): return string(2, bytes.map { [$0] })
        case .text(let text): return string(3, text.unicodeScalars.map { Array(String($0).utf8) })
        case .array(let elements): return container(4, UInt64(elements.count), elements)
        case .map(let map): return container(5, UInt64(map.count), map.flatMap { [$0.key, $0.value] })
        case .tagged(let number, let content): return head(6, number) + encoding(of: content)
        case .float(let number): return number.encodedInItsPrecision
        case .simple, .formed: return value.encoded()
        }
    }

    private mutating func head(_ major: UInt8, _ argument: UInt64) -> [UInt8] {
        let shortest =
            argument < 24 ? 0 : argument <= 0xff ? 1 : argument <= 0xffff ? 2 : argument <= 0xffff_ffff ? 3 : 4
        let width = number(0...3) == 0 ? number(shortest...4) : shortest
        guard width > 0 else { return [major << 5 | UInt8(argument)] }
        let count = 1 << (width - 1)
        return [major << 5 | UInt8(23 + width)]
            + (0..<count).reversed().map { UInt8(truncatingIfNeeded: argument >> UInt64(8 * $0)) }
    }

    private mutating func string(_ major: UInt8, _ units: [[UInt8]]) -> [UInt8] {
        guard number(0...3) == 0 else { return head(major, UInt64(units.joined().count)) + units.joined() }
        var encoding = [major << 5 | 31]
        var rest = units[...]
        while !rest.isEmpty || number(0...3) == 0 {
            let count = number(0...5)
            let chunk = Array(rest.prefix(count).joined())
            encoding += head(major, UInt64(chunk.count)) + chunk
            rest = rest.dropFirst(count)
        }
        return encoding + [0xff]
    }

    private mutating func container(_ major: UInt8, _ count: UInt64, _ items: [CBOR]) -> [UInt8] {
        let isIndefinite = number(0...3) == 0
        let begin = isIndefinite ? [major << 5 | 31] : head(major, count)
        return items.reduce(into: begin) { $0 += encoding(of: $1) } + (isIndefinite ? [0xff] : [])
    }
}

extension CBORFloat {
    /// The number in its own format, which may be wider than needed.
    var encodedInItsPrecision: [UInt8] {
        let number = CBOR.float(self)
        // A number has no form that could fail to fit.
        return (try? FormedCBOR(building: number))?.encoded() ?? []
    }
}
