/// The places of a map's members in the index of a document.
struct MemberPlaces: Sendable {
    /// The entries of the values; 0, which only the root can have, for a member that is missing.
    let values: SIMD8<UInt32>
    /// The entry of the map.
    let map: UInt32

    init(_ names: CBORMemberNames, of map: Int, in tape: Tape) {
        self = tape.read { MemberPlaces(names, of: map, in: $0) }
    }

    /// Looks through a map; another item has no members.
    @inline(__always)
    init(_ names: CBORMemberNames, of map: Int, in contents: TapeContents) {
        self.map = UInt32(truncatingIfNeeded: map)
        var values = SIMD8<UInt32>()
        if contents.initialByte(of: map) >> 5 == 5 {
            var children = contents.children(of: map)
            var expected = 0
            while let key = children.next(), let value = children.next() {
                guard let index = names.index(of: key, in: contents, expecting: expected) else { continue }
                // If equal keys are allowed, the first one counts.
                if values[index] == 0 { values[index] = UInt32(truncatingIfNeeded: value) }
                expected = index &+ 1
            }
        }
        self.values = values
    }

    /// Returns `true` if every required member is present.
    @inline(__always)
    func has(allRequiredOf names: CBORMemberNames) -> Bool {
        for index in 0..<names.requiredCount where values[index] == 0 { return false }
        // A map without required members must be a map nevertheless.
        return names.requiredCount > 0
    }
}
