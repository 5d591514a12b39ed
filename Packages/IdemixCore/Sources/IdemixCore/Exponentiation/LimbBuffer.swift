import CIdemixCoreGMP

/// A row of limbs at a place that does not move, zero at first, wiped before it is freed.
///
/// `@unchecked Sendable`: the buffer is filled before it is shared, and only read afterwards.
@safe
package final class LimbBuffer: @unchecked Sendable {
    /// The number of limbs.
    package let count: Int
    private let memory: UnsafeMutablePointer<UInt>

    init(count: Int) {
        self.count = max(1, count)
        unsafe memory = .allocate(capacity: self.count)
        unsafe idemix_wipe(memory, self.count)
    }

    /// The least significant limbs of a number, with zeros up to the count, in a time that depends on the count only.
    package convenience init(_ value: BigInteger, count: Int) {
        self.init(count: count)
        unsafe value.storage.withNumber { unsafe idemix_copy_limbs(memory, $0, self.count) }
    }

    /// The least significant limbs of a number of at most the given bit length.
    package convenience init(_ value: BigInteger, bits: Int) {
        self.init(value, count: (bits + 63) / 64)
    }

    /// The least significant limbs of another row, with zeros up to the count.
    package convenience init(_ other: LimbBuffer, count: Int) {
        self.init(count: count)
        unsafe __gmpn_copyi(memory, other.memory, min(self.count, other.count))
    }

    /// A number of limbs of another row, from a position on, which must be there.
    package convenience init(_ other: LimbBuffer, from start: Int, count: Int) {
        self.init(count: count)
        precondition(start >= 0 && start + count <= other.count)
        unsafe __gmpn_copyi(memory, other.memory + start, count)
    }

    /// Rows of one length one after another, each cut or filled with zeros to that length.
    package convenience init(joining rows: some Collection<LimbBuffer>, width: Int) {
        self.init(count: rows.count * width)
        for (index, row) in rows.enumerated() {
            unsafe __gmpn_copyi(memory + index * width, row.memory, min(width, row.count))
        }
    }

    deinit {
        unsafe idemix_wipe(memory, count)
        unsafe memory.deallocate()
    }

    /// The limbs; valid as long as the buffer lives.
    var limbs: UnsafeMutablePointer<UInt> { unsafe memory }

    /// The number that the limbs stand for.
    package var number: BigInteger {
        defer { withExtendedLifetime(self) {} }
        return unsafe Self.number(memory, count: count)
    }

    /// The number that limbs stand for.
    static func number(_ limbs: UnsafePointer<UInt>, count: Int) -> BigInteger {
        unsafe BigInteger { number in
            let target = unsafe __gmpz_limbs_write(number, count)
            unsafe __gmpn_copyi(target, limbs, count)
            unsafe __gmpz_limbs_finish(number, count)
        }
    }
}
