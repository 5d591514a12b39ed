import Synchronization

/// The tables of fixed bases: built when a base is first used, shared by all keys of a process, bounded in memory.
///
/// A table takes a few hundred kilobytes at 2048 bits and costs about as much to build as two exponentiations. When the
/// limit is reached, the table that has not been used for the longest time makes room.
public final class FixedBaseTables: Sendable {
    /// The tables that keys use unless they are given others: at most 64 MB.
    public static let shared = FixedBaseTables(maximumByteCount: 64 << 20)

    /// How many bytes all tables together may take.
    public let maximumByteCount: Int
    private let state = Mutex(State())

    /// Makes room for tables.
    ///
    /// - Parameter maximumByteCount: How many bytes all tables together may take; with 0 there are none, and every
    ///   exponentiation works without.
    public init(maximumByteCount: Int) {
        self.maximumByteCount = max(0, maximumByteCount)
    }

    /// How many bytes the tables take now.
    public var byteCount: Int { state.withLock { $0.byteCount } }

    struct Key: Hashable {
        let modulus: BigInteger
        let base: BigInteger
        let shape: CombShape
        let bits: Int

        /// Feeds the low ends of the numbers: enough to tell keys apart, and quick, since the table's lock is held.
        func hash(into hasher: inout Hasher) {
            hasher.combine(modulus.lowBits)
            hasher.combine(base.lowBits)
            hasher.combine(shape)
            hasher.combine(bits)
        }
    }

    private struct State {
        var bases: [Key: (base: FixedBase, lastUse: UInt64)] = [:]
        var clock: UInt64 = 0
        var byteCount = 0

        mutating func use(_ key: Key) -> FixedBase? {
            clock &+= 1
            bases[key]?.lastUse = clock
            return bases[key]?.base
        }

        mutating func insert(_ base: FixedBase, for key: Key, limit: Int) {
            guard bases[key] == nil else { return }
            byteCount += base.table.byteCount
            clock &+= 1
            bases[key] = (base, clock)
            while byteCount > limit, let oldest = bases.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                byteCount -= oldest.value.base.table.byteCount
                bases[oldest.key] = nil
            }
        }
    }

    /// The table of a base, or nil where it would not fit at all.
    func base(_ base: BigInteger, modulus: MontgomeryModulus, shape: CombShape, bits: Int) -> FixedBase? {
        guard FixedBase.byteCount(width: modulus.width, shape: shape, bits: bits) <= maximumByteCount else {
            return nil
        }
        let key = Key(modulus: modulus.value, base: base, shape: shape, bits: bits)
        if let found = state.withLock({ $0.use(key) }) { return found }
        // Outside the lock: other keys' exponentiations need not wait. Two threads may build the same table once.
        let built = FixedBase(base, modulus: modulus, shape: shape, bits: bits)
        state.withLock { $0.insert(built, for: key, limit: maximumByteCount) }
        return built
    }
}
