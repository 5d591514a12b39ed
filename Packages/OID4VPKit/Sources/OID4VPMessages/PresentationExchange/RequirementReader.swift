import JSONKit

/// Reads nested submission requirements without calling itself: each level is read before the next.
struct RequirementReader {
    /// A requirement whose nested ones, if any, are found by their places.
    private struct Entry {
        let reader: MemberReader
        let depth: Int
        var nested: [Int] = []
    }

    private let root: MemberReader
    private let limits: PresentationDefinitionLimits
    private let groupSizes: [ExactText: Int]

    private static let name = "submission_requirements"

    init(_ root: MemberReader, _ descriptors: [InputDescriptor], _ limits: PresentationDefinitionLimits) {
        self.root = root
        self.limits = limits
        groupSizes = descriptors.reduce(into: [:]) { sizes, descriptor in
            for group in Set(descriptor.groups) { sizes[group, default: 0] += 1 }
        }
    }

    func requirements() throws(OID4VPError) -> [SubmissionRequirement] {
        guard let values = try root.elements(Self.name, atMost: limits.entries) else { return [] }
        let entries = try entries(values)
        // Nested requirements come after those around them: from the end each finds its own made.
        var made: [Int: SubmissionRequirement] = [:]
        for (place, entry) in entries.enumerated().reversed() {
            made[place] = try requirement(entry, entry.nested.compactMap { made.removeValue(forKey: $0) })
        }
        return values.indices.compactMap { made[$0] }
    }

    private func entries(_ values: [JSONValue]) throws(OID4VPError) -> [Entry] {
        var entries: [Entry] = []
        for (place, value) in values.enumerated() {
            let path = root.path("\(Self.name)[\(place)]")
            entries.append(Entry(reader: try MemberReader(value, .invalidDefinition, at: path), depth: 1))
        }
        let depth = min(limits.requirementDepth, PresentationDefinitionLimits.maximumRequirementDepth)
        var place = 0
        while place < entries.count {
            let entry = entries[place]
            if let nested = try entry.reader.elements("from_nested", atMost: limits.entries) {
                guard entry.depth < depth, entries.count + nested.count <= limits.entries else {
                    throw OID4VPError(.limitExceeded, "there are too many submission requirements", path: [Self.name])
                }
                for (position, value) in nested.enumerated() {
                    let path = entry.reader.path("from_nested[\(position)]")
                    entries[place].nested.append(entries.count)
                    let reader = try MemberReader(value, .invalidDefinition, at: path)
                    entries.append(Entry(reader: reader, depth: entry.depth + 1))
                }
            }
            place += 1
        }
        return entries
    }

    private func requirement(
        _ entry: Entry,
        _ nested: [SubmissionRequirement]
    ) throws(OID4VPError) -> SubmissionRequirement {
        let reader = entry.reader
        let group = try reader.text("from").map { ExactText($0) }
        let source: SubmissionRequirement.Source
        let size: Int
        switch (group, nested.isEmpty) {
        case (let group?, true):
            guard let number = groupSizes[group] else { throw reader.invalid("from", "no descriptor is in the group") }
            (source, size) = (.group(group), number)
        case (nil, false): (source, size) = (.nested(nested), nested.count)
        default: throw reader.invalid("it must have one of from and from_nested")
        }
        return SubmissionRequirement(
            name: reader["name"]?.stringValue,
            purpose: reader["purpose"]?.stringValue,
            count: try count(reader, of: size),
            source: source
        )
    }

    private func count(_ reader: MemberReader, of size: Int) throws(OID4VPError) -> ClosedRange<Int>? {
        switch try reader.requiredText("rule") {
        case "all": return nil
        case "pick": break
        default: throw reader.invalid("rule", "it must be all or pick")
        }
        let (count, least, most) = (try reader.count("count"), try reader.count("min"), try reader.count("max"))
        if let count {
            // Each that is present counts.
            guard count > 0, count >= least ?? 0, count <= most ?? Int.max else {
                throw reader.invalid("count", "it must be greater than 0, and from min to max")
            }
            return count...count
        }
        guard least != nil || most != nil else { return 1...1 }
        guard least ?? 0 <= most ?? Int.max, most != 0 else {
            throw reader.invalid("max", "it must be greater than 0 and no less than min")
        }
        return (least ?? 0)...(most ?? max(least ?? 0, size))
    }
}
