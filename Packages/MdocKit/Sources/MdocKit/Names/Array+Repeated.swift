extension [DataElementIdentifier] {
    /// Up to this many names are compared with each other, which costs less than hashing them.
    private static var fewNames: Int { 16 }

    /// The first duplicate name, or nil.
    var firstRepeated: DataElementIdentifier? {
        guard count > Self.fewNames else {
            return indices.first { self[..<$0].contains(self[$0]) }.map { self[$0] }
        }
        var seen = Set<DataElementIdentifier>(minimumCapacity: count)
        return first { !seen.insert($0).inserted }
    }
}
