/// An order of the keys of a map.
public enum CBORKeyOrder: Hashable, Sendable {
    /// By the bytes of the encoded keys: core deterministic encoding (RFC 8949 section 4.2.1).
    case bytewise
    /// By the length of the encoded keys, then by their bytes: the canonical CBOR of RFC 7049 (RFC 8949 section 4.2.3).
    case lengthFirst
}

extension CBORKeyOrder {
    /// Returns `true` if an encoded key may stand right before another.
    func areInOrder(_ first: some BidirectionalCollection<UInt8>, _ second: some BidirectionalCollection<UInt8>) -> Bool
    {
        if self == .lengthFirst, first.count != second.count { return first.count < second.count }
        return first.lexicographicallyPrecedes(second)
    }
}
