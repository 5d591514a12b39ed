/// The keywords of JSON-LD 1.1 (section 1.7).
enum Keyword: String, Hashable, Sendable {
    case base = "@base"
    case container = "@container"
    case context = "@context"
    case `default` = "@default"
    case direction = "@direction"
    case graph = "@graph"
    case id = "@id"
    case `import` = "@import"
    case included = "@included"
    case index = "@index"
    case json = "@json"
    case language = "@language"
    case list = "@list"
    case nest = "@nest"
    case none = "@none"
    case prefix = "@prefix"
    case preserve = "@preserve"
    case propagate = "@propagate"
    case protected = "@protected"
    case reverse = "@reverse"
    case set = "@set"
    case type = "@type"
    case value = "@value"
    case version = "@version"
    case vocab = "@vocab"

    /// The keyword with a spelling, or nil.
    @inline(__always)
    init?(_ text: String) {
        guard text.utf8.first == UInt8(ascii: "@") else { return nil }
        self.init(rawValue: text)
    }

    /// Returns `true` for an at sign and letters, the form of keywords that later versions may bring.
    static func isForm(_ text: String) -> Bool {
        guard text.utf8.first == UInt8(ascii: "@"), text.utf8.count > 1 else { return false }
        return text.utf8.dropFirst().allSatisfy { (0x41...0x5a).contains($0 & 0xdf) && $0 >= 0x41 }
    }
}

/// A base direction of text.
public enum BaseDirection: String, Hashable, Sendable {
    /// From left to right.
    case leftToRight = "ltr"
    /// From right to left.
    case rightToLeft = "rtl"
}
