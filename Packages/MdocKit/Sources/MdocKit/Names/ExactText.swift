import CryptoCore

/// A name that is compared byte for byte.
///
/// Two strings that differ only in their Unicode normalization are equal as `String`, but name different things in an
/// mdoc: ISO/IEC 18013-5 matches document types, namespaces and identifiers exactly.
public protocol ExactText: Hashable, Sendable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates the name.
    init(_ text: String)
    /// The name as it travels.
    var text: String { get }
}

extension ExactText {
    /// Creates the name from a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The name for people, with invisible characters escaped; ``text`` is the name as transmitted.
    public var description: String { text.escapedForDisplay() }

    /// Whether both have the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        let (left, right) = (left.text.utf8, right.text.utf8)
        guard left.count == right.count else { return false }
        let areEqual = unsafe left.withContiguousStorageIfAvailable { left in
            unsafe right.withContiguousStorageIfAvailable { right in
                left.indices.allSatisfy { unsafe left[$0] == right[$0] }
            }
        }
        return (areEqual ?? nil) ?? left.elementsEqual(right)
    }

    /// Orders by bytes.
    public static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var copy = text
        copy.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xff as UInt8)
    }
}
