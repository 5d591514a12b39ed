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
