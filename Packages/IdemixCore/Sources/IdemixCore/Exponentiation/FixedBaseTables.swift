import Synchronization

/// Tables for issuers' bases, shared by all keys of a process and bounded in memory.
///
/// A table takes a few hundred kilobytes at 2048 bits and costs about as much to build as two exponentiations. A base
/// gets its table with the third use, so a key that is used once or twice costs no more than without tables. When the
/// memory is full, a new table evicts only tables that are less than half as hot. Uses are counted, and the counts are
/// halved from time to time, so that bases out of use cool down. Keys in rotation that need more memory than there is
/// therefore leave the tables as they are.
public final class FixedBaseTables: Sendable {
    /// The tables that keys use unless they are given others: at most 64 MB.
    public static let shared = FixedBaseTables(maximumByteCount: 64 << 20)

    /// The number of uses after which a base has a table, with the use that builds it.
    public static let usesUntilBuilt = 3

    /// The largest number of bases that are counted at once.
    ///
    /// Above it, bases without a table are forgotten.
    public static let maximumCountedBases = 4_096

    /// The largest size of all tables together, in bytes.
    public let maximumByteCount: Int
    private let state = Mutex(State())

    /// Makes room for tables.
    ///
    /// - Parameter maximumByteCount: The size of all tables together in bytes; with 0 there are none, and every
    ///   exponentiation works without.
    public init(maximumByteCount: Int) {
        self.maximumByteCount = max(0, maximumByteCount)
    }

    /// The current size of the tables, in bytes.
    public var byteCount: Int { state.withLock { $0.byteCount } }

    /// Counters for the tables built so far.
    public struct Statistics: Hashable, Sendable {
        /// The number of tables built.
        public var builds = 0
        /// The number of tables evicted for hotter ones.
        public var evictions = 0
        /// The number of exponentiations with a table.
        public var hits = 0
        /// The number of exponentiations without a table.
        public var misses = 0

        /// Creates counters of zero.
        public init() {}
    }

    /// Counters for the tables built so far.
    public var statistics: Statistics { state.withLock { $0.statistics } }

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

    /// The table of a base, or nil for a base without one.
    func base(_ base: BigInteger, modulus: MontgomeryModulus, shape: CombShape, bits: Int) -> FixedBase? {
        let size = FixedBase.byteCount(width: modulus.width, shape: shape, bits: bits)
        guard size <= maximumByteCount else { return nil }
        let key = Key(modulus: modulus.value, base: base, shape: shape, bits: bits)
        switch state.withLock({ $0.use(key, byteCount: size, limit: maximumByteCount) }) {
        case .without: return nil
        case .with(let table): return table
        case .build: break
        }
        // Outside the lock, so that other exponentiations need not wait. Those with the same base work without a table
        // meanwhile.
        let residue = modulus.residue(of: base)
        let built = FixedBase(residue: residue, modulus: modulus, shape: shape, bits: bits, timing: .variable)
        state.withLock { $0.finish(built, for: key) }
        return built
    }
}

extension FixedBaseTables {
    private struct State {
        private enum Table {
            case none
            case inConstruction
            case built(FixedBase)
        }

        private struct Entry {
            let byteCount: Int
            var uses = 0
            var table = Table.none

            var hasRoom: Bool { if case .none = table { false } else { true } }
        }

        enum Answer {
            case with(FixedBase)
            case without
            case build
        }

        private var entries: [Key: Entry] = [:]
        private var usesUntilHalved = Self.halvingPeriod
        /// The size of finished tables and of tables in construction.
        private(set) var byteCount = 0
        private(set) var statistics = Statistics()

        private static let halvingPeriod = 1_024

        /// Counts a use and chooses between a table, building one, and doing without.
        mutating func use(_ key: Key, byteCount size: Int, limit: Int) -> Answer {
            coolDown()
            if entries[key] == nil, entries.count >= FixedBaseTables.maximumCountedBases {
                entries = entries.filter { $0.value.hasRoom }
            }
            var entry = entries[key] ?? Entry(byteCount: size)
            entry.uses += 1
            defer { entries[key] = entry }
            if case .built(let table) = entry.table {
                statistics.hits += 1
                return .with(table)
            }
            guard case .none = entry.table, entry.uses >= FixedBaseTables.usesUntilBuilt,
                makeRoom(for: entry, limit: limit)
            else {
                statistics.misses += 1
                return .without
            }
            byteCount += size
            entry.table = .inConstruction
            return .build
        }

        mutating func finish(_ table: FixedBase, for key: Key) {
            statistics.builds += 1
            entries[key]?.table = .built(table)
        }

        /// Evicts tables that are less than half as hot, the coldest first, if that makes enough room.
        private mutating func makeRoom(for entry: Entry, limit: Int) -> Bool {
            guard byteCount > limit - entry.byteCount else { return true }
            // A search holds the lock for long, so there is one for each doubling of the uses.
            guard entry.uses & (entry.uses - 1) == 0 else { return false }
            let colder = entries.filter { _, other in
                if case .built = other.table { other.uses < entry.uses / 2 } else { false }
            }
            var (victims, freed) = ([Key](), 0)
            for (key, other) in colder.sorted(by: { $0.value.uses < $1.value.uses }) {
                guard byteCount - freed > limit - entry.byteCount else { break }
                victims.append(key)
                freed += other.byteCount
            }
            guard byteCount - freed <= limit - entry.byteCount else { return false }
            for key in victims { entries[key]?.table = .none }
            statistics.evictions += victims.count
            byteCount -= freed
            return true
        }

        /// Halves all counts from time to time, and forgets bases that have neither uses nor a table.
        private mutating func coolDown() {
            usesUntilHalved -= 1
            guard usesUntilHalved <= 0 else { return }
            for key in entries.keys { entries[key]?.uses /= 2 }
            entries = entries.filter { $0.value.uses > 0 || $0.value.hasRoom }
            // Long enough for every base of a rotation to come back several times.
            usesUntilHalved = max(Self.halvingPeriod, 8 * entries.count)
        }
    }
}
