import CBORKit

extension CBORMapView {
    /// Refuses a map whose keys are not labels, or not all different.
    func requireLabels() throws(COSEError) {
        let areIntegers = allHeads { key, _ in
            guard let argument = key.argument, key.kind == .unsigned || key.kind == .negative else { return false }
            return argument <= UInt64(Int64.max)
        }
        if areIntegers, hasUniqueKeys || count < 2 { return }
        var labels: [COSELabel] = []
        for (key, _) in self { labels.append(try COSELabel(cbor: key)) }
        if let label = COSELabel.firstDuplicate(in: labels) { throw .repeated(label) }
    }

    /// The labels with their values, of a map whose keys are labels.
    var labels: [(label: COSELabel, value: CBORView)] {
        compactMap { key, value in
            guard let label = try? COSELabel(cbor: key) else { return nil }
            return (label, value)
        }
    }

    /// Returns `true` if the map has a label.
    func contains(_ label: COSELabel) -> Bool {
        switch label {
        case .integer(let label): Int(exactly: label).map { contains($0) } ?? false
        case .text(let label): value(forKey: label) != nil
        }
    }

    /// The value of a label, or nil if the map does not have it.
    func value(for label: COSELabel) -> CBORView? {
        switch label {
        case .integer(let label): Int(exactly: label).flatMap { value(forKey: $0) }
        case .text(let label): value(forKey: label)
        }
    }
}
