/// The rules of dCBOR that go beyond core deterministic encoding (draft-mcnally-deterministic-cbor).
enum DCBOR {
    /// The integer that stands for a floating-point number: for all integral ones from −2^64 to 2^64 − 1.
    ///
    /// Conversions of 64 bits do it: those of `Int128` would need libm, which nothing else of this module links.
    static func integer(for number: Double) -> Int128? {
        let magnitude = number.magnitude
        guard magnitude < 0x1p64 else { return number == -0x1p64 ? -(1 << 64) : nil }
        let whole = UInt64(magnitude)
        guard Double(whole) == magnitude else { return nil }
        return number < 0 ? -Int128(whole) : Int128(whole)
    }

    /// Whether a simple value may occur.
    static func allows(_ value: CBORSimpleValue) -> Bool {
        value == .false || value == .true || value == .null
    }
}
