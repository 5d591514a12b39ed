import CIdemixCoreGMP

/// Choices by secret bits, in a time that depends on the counts of limbs only.
///
/// A secret bit is a row whose number is 0 or 1.
extension LimbBuffer {
    /// The bit at a position as a number, which the row must have room for.
    package func bit(_ position: Int) -> LimbBuffer {
        let bit = LimbBuffer(count: 1)
        precondition(position >= 0 && position < 64 * count)
        unsafe bit.limbs[0] = limbs[position >> 6] >> UInt(position & 63) & 1
        withExtendedLifetime(self) {}
        return bit
    }

    /// 1 for equal numbers of the same count, else 0.
    package func equality(with other: LimbBuffer) -> LimbBuffer {
        let bit = LimbBuffer(count: 1)
        if count == other.count { unsafe bit.limbs[0] = UInt(idemix_equal(limbs, other.limbs, count)) }
        withExtendedLifetime((self, other)) {}
        return bit
    }

    /// One of two numbers, in as many limbs as the longer one has: the first for a bit of 1, the second for 0.
    package static func choose(_ bit: LimbBuffer, _ one: LimbBuffer, _ zero: LimbBuffer) -> LimbBuffer {
        let count = max(one.count, zero.count)
        let (chosen, other) = (LimbBuffer(zero, count: count), LimbBuffer(one, count: count))
        unsafe __gmpn_cnd_swap(bit.limbs[0], chosen.limbs, other.limbs, count)
        withExtendedLifetime((bit, other)) {}
        return chosen
    }

    /// The exclusive or of two numbers, in as many limbs as the longer one has.
    package static func ^ (left: LimbBuffer, right: LimbBuffer) -> LimbBuffer {
        let count = max(left.count, right.count)
        let (result, other) = (LimbBuffer(left, count: count), LimbBuffer(right, count: count))
        for index in 0..<count { unsafe result.limbs[index] ^= other.limbs[index] }
        withExtendedLifetime(other) {}
        return result
    }
}
