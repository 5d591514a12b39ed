/// Turns a submission requirement into a credential set: a list of all combinations that satisfy it.
struct RequirementConversion {
    private let definition: PresentationDefinition
    private let ids: [QueryID: QueryID]

    /// The number of combinations that are listed.
    private static let maximumOptions = 64

    init(_ definition: PresentationDefinition, _ ids: [QueryID: QueryID]) {
        self.definition = definition
        self.ids = ids
    }

    func set(_ requirement: SubmissionRequirement, at path: [String]) throws(OID4VPError) -> CredentialSetQuery {
        let options = try options(requirement, at: path)
        return CredentialSetQuery(
            options: options.filter { !$0.isEmpty },
            isRequired: !options.contains { $0.isEmpty },
            purpose: nil
        )
    }

    // Requirements are nested no deeper than `PresentationDefinitionLimits.maximumRequirementDepth`.
    private func options(_ requirement: SubmissionRequirement, at path: [String]) throws(OID4VPError) -> [[QueryID]] {
        let parts: [[[QueryID]]]
        switch requirement.source {
        case .group(let group):
            parts = definition.descriptors.filter { $0.groups.contains(group) }.compactMap { ids[$0.id] }
                .map { [[$0]] }
        case .nested(let nested):
            parts = try nested.map { part throws(OID4VPError) in try self.options(part, at: path) }
        }
        let count = requirement.count ?? parts.count...parts.count
        // What has been combined so far, with the number of parts in it.
        var combined: [(count: Int, queries: [QueryID])] = [(0, [])]
        for part in parts {
            var next: [(count: Int, queries: [QueryID])] = []
            for option in part {
                for entry in combined where entry.count < count.upperBound {
                    next.append((entry.count + 1, entry.queries + option.filter { !entry.queries.contains($0) }))
                }
            }
            combined += next
            guard combined.count <= Self.maximumOptions * 4 else { throw Self.tooMany(path) }
        }
        let options = combined.filter { count.contains($0.count) }.map(\.queries)
        guard options.count <= Self.maximumOptions else { throw Self.tooMany(path) }
        guard options.contains(where: { !$0.isEmpty }) else {
            throw OID4VPError(.notConvertible, "no combination satisfies the requirement", path: path)
        }
        return options
    }

    private static func tooMany(_ path: [String]) -> OID4VPError {
        OID4VPError(.notConvertible, "the requirement has too many combinations", path: path)
    }
}
