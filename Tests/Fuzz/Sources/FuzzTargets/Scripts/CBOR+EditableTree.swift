import CBORKit

/// The parts of a CBOR item; the part of a byte string with CBOR in it is that CBOR.
extension CBOR: EditableTree {
    var children: [CBOR] {
        switch self {
        case .array(let elements): elements
        case .map(let map): map.pairs.flatMap { [$0.key, $0.value] }
        case .tagged(_, let content): [content]
        case .bytes(let bytes): Self.embedded(in: bytes).map { [$0] } ?? []
        default: []
        }
    }

    func replacing(children: [CBOR]) -> CBOR {
        switch self {
        case .array: return .array(children)
        case .map:
            let keys = stride(from: 0, to: children.count - 1, by: 2)
            return .map(CBORMap(keys.map { CBORMap.Pair(key: children[$0], value: children[$0 + 1]) }))
        case .tagged(let tag, _): return children.first.map { .tagged(tag, $0) } ?? .null
        case .bytes: return .bytes(children.flatMap { $0.encoded() })
        default: return self
        }
    }

    func removing(at index: Int) -> CBOR {
        var children = children
        // A key and its value are removed together.
        if case .map = self { children.removeSubrange(index & ~1...index | 1) } else { children.remove(at: index) }
        return replacing(children: children)
    }

    func changed(by script: inout FuzzScript) -> CBOR {
        switch self {
        case .unsigned(let number): Self.number(number, by: &script)
        case .negative(let number): .negative(number &+ script.integer())
        case .bytes(let bytes): .bytes(bytes.changed(by: &script))
        case .text(let text): .text(text.changed(by: &script))
        case .tagged(let tag, let content): .tagged(tag &+ script.integer(), content)
        default: Self.made(by: &script)
        }
    }

    static func made(by script: inout FuzzScript) -> CBOR {
        switch script.byte() % 12 {
        case 0: .unsigned(script.integer())
        case 1: .negative(script.integer())
        case 2: .bytes(script.bytes())
        case 3: .text(String(decoding: script.bytes(), as: UTF8.self))
        case 4: .array([])
        case 5: .map([:])
        case 6: .tagged(script.integer(), .text(String(decoding: script.bytes(), as: UTF8.self)))
        case 7: .null
        case 8: .bool(true)
        case 9: .double(Double(bitPattern: script.integer()))
        case 10: .array([.unsigned(script.integer())])
        default: .embedded(.map([:]))
        }
    }

    private static func number(_ number: UInt64, by script: inout FuzzScript) -> CBOR {
        switch script.byte() % 4 {
        case 0: .unsigned(number &+ 1)
        case 1: .unsigned(number &- 1)
        case 2: .negative(number)
        default: .unsigned(script.integer())
        }
    }

    /// The content of a byte string, if it is a structure of CBOR.
    private static func embedded(in bytes: [UInt8]) -> CBOR? {
        guard let first = bytes.first, (0x80...0xdf).contains(first), bytes.count > 1 else { return nil }
        return try? CBOR(decoding: bytes)
    }
}

extension CBOR {
    /// The value of a key of a map, or the element at an index of an array; nil for a missing one.
    subscript(at key: CBOR) -> CBOR? {
        get {
            switch (self, key) {
            case (.map(let map), _): map[key]
            case (.array(let elements), .unsigned(let index)) where index < elements.count: elements[Int(index)]
            default: nil
            }
        }
        set {
            switch (self, key) {
            case (.map(var map), _):
                map[key] = newValue
                self = .map(map)
            case (.array(var elements), .unsigned(let index)) where index < elements.count:
                elements[Int(index)] = newValue ?? .null
                self = .array(elements)
            default: break
            }
        }
    }

    /// The elements of an array; empty for any other item.
    var elements: [CBOR] { if case .array(let elements) = self { elements } else { [] } }

    /// The bytes of a byte string; nil for any other item.
    var byteString: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
}
