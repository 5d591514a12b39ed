/// A name that is equal only to a name with the same bytes in UTF-8.
///
/// Swift compares strings by canonical equivalence, so that `"é"` in one scalar equals `"é"` in two. In credentials they
/// name different things. ``ExactText`` is the general one; a format has types of its own for its names.
public protocol ExactName: Hashable, Sendable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates the name.
    init(_ text: String)
    /// The name as received, or as it is to be sent.
    var text: String { get }
}

extension ExactName {
    /// Creates the name from a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The name for people, with invisible characters escaped; ``text`` is the name as transmitted.
    public var description: String { text.escapedForDisplay() }

    /// Compares the bytes in UTF-8.
    public static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Orders by the bytes in UTF-8.
    public static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes in UTF-8.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(UInt8(0xff))
    }
}
