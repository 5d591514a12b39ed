extension CBOR: Hashable {
    /// Returns `true` if two values are the same in the generic data model (RFC 8949 section 5.6.1).
    public static func == (first: CBOR, second: CBOR) -> Bool {
        switch (first, second) {
        case (.unsigned(let first), .unsigned(let second)): first == second
        case (.negative(let first), .negative(let second)): first == second
        case (.bytes(let first), .bytes(let second)): first == second
        case (.text(let first), .text(let second)): first.utf8.elementsEqual(second.utf8)
        case (.array(let first), .array(let second)): first == second
        case (.map(let first), .map(let second)): first == second
        case (.tagged(let first, let firstContent), .tagged(let second, let secondContent)):
            first == second && firstContent == secondContent
        case (.simple(let first), .simple(let second)): first == second
        case (.float(let first), .float(let second)): first == second
        case (.formed, _), (_, .formed): first.unformed == second.unformed
        default: false
        }
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        if case .formed(_, let value) = self { return value.hash(into: &hasher) }
        hasher.combine(majorType)
        switch self {
        case .unsigned(let argument), .negative(let argument): hasher.combine(argument)
        case .bytes(let bytes): hasher.combine(bytes)
        case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .array(let elements): hasher.combine(elements)
        case .map(let map): hasher.combine(map)
        case .tagged(let number, let content):
            hasher.combine(number)
            hasher.combine(content)
        case .simple(let value): hasher.combine(value)
        case .float(let number): hasher.combine(number)
        case .formed: break
        }
    }

    /// The major type of the item (RFC 8949 section 3.1).
    var majorType: UInt8 {
        switch self {
        case .unsigned: 0
        case .negative: 1
        case .bytes: 2
        case .text: 3
        case .array: 4
        case .map: 5
        case .tagged: 6
        case .simple, .float: 7
        case .formed(_, let value): value.majorType
        }
    }
}
