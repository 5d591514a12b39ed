/// The rules of dCBOR that go beyond core deterministic encoding (draft-mcnally-deterministic-cbor).
enum DCBOR {
    /// The integer that replaces an integral floating-point number from −2^63 to 2^64 − 1, or nil (section 2.5).
    ///
    /// It uses 64-bit conversions: those of `Int128` would need libm, which nothing else of this module links.
    static func integer(for number: Double) -> Int128? {
        guard number >= -0x1p63, number < 0x1p64 else { return nil }
        let whole = UInt64(number.magnitude)
        guard Double(whole) == number.magnitude else { return nil }
        return number < 0 ? -Int128(whole) : Int128(whole)
    }

    /// Returns `true` if the integer −1 − n is allowed, down to −2^63 (appendix A).
    static func allowsNegative(_ argument: UInt64) -> Bool { argument >> 63 == 0 }

    /// Returns `true` if a simple value may occur.
    static func allows(_ value: CBORSimpleValue) -> Bool {
        value == .false || value == .true || value == .null
    }
}
