import JSONKit
import VerificationCore

// Properties on the way down (section 5.1.2, steps 13.5 to 13.9).
extension Expander {
    mutating func expandProperty(
        _ iri: String,
        _ key: String,
        _ value: JSONValue,
        term: DefinedTerm?,
        in source: Source,
        job: Int
    ) throws(LinkedDataError) -> ExpansionJob.Entry {
        let place = place(.name(key), in: source.place)
        let content = try content(key, value, term: term, context: source.context, job: job, place: place)
        return ExpansionJob.Entry(key: key, keyword: nil, iri: iri, term: term, content: content, place: place)
    }

    private mutating func content(
        _ key: String,
        _ value: JSONValue,
        term: DefinedTerm?,
        context: ActiveContext,
        job: Int,
        place: Int
    ) throws(LinkedDataError) -> ExpansionJob.Entry.Content {
        if let term {
            if case .json = term.coercion { return .slot(.value(["@value": value, "@type": "@json"])) }
            if case .object(let map) = value {
                let container = term.definition.container
                if container.contains(.language) {
                    let values = try expandLanguageMap(map, context: context, term: term, parent: job, key: key)
                    return .slot(.value(values))
                }
                if !container.isDisjoint(with: [.index, .type, .id]) {
                    let values = try expandMap(map, key, term: term, context: context, job: job, place: place)
                    return .map(values, context)
                }
            }
        }
        if let term, !term.definition.container.isDisjoint(with: [.language, .index, .type, .id]),
            value.arrayValue?.contains(where: { $0.objectValue != nil }) == true
        {
            note("the values are not in a map", job, .name(key))
        }
        let property = ActiveProperty.term(key, term)
        return .slot(
            try slot(value, context: context, property: property, parent: job, step: .name(key), place: place)
        )
    }

    /// Expands the values of an index, id or type map (step 13.8).
    private mutating func expandMap(
        _ map: JSONObject,
        _ key: String,
        term: DefinedTerm,
        context: ActiveContext,
        job: Int,
        place: Int
    ) throws(LinkedDataError) -> [ExpansionJob.MapValue] {
        let container = term.definition.container
        var values: [ExpansionJob.MapValue] = []
        values.reserveCapacity(map.count)
        if map.isEmpty { try refuseEmptyValue(job, .name(key)) }
        if container.contains(.graph) {
            try refuseWithoutPlace("a graph has no place of its own", job, .name(key))
        }
        for (index, value) in map {
            let expandedIndex = context.state.expandIRI(index, vocabulary: true)
            try count(expandedIndex)
            if expandedIndex.keyword == Keyword.none { note("values have no place in the map", job, .name(key)) }
            if container.contains(.index), term.definition.index == nil, expandedIndex.keyword != Keyword.none {
                try refuseDropped("the key \(ExactText(index)) of an index map has no form in RDF", job, .name(key))
            }
            var mapContext = context
            if !container.isDisjoint(with: [.id, .type]) { mapContext = context.state.previousContext ?? context }
            if container.contains(.type), let type = mapContext.state.terms[ExactText(index)],
                type.definition.context != nil
            {
                mapContext = try contexts.applyScoped(
                    type,
                    to: mapContext,
                    propagates: false,
                    overridesProtected: false
                )
            }
            let property = ActiveProperty.term(key, mapContext.state.terms[ExactText(key)])
            let slot = try slot(
                .array(value.elements),
                context: mapContext,
                property: property,
                isFromMap: true,
                parent: job,
                step: .name(key),
                place: self.place(.name(index), in: place),
                isWrapped: value.arrayValue == nil
            )
            values.append(ExpansionJob.MapValue(key: index, expandedKey: expandedIndex, slot: slot))
        }
        return values
    }
}
