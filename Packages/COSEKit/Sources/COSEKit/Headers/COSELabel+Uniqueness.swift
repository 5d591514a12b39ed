extension COSELabel {
    /// Up to this many labels are compared with each other, which costs less than hashing them.
    private static let fewLabels = 12

    /// The first label that another one before it equals, or nil.
    static func firstDuplicate(in labels: [COSELabel]) -> COSELabel? {
        guard labels.count > fewLabels else {
            return labels.indices.first { labels[..<$0].contains(labels[$0]) }.map { labels[$0] }
        }
        var seen = Set<COSELabel>(minimumCapacity: labels.count)
        return labels.first { !seen.insert($0).inserted }
    }
}

extension COSEError {
    /// The error for a label that occurs twice in a map.
    static func repeated(_ label: COSELabel) -> COSEError {
        COSEError(.duplicateLabel, "label \(label) occurs twice", path: ["\(label)"])
    }
}
