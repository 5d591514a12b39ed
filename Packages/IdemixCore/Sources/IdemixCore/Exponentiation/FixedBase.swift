import CIdemixCoreGMP

/// The table of one base for exponents up to a number of bits.
package struct FixedBase: Sendable {
    let shape: CombShape
    let table: PowerTable

    /// The size of a base's table in bytes.
    static func byteCount(width: Int, shape: CombShape, bits: Int) -> Int {
        shape.rows(bits: bits) * (1 << shape.teeth) * width * MemoryLayout<UInt>.size
    }

    /// Builds the table: about one squaring per bit and one multiplication per entry.
    package init(residue: LimbBuffer, modulus: MontgomeryModulus, shape: CombShape, bits: Int, timing: Timing) {
        self.shape = shape
        let rows = shape.rows(bits: bits)
        let rowCount = 1 << shape.teeth
        table = PowerTable(modulus: modulus, rows: rows, rowCount: rowCount)
        defer { StackUse.little.wipe() }
        let power = ResidueAccumulator(modulus, timing: timing)
        let entry = ResidueAccumulator(modulus, timing: timing)
        power.set(residue)
        for row in 0..<rows {
            let first = row * rowCount
            for tooth in 0..<shape.teeth {
                // power = base^(2^(a·(h·row + tooth))); the entries 2^tooth ..< 2^(tooth+1) are the earlier ones times it.
                for index in 0..<(1 << tooth) {
                    entry.set(power.value)
                    if index > 0 { unsafe entry.multiply(byLimbs: table.entry(first + index)) }
                    unsafe __gmpn_copyi(table.entry(first + (1 << tooth) + index), entry.value.limbs, table.width)
                }
                for _ in 0..<shape.columns { power.square() }
            }
        }
    }
}

/// Two residues of which a product takes one.
package struct ResiduePair: Sendable {
    /// A row with the neutral element and the two.
    let table: PowerTable

    /// Puts two residues together.
    package init(_ first: LimbBuffer, _ second: LimbBuffer, modulus: MontgomeryModulus) {
        table = PowerTable(modulus: modulus, rows: 1, rowCount: 3)
        unsafe __gmpn_copyi(table.entry(1), first.limbs, table.width)
        unsafe __gmpn_copyi(table.entry(2), second.limbs, table.width)
        withExtendedLifetime((first, second)) {}
    }
}

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
