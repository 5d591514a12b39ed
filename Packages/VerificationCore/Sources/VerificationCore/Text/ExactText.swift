/// Text that is equal only to text with the same bytes in UTF-8.
///
/// Names and identifiers from outside are keys by their bytes; every dictionary and set of them holds this type.
///
/// ```swift
/// let keys: [ExactText: PublicKey] = ["https://issuer.example": key]
/// ```
public struct ExactText: ExactName {
    /// The text.
    public let text: String

    /// Keeps a text.
    public init(_ text: String) {
        self.text = text
    }
}

extension String {
    /// Returns `true` for text with the same bytes in UTF-8; `==` compares by canonical equivalence.
    public func hasSameBytes(as other: String) -> Bool {
        let (left, right) = (utf8, other.utf8)
        guard left.count == right.count else { return false }
        let areEqual = unsafe left.withContiguousStorageIfAvailable { left in
            unsafe right.withContiguousStorageIfAvailable { right in
                left.indices.allSatisfy { unsafe left[$0] == right[$0] }
            }
        }
        return (areEqual ?? nil) ?? left.elementsEqual(right)
    }
}
