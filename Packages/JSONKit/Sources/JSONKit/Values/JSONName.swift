/// A text that equals another one only if it has the same UTF-8 bytes.
struct JSONName: Hashable, Comparable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (a: JSONName, b: JSONName) -> Bool {
        // The lengths and Swift's own comparison, which takes canonically equivalent texts for the same, settle nearly all
        // cases without a look at the bytes: a text of ASCII, which has as many of one unit as of the other, is canonically
        // equivalent to itself alone.
        a.text.utf8.count == b.text.utf8.count && a.text == b.text
            && (a.text.utf8.count == a.text.utf16.count || a.text.utf8.elementsEqual(b.text.utf8))
    }

    static func < (a: JSONName, b: JSONName) -> Bool {
        a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        // No UTF-8 text holds 0xFF, so that what is fed after it cannot be mistaken for a part of it.
        text.withSpan { text in unsafe text.withUnsafeBytes { unsafe hasher.combine(bytes: $0) } }
        hasher.combine(0xff as UInt8)
    }
}
