extension FixedWidthInteger {
    /// The bytes of the number, most significant first: I2OSP of RFC 8017 in the type's own width.
    var bigEndianBytes: [UInt8] {
        (0..<(Self.bitWidth / 8)).reversed().map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }
}
