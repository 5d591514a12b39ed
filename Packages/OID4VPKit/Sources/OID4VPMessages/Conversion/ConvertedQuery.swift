/// A presentation definition as a DCQL query that asks for exactly the same.
public struct ConvertedQuery: Sendable {
    /// The query.
    public let query: DCQLQuery
    /// The query that stands for each descriptor: descriptors may have names that DCQL does not permit.
    public let queryIDs: [QueryID: QueryID]
    /// The algorithms that the definition lists for its formats; DCQL states them in `client_metadata`.
    public let formats: [FormatRequirement]
}

extension PresentationDefinition {
    /// The definition as a DCQL query, where nothing is lost.
    ///
    /// Descriptors become queries; fields with several paths and optional ones become claim sets; submission
    /// requirements become credential sets. Filters convert that fix a value (`const`, `enum`) or the `vct` of an SD-JWT VC.
    /// Holder binding is required, as DCQL does by default; a definition does not speak of it.
    ///
    /// - Throws: ``OID4VPError/Code/notConvertible`` with the place of the part that DCQL cannot express: several
    ///   formats for one descriptor, wildcards and other steps without a counterpart, filters on anything but a value,
    ///   types of W3C credentials (which DCQL expands), limited disclosure of a format that cannot limit it.
    public func convertedToDCQL() throws(OID4VPError) -> ConvertedQuery {
        var names = QueryNames()
        var queries: [CredentialQuery] = []
        var ids: [QueryID: QueryID] = [:]
        for descriptor in descriptors {
            let id = names.name(for: descriptor.id)
            ids[descriptor.id] = id
            var conversion = DescriptorConversion(descriptor)
            queries.append(try conversion.query(named: id, formats(of: descriptor)))
        }
        var sets: [CredentialSetQuery] = []
        for (place, requirement) in requirements.enumerated() {
            let path = ["presentation_definition", "submission_requirements[\(place)]"]
            sets.append(try RequirementConversion(self, ids).set(requirement, at: path))
        }
        return ConvertedQuery(
            query: try DCQLQuery(credentials: queries, credentialSets: sets),
            queryIDs: ids,
            formats: try sharedFormats()
        )
    }

    /// The lists of algorithms, of which a format may have only one in `client_metadata`.
    private func sharedFormats() throws(OID4VPError) -> [FormatRequirement] {
        var shared: [FormatRequirement] = []
        for requirement in descriptors.flatMap(formats(of:)) where !shared.contains(requirement) {
            guard !shared.contains(where: { $0.format == requirement.format }) else {
                throw OID4VPError(
                    .notConvertible,
                    "descriptors have different lists of algorithms for \(requirement.format)",
                    path: ["presentation_definition", "format"]
                )
            }
            shared.append(requirement)
        }
        return shared
    }
}

/// Gives each descriptor a name that DCQL permits, and none twice.
private struct QueryNames {
    private var taken: Set<QueryID> = []

    mutating func name(for descriptor: QueryID) -> QueryID {
        var text = ""
        for scalar in descriptor.text.unicodeScalars {
            text.unicodeScalars.append(ScalarSet.word.contains(scalar) || scalar == "-" ? scalar : "_")
        }
        var name = QueryID(text)
        var number = 1
        while !taken.insert(name).inserted {
            number += 1
            name = QueryID("\(text)-\(number)")
        }
        return name
    }
}
