/// The pairs of a map indexed by their integer keys, see ``CBORMapView/integerKeys()``.
public struct CBORIntegerKeys: Sendable {
    private let map: CBORView
    /// The tape entries of the values.
    private let entries: [Int: UInt32]

    init(_ map: CBORMapView) {
        self.map = map.view
        entries = map.view.tape.read { contents in
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

    /// The number of different integer keys.
    public var count: Int { entries.count }

    /// The value of a key, or nil for a missing key.
    public func value(forKey key: Int) -> CBORView? {
        entries[key].map { map.sibling(Int($0)) }
    }
}
