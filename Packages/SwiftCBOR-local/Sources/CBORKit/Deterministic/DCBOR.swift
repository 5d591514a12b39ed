/// The rules of dCBOR that go beyond core deterministic encoding (draft-mcnally-deterministic-cbor).
enum DCBOR {
    /// The integer that stands for a floating-point number: for all integral ones from −2^64 to 2^64 − 1.
    static func integer(for number: Double) -> Int128? {
        guard number >= -0x1p64, number < 0x1p64 else { return nil }
        return Int128(exactly: number)
    }

    /// Whether a simple value may occur.
    static func allows(_ value: CBORSimpleValue) -> Bool {
        value == .false || value == .true || value == .null
    }
}
