/// The steps of an exponentiation on the residue of a ``ResidueAccumulator``, over plain pointers.
@unsafe
struct ResidueSteps {
    let arithmetic: MontgomeryArithmetic
    let timing: Timing
    let value: UnsafeMutablePointer<UInt>
    let scratch: UnsafeMutablePointer<UInt>
    let selected: UnsafeMutablePointer<UInt>

    func square() {
        unsafe arithmetic.square(value, value, timing: timing, scratch: scratch)
    }

    func multiply(by limbs: UnsafePointer<UInt>) {
        unsafe arithmetic.multiply(value, value, limbs, timing: timing, scratch: scratch)
    }

    /// Multiplies by the entry with an index of a row; in constant time all of the row is read.
    func multiply(byEntry index: UInt, of row: UnsafePointer<UInt>, count: Int) {
        switch unsafe timing {
        case .variable:
            if index != 0 { unsafe multiply(by: row + Int(index) * arithmetic.width) }
        case .constant:
            unsafe arithmetic.select(selected, index, of: row, count: count)
            unsafe multiply(by: selected)
        }
    }
}
