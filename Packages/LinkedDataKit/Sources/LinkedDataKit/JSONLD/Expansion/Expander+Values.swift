import JSONKit
import VerificationCore

extension Expander {
    /// Expands a string, number or truth value (section 5.1.2, step 4); nil for one that is dropped.
    mutating func expandScalar(
        _ value: JSONValue,
        context: ActiveContext,
        property: ActiveProperty,
        parent: Int,
        step: ExpansionJob.Step
    ) throws(LinkedDataError) -> JSONValue? {
        guard !property.dropsFreeValues else {
            if safeMode != nil { throw failure(.droppedTerm, "a value belongs to no node", parent, step) }
            return nil
        }
        guard case .term(let name, let term?) = property, term.definition.context != nil else {
            return try expandValue(value, context: context, term: property.term, parent: parent, step: step)
        }
        let scoped = try contexts.applyScoped(term, to: context, propagates: true, overridesProtected: true)
        let scopedTerm = scoped.state.terms[ExactText(name)]
        return try expandValue(value, context: scoped, term: scopedTerm, parent: parent, step: step)
    }

    /// Value expansion (section 5.3.2).
    func expandValue(
        _ value: JSONValue,
        context: ActiveContext,
        term: DefinedTerm?,
        parent: Int,
        step: ExpansionJob.Step
    ) throws(LinkedDataError) -> JSONValue {
        let type: String?
        switch (term?.coercion ?? .absent, value) {
        case (.id, .string(let text)):
            let iri = context.state.expandIRI(text, documentRelative: true)
            noteForm(ofReference: text, iri, parent, step)
            return .object("@id", try checkedIRI(iri, of: text, parent, step))
        case (.vocab, .string(let text)):
            let iri = context.state.expandIRI(text, documentRelative: true, vocabulary: true)
            noteForm(ofType: text, iri, context, parent, step)
            return .object("@id", try checkedIRI(iri, of: text, parent, step))
        case (.type(let iri), _):
            noteForm(ofScalar: value, typed: iri, parent, step)
            try contexts.count(text: iri.utf8.count)
            type = iri
        case (.json, _): type = Keyword.json.rawValue
        default: type = nil
        }
        try checkNumber(value, parent, step)
        var members = [JSONObject.Entry(name: "@value", value: value)]
        if let type {
            members.append(JSONObject.Entry(name: "@type", value: .string(type)))
        } else if case .string = value {
            let language = language(of: term, in: context)
            let direction = direction(of: term, in: context)
            try contexts.count(text: language?.utf8.count ?? 0)
            try check(language: language, direction: direction, parent, step)
            if let language { members.append(JSONObject.Entry(name: "@language", value: .string(language))) }
            if let direction {
                members.append(JSONObject.Entry(name: "@direction", value: .string(direction.rawValue)))
            }
        }
        return .object(JSONObject(distinct: members))
    }

    func language(of term: DefinedTerm?, in context: ActiveContext) -> String? {
        switch term?.definition.language ?? .absent {
        case .absent: context.state.defaultLanguage
        case .null: nil
        case .value(let language): language.text
        }
    }

    func direction(of term: DefinedTerm?, in context: ActiveContext) -> BaseDirection? {
        switch term?.definition.direction ?? .absent {
        case .absent: context.state.defaultBaseDirection
        case .null: nil
        case .value(let direction): direction
        }
    }

    /// Expands a language map (step 13.7).
    func expandLanguageMap(
        _ map: JSONObject,
        context: ActiveContext,
        term: DefinedTerm,
        parent: Int,
        key: String
    ) throws(LinkedDataError) -> JSONValue {
        let direction = direction(of: term, in: context)
        var values: [JSONValue] = []
        if map.isEmpty { try refuseEmptyValue(parent, .name(key)) }
        for (language, value) in map {
            let isNone = context.state.expandIRI(language, vocabulary: true).keyword == Keyword.none
            for item in value.arrayValue ?? [value] where !item.isNull {
                guard case .string = item else {
                    throw failure(
                        .invalidLanguageMapValue,
                        "\(ExactText(language)) is not a string",
                        parent,
                        .name(key)
                    )
                }
                if isNone { note("a value without a language is not in the map", parent, .name(key)) }
                try contexts.count(text: language.utf8.count)
                try check(language: isNone ? nil : language, direction: direction, parent, .name(key))
                var members = [JSONObject.Entry(name: "@value", value: item)]
                if !isNone { members.append(JSONObject.Entry(name: "@language", value: .string(language))) }
                if let direction {
                    members.append(JSONObject.Entry(name: "@direction", value: .string(direction.rawValue)))
                }
                values.append(.object(JSONObject(distinct: members)))
            }
            if value.isNull || value.arrayValue?.isEmpty == true { try refuseEmptyValue(parent, .name(key)) }
        }
        return .array(values)
    }
}

extension JSONValue {
    /// An object with one member.
    static func object(_ name: String, _ value: JSONValue) -> JSONValue {
        .object(JSONObject(distinct: [JSONObject.Entry(name: name, value: value)]))
    }

    /// The elements of an array, or the value itself as the only one.
    var elements: [JSONValue] { arrayValue ?? [self] }

    /// Returns `true` for strings, numbers and truth values.
    var isScalar: Bool {
        switch self {
        case .string, .number, .bool: true
        default: false
        }
    }
}

extension [JSONValue] {
    /// Values that are still to be looked at, of which one is the first: a way through a value without recursion.
    ///
    /// There is room for those of most documents, so that the list seldom moves.
    init(pending first: JSONValue) {
        self = []
        reserveCapacity(16)
        append(first)
    }
}
