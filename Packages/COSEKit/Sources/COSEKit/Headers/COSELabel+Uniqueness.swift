extension COSELabel {
    /// Up to this many labels are compared with each other, which costs less than hashing them.
    private static let fewLabels = 12

    /// The label of the first element whose label another one before it has, or nil.
    static func firstRepeated<Element>(in elements: [Element], _ label: (Element) -> COSELabel) -> COSELabel? {
        guard elements.count > fewLabels else {
            for index in elements.indices.dropFirst() {
                let candidate = label(elements[index])
                for earlier in 0..<index where label(elements[earlier]) == candidate { return candidate }
            }
            return nil
        }
        var seen = Set<COSELabel>(minimumCapacity: elements.count)
        return elements.lazy.map(label).first { !seen.insert($0).inserted }
    }
}

extension COSEError {
    /// The error for a label that occurs twice in a map.
    static func repeated(_ label: COSELabel) -> COSEError {
        COSEError(.duplicateLabel, "label \(label) occurs twice", path: ["\(label)"])
    }
}
