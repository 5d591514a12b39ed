/// The shape of a fixed base's table (Lim and Lee's comb, one comb for each chunk of the exponent).
///
/// With h teeth and a columns, chunk j covers the bits j·h·a ..< (j + 1)·h·a, and the digit at column i takes the h bits
/// j·h·a + t·a + i. All chunks share the a − 1 squarings, and an exponent of b bits costs b/h multiplications.
package struct CombShape: Hashable, Sendable {
    /// The number of bits of a digit, h.
    let teeth: Int
    /// The distance between the bits of a digit, a.
    let columns: Int

    /// Makes a shape.
    package init(teeth: Int, columns: Int) {
        self.teeth = teeth
        self.columns = columns
    }

    /// For secret exponents: rows short enough to be read as a whole at each step.
    package static let secret = CombShape(teeth: 6, columns: 27)
    /// For public exponents up to a number of bits: one long row, since only one entry of a row is read, and as many
    /// columns as that takes, since a variable base beside it pays for the squarings.
    static func `public`(bits: Int) -> CombShape {
        let teeth = bits > 1_500 ? 10 : bits > 512 ? 9 : 8
        return CombShape(teeth: teeth, columns: (max(1, bits) + teeth - 1) / teeth)
    }

    /// For two secret exponents of about 1024 bits to a base that is used only for them.
    static let pair = CombShape(teeth: 5, columns: 52)

    /// The bits of an exponent that one row of the table covers.
    var chunkBits: Int { teeth * columns }

    /// The number of rows that cover an exponent.
    func rows(bits: Int) -> Int { (max(1, bits) + chunkBits - 1) / chunkBits }

    /// The longest exponent that a table made for a number of bits serves.
    func capacity(bits: Int) -> Int { rows(bits: bits) * chunkBits }
}
