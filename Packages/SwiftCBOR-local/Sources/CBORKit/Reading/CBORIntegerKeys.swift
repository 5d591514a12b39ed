/// The pairs of a map indexed by their integer keys, see ``CBORMapView/integerKeys()``.
public struct CBORIntegerKeys: Sendable {
    private let map: CBORView
    /// The tape entries of small keys, each at the place of its key; 0, which only the root can have, for a missing key.
    private let dense: ContiguousArray<UInt32>
    /// The tape entries of any keys; empty where ``dense`` holds them.
    private let sparse: [Int: UInt32]

    /// The number of different integer keys.
    public let count: Int

    init(_ map: CBORMapView) {
        self.map = map.view
        (dense, sparse, count) = map.view.tape.read { contents in
            if let (entries, count) = Self.denseEntries(of: map, in: contents) { return (entries, [:], count) }
            let entries = Self.sparseEntries(of: map, in: contents)
            return ([], entries, entries.count)
        }
    }

    /// The value of a key, or nil for a missing key.
    public func value(forKey key: Int) -> CBORView? {
        entry(ofValueForKey: key).map(map.sibling)
    }

    /// Returns `true` if a key has a byte string whose content is as expected; makes no view, and copies nothing.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - isExpected: Checks the content; not called where the key is missing or its value is no byte string.
    public func hasBytes(forKey key: Int, _ isExpected: (Span<UInt8>) -> Bool) -> Bool {
        guard let entry = entry(ofValueForKey: key) else { return false }
        return map.tape.read { $0.hasBytes(entry, isExpected) }
    }

    private func entry(ofValueForKey key: Int) -> Int? {
        guard sparse.isEmpty else { return sparse[key].map { Int($0) } }
        guard dense.indices.contains(key), dense[key] != 0 else { return nil }
        return Int(dense[key])
    }
}

extension CBORIntegerKeys {
    /// The entries in a table not much larger than the map, which is made faster than one of hashes; nil if a key is
    /// outside of it.
    private static func denseEntries(
        of map: CBORMapView,
        in contents: TapeContents
    ) -> (entries: ContiguousArray<UInt32>, count: Int)? {
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
        return (entries, count)
    }

    private static func sparseEntries(of map: CBORMapView, in contents: TapeContents) -> [Int: UInt32] {
        var entries: [Int: UInt32] = [:]
        entries.reserveCapacity(map.count)
        var children = contents.children(of: map.view.entry)
        while let key = children.next(), let value = children.next() {
            // If equal keys are allowed, the first one counts.
            guard let number: Int = contents.integer(key), entries[number] == nil else { continue }
            entries[number] = UInt32(truncatingIfNeeded: value)
        }
        return entries
    }
}
