import JSONKit
import VerificationCore

// Entries whose name is a keyword, on the way down (section 5.1.2, step 13.4).
extension Expander {
    /// Expands an entry whose name is a keyword (step 13.4); nil for one that adds nothing.
    mutating func expandKeyword(
        _ keyword: Keyword,
        _ key: String,
        _ value: JSONValue,
        in source: Source,
        job: Int,
        seen: inout [Keyword]
    ) throws(LinkedDataError) -> ExpansionJob.Entry? {
        guard !jobs[job].property.isReverse else {
            throw failure(.invalidReversePropertyMap, "a reverse map holds \(keyword.rawValue)", job, .name(key))
        }
        guard !seen.contains(keyword) || keyword == .included || keyword == .type else {
            throw failure(.collidingKeywords, "\(keyword.rawValue) occurs twice", job, .name(key))
        }
        if keyword == .type, seen.contains(.type) { note("the types stand in two places", job, .name(key)) }
        seen.append(keyword)
        let slot = try keywordSlot(keyword, key, value, in: source, job: job)
        let place = place(.name(key), in: source.place)
        return slot.map { slot in
            ExpansionJob.Entry(
                key: key,
                keyword: keyword,
                iri: keyword.rawValue,
                term: nil,
                content: .slot(slot),
                place: place
            )
        }
    }

    private mutating func keywordSlot(
        _ keyword: Keyword,
        _ key: String,
        _ value: JSONValue,
        in source: Source,
        job: Int
    ) throws(LinkedDataError) -> ExpansionJob.Slot? {
        let context = source.context
        // The object's own context may define the property otherwise, which counts for what is inside `@set` and `@list`.
        let property = jobs[job].property.defined(in: context)
        let step = ExpansionJob.Step.name(key)
        let place = place(step, in: source.place)
        switch keyword {
        case .id:
            guard case .string(let text) = value else {
                throw failure(.invalidIDValue, "@id is not a string", job, step)
            }
            let iri = context.state.expandIRI(text, documentRelative: true)
            noteForm(ofReference: text, iri, job, step)
            return .value(try checkedIRI(iri, of: text, job, step))
        case .type: return .value(try expandTypes(value, in: source, job: job, step: step))
        case .graph:
            return try slot(value, context: context, property: .graph, parent: job, step: step, place: place)
        case .included:
            guard options.processingMode == .jsonLD11 else { return nil }
            return try slot(value, context: context, property: .included, parent: job, step: step, place: place)
        case .value: return .value(try expandValueEntry(value, job: job, step: step))
        case .language:
            guard case .string(let language) = value else {
                throw failure(.invalidLanguageTaggedString, "@language is not a string", job, step)
            }
            try check(language: language, direction: nil, job, step)
            return .value(value)
        case .direction:
            guard let direction = value.stringValue.flatMap(BaseDirection.init) else {
                throw failure(.invalidBaseDirection, "@direction is neither ltr nor rtl", job, step)
            }
            try check(language: nil, direction: direction, job, step)
            return .value(value)
        case .index:
            guard case .string = value else {
                throw failure(.invalidIndexValue, "@index is not a string", job, step)
            }
            try refuseDropped("@index has no form in RDF", job, step)
            return .value(value)
        case .list:
            guard !property.dropsFreeValues else {
                try refuseDropped("a list belongs to no node", job, step)
                return nil
            }
            // An empty list is the term rdf:nil.
            if value.arrayValue?.isEmpty == true { return .value(value) }
            if !isList(property), value.arrayValue?.contains(where: { $0.arrayValue != nil }) == true {
                // Processors disagree on whether it is a list in the list.
                try refuseDropped("a list holds an array", job, step)
            }
            return try slot(value, context: context, property: property, parent: job, step: step, place: place)
        case .set:
            return try slot(value, context: context, property: property, parent: job, step: step, place: place)
        case .reverse:
            guard case .object(let map) = value else {
                throw failure(.invalidReverseValue, "@reverse is not an object", job, step)
            }
            if map.isEmpty { try refuseEmptyValue(job, step) }
            return try slot(value, context: context, property: .reverse, parent: job, step: step, place: place)
        default:
            try refuseDropped("\(keyword.rawValue) means nothing here", job, step)
            return nil
        }
    }

    private func expandTypes(
        _ value: JSONValue,
        in source: Source,
        job: Int,
        step: ExpansionJob.Step
    ) throws(LinkedDataError) -> JSONValue {
        func expand(_ type: JSONValue) throws(LinkedDataError) -> JSONValue {
            guard case .string(let text) = type else {
                throw failure(.invalidTypeValue, "@type is not a string or a list of strings", job, step)
            }
            let iri = source.typeContext.state.expandIRI(text, documentRelative: true, vocabulary: true)
            noteForm(ofType: text, iri, source.typeContext, job, step)
            return try checkedIRI(iri, of: text, job, step)
        }
        guard case .array(let types) = value else { return try expand(value) }
        if types.isEmpty { try refuseEmptyValue(job, step) }
        var expanded: [JSONValue] = []
        for type in types { expanded.append(try expand(type)) }
        return .array(expanded)
    }

    private func expandValueEntry(
        _ value: JSONValue,
        job: Int,
        step: ExpansionJob.Step
    ) throws(LinkedDataError) -> JSONValue {
        if jobs[job].isJSONLiteral, options.processingMode == .jsonLD11 { return value }
        guard value.isScalar || value.isNull else {
            throw failure(.invalidValueObjectValue, "@value is not a scalar", job, step)
        }
        if value.isNull { try refuseEmptyValue(job, step) }
        try checkNumber(value, job, step)
        return value
    }
}
