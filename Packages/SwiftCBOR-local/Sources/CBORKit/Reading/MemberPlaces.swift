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
                values.fill(index, with: UInt32(truncatingIfNeeded: value))
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

extension SIMD8<UInt32> {
    /// Sets a number that is zero.
    ///
    /// Each has its own branch: with a number that is not a constant, all would go to memory, and each look at them would wait for that.
    @inline(__always)
    fileprivate mutating func fill(_ index: Int, with value: UInt32) {
        switch index {
        case 0: if self[0] == 0 { self[0] = value }
        case 1: if self[1] == 0 { self[1] = value }
        case 2: if self[2] == 0 { self[2] = value }
        case 3: if self[3] == 0 { self[3] = value }
        case 4: if self[4] == 0 { self[4] = value }
        case 5: if self[5] == 0 { self[5] = value }
        case 6: if self[6] == 0 { self[6] = value }
        default: if self[7] == 0 { self[7] = value }
        }
    }
}
