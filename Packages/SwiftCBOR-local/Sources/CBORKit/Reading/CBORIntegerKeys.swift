/// The pairs of a map indexed by their integer keys, see ``CBORMapView/integerKeys()``.
public struct CBORIntegerKeys: Sendable {
    private let map: CBORView
    private let entries: Entries

    /// The tape entries of the values.
    private enum Entries {
        /// The entries of small keys, each at the place of its key; 0, which only the root can have, for a missing key.
        case dense(ContiguousArray<UInt32>, count: Int)
        /// The entries of any keys.
        case sparse([Int: UInt32])
    }

    init(_ map: CBORMapView) {
        self.map = map.view
        entries = map.view.tape.read { contents in
            Self.denseEntries(of: map, in: contents) ?? Self.sparseEntries(of: map, in: contents)
        }
    }

    /// The number of different integer keys.
    public var count: Int {
        switch entries {
        case .dense(_, let count): count
        case .sparse(let entries): entries.count
        }
    }

    /// The value of a key, or nil for a missing key.
    public func value(forKey key: Int) -> CBORView? {
        switch entries {
        case .dense(let entries, _):
            guard entries.indices.contains(key), entries[key] != 0 else { return nil }
            return map.sibling(Int(entries[key]))
        case .sparse(let entries): return entries[key].map { map.sibling(Int($0)) }
        }
    }
}

extension CBORIntegerKeys {
    /// The entries in a table not much larger than the map, which is made faster than one of hashes; nil if a key is
    /// outside of it.
    private static func denseEntries(of map: CBORMapView, in contents: TapeContents) -> Entries? {
        let size = map.count
        var entries = ContiguousArray<UInt32>(repeating: 0, count: size + size / 2)
        var count = 0
        var children = contents.children(of: map.view.entry)
        while let key = children.next(), let value = children.next() {
            guard let number: Int = contents.integer(key) else { continue }
            guard entries.indices.contains(number) else { return nil }
            // If equal keys are allowed, the first one counts.
            guard entries[number] == 0 else { continue }
            entries[number] = UInt32(truncatingIfNeeded: value)
            count += 1
        }
        return .dense(entries, count: count)
    }

    private static func sparseEntries(of map: CBORMapView, in contents: TapeContents) -> Entries {
        var entries: [Int: UInt32] = [:]
        entries.reserveCapacity(map.count)
        var children = contents.children(of: map.view.entry)
        while let key = children.next(), let value = children.next() {
            // If equal keys are allowed, the first one counts.
            guard let number: Int = contents.integer(key), entries[number] == nil else { continue }
            entries[number] = UInt32(truncatingIfNeeded: value)
        }
        return .sparse(entries)
    }
}
