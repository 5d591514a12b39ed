import CIdemixCoreGMP

/// One factor base^exponent of a product of powers: the table of the base's powers, and the exponent cut into digits.
struct PowerTerm {
    let table: PowerTable
    /// The number of squarings that the term takes part in.
    let steps: Int
    /// The term multiplies at every stride-th step only.
    let stride: Int
    /// The number of table rows that multiply at such a step.
    let rows: Int
    /// The digits, those of one step together; wiped at the end.
    private let digits: LimbBuffer

    /// The term as plain pointers; valid as long as the term lives.
    var factor: PowerFactor {
        unsafe PowerFactor(
            entries: table.entry(0),
            rowCount: table.rowCount,
            digits: digits.limbs,
            steps: steps,
            stride: stride,
            rows: rows
        )
    }

    /// One of two residues.
    init(_ pair: ResiduePair, second: LimbBuffer) {
        table = pair.table
        (steps, stride, rows) = (1, 1, 1)
        digits = LimbBuffer(count: 1)
        unsafe digits.limbs[0] = 1 + second.limbs[0]
        withExtendedLifetime((digits, second)) {}
    }

    /// A fixed base's term; the exponent must not be negative nor longer than `bits`, which the table must serve.
    init(_ base: FixedBase, exponent: LimbBuffer, bits: Int) {
        table = base.table
        stride = 1
        let shape = base.shape
        rows = shape.rows(bits: bits)
        steps = min(shape.columns, max(1, bits))
        digits = LimbBuffer(count: steps * rows)
        let limbs = LimbBuffer(exponent, count: rows * shape.chunkBits / 64 + 1)
        for row in 0..<rows {
            for tooth in 0..<shape.teeth {
                let start = row * shape.chunkBits + tooth * shape.columns
                for step in 0..<steps {
                    let position = start + step
                    let bit = unsafe limbs.limbs[position >> 6] >> UInt(position & 63) & 1
                    unsafe digits.limbs[step * rows + row] |= bit << UInt(tooth)
                }
            }
        }
        withExtendedLifetime((limbs, digits)) {}
    }

    /// A term in constant time for a base without a table: windows of five bits.
    init(window residue: LimbBuffer, modulus: MontgomeryModulus, exponent: BigInteger, bits: Int) {
        let window = 5
        stride = window
        rows = 1
        let count = (max(1, bits) + window - 1) / window
        steps = (count - 1) * window + 1
        table = PowerTable(modulus: modulus, rows: 1, rowCount: 1 << window)
        digits = LimbBuffer(count: count)
        let power = ResidueAccumulator(modulus, timing: .constant)
        for index in 1..<(1 << window) {
            power.multiply(by: residue)
            unsafe __gmpn_copyi(table.entry(index), power.value.limbs, modulus.width)
        }
        let limbs = LimbBuffer(exponent, count: count * window / 64 + 1)
        for position in 0..<(count * window) {
            let bit = unsafe limbs.limbs[position >> 6] >> UInt(position & 63) & 1
            unsafe digits.limbs[position / window] |= bit << UInt(position % window)
        }
        withExtendedLifetime((limbs, digits)) {}
    }

    /// A term in variable time for a base without a table: sliding windows over the odd powers.
    init(sliding residue: LimbBuffer, modulus: MontgomeryModulus, exponent: BigInteger) {
        let bits = exponent.bitCount
        let window = bits > 1_000 ? 6 : bits > 200 ? 5 : 4
        stride = 1
        rows = 1
        steps = max(1, bits)
        let odd = 1 << (window - 1)
        // Entry i holds the power 2i − 1.
        table = PowerTable(modulus: modulus, rows: 1, rowCount: odd + 1)
        let power = ResidueAccumulator(modulus, timing: .variable)
        let square = ResidueAccumulator(modulus, timing: .variable)
        power.set(residue)
        square.set(residue)
        square.square()
        for index in 1...odd {
            unsafe __gmpn_copyi(table.entry(index), power.value.limbs, modulus.width)
            if index < odd { power.multiply(by: square.value) }
        }
        digits = LimbBuffer(count: steps)
        PowerTerm.cutSliding(exponent, window: window, into: digits)
    }

    /// Writes the odd digits of a sliding window to the positions of their least significant bits.
    private static func cutSliding(_ exponent: BigInteger, window: Int, into digits: LimbBuffer) {
        let bits = exponent.bitCount
        let limbs = LimbBuffer(exponent, count: bits / 64 + 1)
        func bit(_ position: Int) -> UInt { unsafe limbs.limbs[position >> 6] >> UInt(position & 63) & 1 }
        var top = bits - 1
        while top >= 0 {
            guard bit(top) == 1 else {
                top -= 1
                continue
            }
            var low = max(0, top - window + 1)
            while bit(low) == 0 { low += 1 }
            var digit: UInt = 0
            for position in (low...top).reversed() { digit = digit << 1 | bit(position) }
            unsafe digits.limbs[low] = (digit + 1) / 2
            top = low - 1
        }
        withExtendedLifetime(limbs) {}
    }
}

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
