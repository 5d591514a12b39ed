/// A relative name in the form that is compared: a set, which nearly always has one attribute.
enum NormalizedRelativeName: Hashable, Sendable {
    case one(NormalizedAttribute)
    case several(Set<NormalizedAttribute>)

    /// Adds an attribute, unless it is there.
    mutating func insert(_ attribute: NormalizedAttribute) {
        switch self {
        case .one(let other) where other == attribute: return
        case .one(let other): self = .several([other, attribute])
        case .several(let others): self = .several(others.union([attribute]))
        }
    }
}

/// An attribute in the form that is compared.
struct NormalizedAttribute: Hashable, Sendable {
    private enum ComparedValue: Hashable, Sendable {
        case text(String)
        case other(tag: UInt8, contents: ArraySlice<UInt8>)
    }

    private let type: OID
    private let value: ComparedValue

    init(_ attribute: NameAttribute) {
        type = attribute.type
        value =
            attribute.stringValue.map { .text(Self.fold($0)) }
            ?? .other(tag: attribute.tag, contents: attribute.contents)
    }

    /// Lower case, and single spaces only between words.
    ///
    /// `String` itself compares by canonical equivalence.
    private static func fold(_ text: String) -> String {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        // The same for ASCII, whose bytes are its characters but for the line end CR LF.
        var folded: [UInt8] = []
        folded.reserveCapacity(text.utf8.count)
        var isAfterSpace = false
        for byte in text.utf8 {
            switch byte {
            case 9...13, UInt8(ascii: " "): isAfterSpace = !folded.isEmpty
            default:
                if isAfterSpace { folded.append(UInt8(ascii: " ")) }
                isAfterSpace = false
                folded.append(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte)
            }
        }
        return String(decoding: folded, as: UTF8.self)
    }
}
