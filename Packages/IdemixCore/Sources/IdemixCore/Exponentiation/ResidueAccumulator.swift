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
        unsafe value.limbs.update(from: residue.limbs, count: modulus.width)
    }

    func square() {
        unsafe modulus.square(value.limbs, value.limbs, timing: timing, scratch: scratch.limbs)
    }

    func multiply(by residue: LimbBuffer) {
        unsafe multiply(byLimbs: residue.limbs)
    }

    func multiply(byLimbs limbs: UnsafePointer<UInt>) {
        unsafe modulus.multiply(value.limbs, value.limbs, limbs, timing: timing, scratch: scratch.limbs)
    }

    /// Multiplies by the entry with an index among `count` entries that begin at entry `first` of the table.
    func multiply(byEntry index: Int, of table: PowerTable, first: Int) {
        switch timing {
        case .variable:
            if index != 0 { unsafe multiply(byLimbs: table.entry(first + index)) }
        case .constant:
            unsafe table.select(index, first: first, into: selected.limbs)
            unsafe multiply(byLimbs: selected.limbs)
        }
    }
}
