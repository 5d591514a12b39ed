/// A ``PowerTerm`` over plain pointers: what the inner loop of an exponentiation reads of it.
@unsafe
struct PowerFactor {
    let entries: UnsafePointer<UInt>
    let rowCount: Int
    let digits: UnsafePointer<UInt>
    let steps: Int
    let stride: Int
    let rows: Int

    /// Multiplies by the entries that the digits of a step choose, one of each row.
    func multiply(_ residue: ResidueSteps, at step: Int) {
        guard unsafe step < steps && step % stride == 0 else { return }
        let digits = unsafe digits + step / stride * rows
        let rowLimbs = unsafe rowCount * residue.arithmetic.width
        for row in unsafe 0..<rows {
            unsafe residue.multiply(byEntry: digits[row], of: entries + row * rowLimbs, count: rowCount)
        }
    }
}
