import JSONKit

/// The names of an object's claims, compared by their UTF-8 bytes.
struct ClaimNames {
    /// Above this many names they are looked up in a set.
    private static let mostScanned = 48

    /// The lengths of the names, by which most of them differ.
    private var lengths: ContiguousArray<Int> = []
    /// A bit for each mark that a name has; a name with another mark is absent.
    private var marks: UInt64 = 0
    private var set: Set<[UInt8]> = []

    /// Takes the names of claims.
    init(_ claims: [JSONObject.Entry]) {
        lengths.reserveCapacity(Self.mostScanned)
        for claim in claims {
            lengths.append(claim.name.utf8.count)
            marks |= Self.mark(claim.name)
        }
    }

    /// Adds a name; false if it already exists.
    ///
    /// - Parameter claims: The claims whose names are here, in their order.
    mutating func insert(_ name: String, to claims: [JSONObject.Entry]) -> Bool {
        let length = name.utf8.count
        defer { lengths.append(length) }
        guard lengths.count < Self.mostScanned else {
            if set.isEmpty { set = Set(claims.map { Array($0.name.utf8) }) }
            return set.insert(Array(name.utf8)).inserted
        }
        let mark = Self.mark(name)
        guard marks & mark != 0 else {
            marks |= mark
            return true
        }
        for place in lengths.indices where lengths[place] == length {
            if claims[place].name.hasSameBytes(as: name) { return false }
        }
        return true
    }

    /// One of 64 bits, chosen by the length and the first byte.
    private static func mark(_ name: String) -> UInt64 {
        1 << ((UInt64(truncatingIfNeeded: name.utf8.count) &* 31 &+ UInt64(name.utf8.first ?? 0)) & 63)
    }
}
