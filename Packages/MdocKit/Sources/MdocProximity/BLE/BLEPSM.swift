public import MdocKit

/// The value of the characteristic that tells the L2CAP channel of a GATT server (ISO/IEC 18013-5 second edition, 11.1.4).
///
/// The draft does not say how the number is written; deployed code has four bytes, the highest first.
public enum BLEPSM {
    /// The value of the characteristic.
    public static func encoded(_ psm: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: psm >> $0) }
    }

    /// The channel out of the value of the characteristic.
    ///
    /// - Throws: ``MdocError`` with code `malformedBLEData` where it has not four bytes, or is zero.
    public static func decode(_ value: [UInt8]) throws(MdocError) -> UInt32 {
        let psm = value.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard value.count == 4, psm > 0 else {
            throw MdocError(.malformedBLEData, "an L2CAP PSM is a number of four bytes above zero")
        }
        return psm
    }
}
