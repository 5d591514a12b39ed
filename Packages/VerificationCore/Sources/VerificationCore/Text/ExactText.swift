/// Text that is equal only to text with the same bytes in UTF-8.
///
/// Swift compares strings by canonical equivalence, so that `"é"` in one scalar equals `"é"` in two. Names and identifiers
/// from outside are keys by their bytes; every dictionary and set of them holds this type.
///
/// ```swift
/// let keys: [ExactText: PublicKey] = ["https://issuer.example": key]
/// ```
public struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text.
    public let string: String

    /// Keeps a text.
    public init(_ string: some StringProtocol) {
        self.string = String(string)
    }

    /// Keeps a literal.
    public init(stringLiteral value: String) {
        string = value
    }

    /// The text.
    public var description: String { string }

    /// Compares the bytes in UTF-8.
    public static func == (left: ExactText, right: ExactText) -> Bool {
        left.string.hasSameBytes(as: right.string)
    }

    /// Orders by the bytes in UTF-8.
    public static func < (left: ExactText, right: ExactText) -> Bool {
        left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
    }

    /// Hashes the bytes in UTF-8.
    public func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(UInt8(0xff))
    }
}

extension StringProtocol {
    /// Returns `true` for text with the same bytes in UTF-8; `==` compares by canonical equivalence.
    public func hasSameBytes(as other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}
