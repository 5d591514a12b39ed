import CBORKit

extension COSEHeaders {
    /// The labels that every implementation understands (RFC 9052 section 3.1): alg, crit, content type, kid, IV and
    /// Partial IV.
    private static let alwaysUnderstood: ClosedRange<Int64> = 1...6

    /// The labels of `crit`; empty if it is absent.
    ///
    /// - Throws: ``COSEError/Code/invalidCritical`` for a value that is not a non-empty array of labels of the
    ///   protected bucket.
    public func criticalLabels() throws(COSEError) -> [COSELabel] {
        guard let view = try protected.parameter(.crit) else { return [] }
        guard view.kind == .array,
            case let array = try reading("crit", { () throws(CBORError) in try view.array() }), array.count > 0
        else {
            throw COSEError(
                .invalidCritical,
                "crit must be an array of at least one label",
                path: ["protected", "crit"]
            )
        }
        guard array.count <= protected.count else {
            throw COSEError(
                .invalidCritical,
                "crit names \(array.count) labels, the bucket has \(protected.count)",
                path: ["protected", "crit"]
            )
        }
        let present = Set(protected.labels)
        var labels: [COSELabel] = []
        for element in array {
            let label = try within("protected") { () throws(COSEError) in try COSELabel(cbor: element) }
            guard present.contains(label) else {
                throw COSEError(.invalidCritical, "label \(label) is not protected", path: ["protected", "crit"])
            }
            labels.append(label)
        }
        return labels
    }

    /// Refuses a layer whose `crit` names a label that neither this library nor the caller understands.
    func requireCriticalLabels(in understood: Set<COSELabel>) throws(COSEError) {
        guard protected.contains(.crit) else { return }
        let foreign = try criticalLabels().first { label in
            if case .integer(let number) = label, Self.alwaysUnderstood.contains(number) { return false }
            return !understood.contains(label)
        }
        if let foreign {
            throw COSEError(.criticalNotUnderstood, "label \(foreign) is critical", path: ["protected", "crit"])
        }
    }
}
