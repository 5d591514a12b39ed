import CIdemixCoreGMP

/// A residue that is squared and multiplied in place, with the memory that this takes; everything is wiped at the end.
struct ResidueAccumulator {
    let modulus: MontgomeryModulus
    let timing: Timing
    /// The residue itself.
    let value: LimbBuffer
    private let scratch: LimbBuffer
    private let selected: LimbBuffer

    /// Starts at 1.
    init(_ modulus: MontgomeryModulus, timing: Timing) {
        self.modulus = modulus
        self.timing = timing
        value = LimbBuffer(count: modulus.width)
        scratch = LimbBuffer(count: modulus.scratchCount)
        selected = LimbBuffer(count: modulus.width)
        set(modulus.one)
    }

    func set(_ residue: LimbBuffer) {
        unsafe __gmpn_copyi(value.limbs, residue.limbs, modulus.width)
    }

    func square() {
        unsafe withSteps { unsafe $0.square() }
    }

    func multiply(by residue: LimbBuffer) {
        unsafe multiply(byLimbs: residue.limbs)
        withExtendedLifetime(residue) {}
    }

    func multiply(byLimbs limbs: UnsafePointer<UInt>) {
        unsafe withSteps { unsafe $0.multiply(by: limbs) }
    }

    /// Lends the residue as plain pointers, for many steps in a row.
    func withSteps(_ body: (ResidueSteps) -> Void) {
        unsafe body(
            ResidueSteps(
                arithmetic: modulus.arithmetic,
                timing: timing,
                value: value.limbs,
                scratch: scratch.limbs,
                selected: selected.limbs
            )
        )
        withExtendedLifetime(self) {}
    }
}

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
