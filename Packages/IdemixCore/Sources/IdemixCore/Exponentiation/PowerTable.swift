import CIdemixCoreGMP

/// Rows of residues, each row with the neutral element first, from which an exponentiation picks by digits.
///
/// `@unchecked Sendable`: filled while it is built, read-only afterwards.
@safe
final class PowerTable: @unchecked Sendable {
    /// The number of limbs of an entry.
    let width: Int
    /// The number of entries in a row.
    let rowCount: Int
    private let memory: LimbBuffer

    /// A table of rows that hold the neutral element at index 0 and zeros elsewhere.
    init(modulus: MontgomeryModulus, rows: Int, rowCount: Int) {
        width = modulus.width
        self.rowCount = rowCount
        memory = LimbBuffer(count: rows * rowCount * width)
        for row in 0..<rows { unsafe __gmpn_copyi(entry(row * rowCount), modulus.one.limbs, width) }
    }

    /// The size of the entries in bytes.
    var byteCount: Int { memory.count * MemoryLayout<UInt>.size }

    /// The limbs of an entry, counted over all rows.
    func entry(_ index: Int) -> UnsafeMutablePointer<UInt> {
        unsafe memory.limbs + index * width
    }
}
