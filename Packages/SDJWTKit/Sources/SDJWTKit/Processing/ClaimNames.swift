/// The names of an object's claims, told apart by their UTF-8 bytes.
struct ClaimNames {
    /// Above this many names they are looked up in a set.
    private static let mostScanned = 48

    private var names: [String]
    private var set: Set<[UInt8]> = []

    init(_ names: [String]) {
        self.names = names
        indexNames()
    }

    /// Adds a name; false where it is there already.
    mutating func insert(_ name: String) -> Bool {
        guard set.isEmpty else { return set.insert(Array(name.utf8)).inserted }
        guard !names.contains(where: { $0.hasSameBytes(as: name) }) else { return false }
        names.append(name)
        indexNames()
        return true
    }

    private mutating func indexNames() {
        guard names.count > Self.mostScanned else { return }
        set = Set(names.map { Array($0.utf8) })
    }
}

extension String {
    /// Whether both have the same UTF-8 bytes.
    ///
    /// The lengths and Swift's own comparison, which takes canonically equivalent texts for the same, settle nearly all cases.
    func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
    }
}
