import Synchronization

/// The tables of issuers' bases: built for bases that come back, shared by all keys of a process, bounded in memory.
///
/// A table takes a few hundred kilobytes at 2048 bits and costs about as much to build as two exponentiations. A base
/// gets one with its third use, so that keys that are named once or twice cost no more than they do without tables. Where
/// the memory is full, only tables less than half as hot make room: uses are counted, and the counts are halved from time
/// to time, so that what is no longer used cools down. More keys in rotation than fit therefore leave the tables alone.
public final class FixedBaseTables: Sendable {
    /// The tables that keys use unless they are given others: at most 64 MB.
    public static let shared = FixedBaseTables(maximumByteCount: 64 << 20)

    /// How often a base is used before it has a table, the use that builds it included.
    public static let usesUntilBuilt = 3

    /// How many bases are counted at once; above that, those without a table are forgotten.
    public static let maximumCountedBases = 4_096

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

    /// What became of the tables so far.
    public struct Statistics: Hashable, Sendable {
        /// How many tables were built.
        public var builds = 0
        /// How many tables made room for hotter ones.
        public var evictions = 0
        /// How many exponentiations found a table.
        public var hits = 0
        /// How many exponentiations worked without a table.
        public var misses = 0

        /// Counts from zero.
        public init() {}
    }

    /// What became of the tables so far.
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

    /// The table of a base, or nil where it has none.
    func base(_ base: BigInteger, modulus: MontgomeryModulus, shape: CombShape, bits: Int) -> FixedBase? {
        let size = FixedBase.byteCount(width: modulus.width, shape: shape, bits: bits)
        guard size <= maximumByteCount else { return nil }
        let key = Key(modulus: modulus.value, base: base, shape: shape, bits: bits)
        switch state.withLock({ $0.use(key, byteCount: size, limit: maximumByteCount) }) {
        case .without: return nil
        case .with(let table): return table
        case .build: break
        }
        // Outside the lock: other exponentiations need not wait. Those with the same base work without a table meanwhile.
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
        /// Of the tables that are built and of those in construction.
        private(set) var byteCount = 0
        private(set) var statistics = Statistics()

        private static let halvingPeriod = 1_024

        /// Counts a use and says how it is to be made.
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
            // A search holds the lock for long: one for each doubling of the uses is enough.
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
