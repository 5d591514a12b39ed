/// The number of bytes after the first one that hold the argument of an item's head (RFC 8949 section 3).
public enum CBORWidth: UInt8, Hashable, Sendable, CaseIterable {
    /// One byte: additional information 24, encoding indicator `_0`.
    case one = 24
    /// Two bytes, or a half-precision number: additional information 25, encoding indicator `_1`.
    case two = 25
    /// Four bytes, or a single-precision number: additional information 26, encoding indicator `_2`.
    case four = 26
    /// Eight bytes, or a double-precision number: additional information 27, encoding indicator `_3`.
    case eight = 27

    /// The number of bytes.
    public var byteCount: Int { 1 << Int(rawValue - 24) }

    /// The narrowest width that holds an argument, or nil if the first byte holds it.
    init?(shortestFor argument: UInt64) {
        if argument < 24 { return nil }
        self = argument <= 0xff ? .one : argument <= 0xffff ? .two : argument <= 0xffff_ffff ? .four : .eight
    }
}
