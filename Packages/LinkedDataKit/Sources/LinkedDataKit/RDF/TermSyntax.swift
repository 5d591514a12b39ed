/// Language tags as N-Quads and JSON-LD take them: `LANGTAG` without its sign (RDF 1.1 N-Quads, section 4).
enum LanguageTag {
    /// Returns `true` for a byte that can stand in a tag.
    static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5a, 0x61...0x7a, 0x30...0x39, UInt8(ascii: "-"): true
        default: false
        }
    }

    /// The largest number of letters and digits in a part (RFC 5646, section 2.1).
    private static let longestPart = 8

    /// Returns `true` for letters, then letters and digits in parts with a hyphen before each.
    static func isWellFormed(_ tag: String) -> Bool {
        let parts = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let first = parts.first, first.allSatisfy({ isPart($0) && $0 > 0x39 }) else { return false }
        return parts.allSatisfy { (1...longestPart).contains($0.count) && $0.allSatisfy(isPart) }
    }
}

/// Labels of blank nodes: `BLANK_NODE_LABEL` without its `_:` (RDF 1.1 N-Quads, section 4).
enum BlankNodeLabel {
    /// Returns `true` for a byte that can stand in a label; letters beyond ASCII are taken as they are.
    static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5a, 0x61...0x7a, 0x30...0x39, 0x80...: true
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// Returns `true` for a label that starts with neither a period nor a hyphen, and ends with no period.
    static func isWellFormed(_ label: some BidirectionalCollection<UInt8>) -> Bool {
        guard let first = label.first, let last = label.last, label.allSatisfy(isPart) else { return false }
        return first != UInt8(ascii: ".") && first != UInt8(ascii: "-") && last != UInt8(ascii: ".")
    }
}
