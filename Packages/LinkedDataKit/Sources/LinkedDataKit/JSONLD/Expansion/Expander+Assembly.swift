import JSONKit
import VerificationCore

// Objects on the way back (section 5.1.2, steps 13.8 to 19): what is inside is expanded.
extension Expander {
    mutating func assembleObject(_ job: Int) throws(LinkedDataError) {
        var object = ExpandedObject()
        object.properties.reserve(jobs[job].entries.count { $0.keyword == nil })
        for entry in jobs[job].entries {
            switch (entry.keyword, entry.content) {
            case (let keyword?, .slot(let slot)): try add(keyword, result(of: slot), entry, to: &object, job: job)
            case (_, .slot(let slot)): try addProperty(entry, result(of: slot), to: &object, job: job)
            case (_, .map(let values, let context)):
                let value = try assembleMap(values, entry, context, job: job)
                try addProperty(entry, value, to: &object, job: job)
            }
        }
        jobs[job].entries = []
        jobs[job].result = try finish(&object, job: job)
    }

    // MARK: Entries

    private func add(
        _ keyword: Keyword,
        _ value: JSONValue?,
        _ entry: ExpansionJob.Entry,
        to object: inout ExpandedObject,
        job: Int
    ) throws(LinkedDataError) {
        switch keyword {
        case .id: object.id = value
        case .type: value.map { object.addType($0) }
        case .value: object.value = value
        case .language: object.language = value
        case .direction: object.direction = value
        case .index: object.index = value
        case .list: object.list = .array(value?.elements ?? [])
        case .set: object.set = .some(value)
        case .graph: object.graph = .array(value?.elements ?? [])
        case .included:
            let nodes = value?.elements ?? [.null]
            for node in nodes {
                guard case .object(let node) = node, !node.contains("@value"), !node.contains("@list") else {
                    throw failure(.invalidIncludedValue, "@included holds no node", job, .name(entry.key))
                }
                try checkMember(.object(node), entry, job: job)
            }
            if object.included == nil { object.included = [] }
            object.included?.append(contentsOf: nodes)
        case .reverse: try addReverseMap(value, entry, to: &object, job: job)
        default: break
        }
    }

    /// Takes over the entries of an expanded `@reverse` (step 13.4.13).
    private func addReverseMap(
        _ value: JSONValue?,
        _ entry: ExpansionJob.Entry,
        to object: inout ExpandedObject,
        job: Int
    ) throws(LinkedDataError) {
        for (name, value) in value?.objectValue ?? [:] {
            if name == "@reverse" {
                for (name, value) in value.objectValue ?? [:] { object.properties.add(value, to: name) }
            } else if !object.addReverse(value, to: name) {
                throw failure(.invalidReversePropertyValue, "a reverse property has no node", job, .name(entry.key))
            }
        }
    }

    private func addProperty(
        _ entry: ExpansionJob.Entry,
        _ value: JSONValue?,
        to object: inout ExpandedObject,
        job: Int
    ) throws(LinkedDataError) {
        guard var value else { return }
        guard let definition = entry.term?.definition else {
            if object.properties.add(value, to: entry.iri) {
                note("the property stands in two places", job, .name(entry.key))
            }
            return
        }
        let container = definition.container
        if container.contains(.list), !(value.objectValue?.contains("@list") ?? false) {
            let list = JSONObject([("@list", .array(value.elements))])
            value = .object(named(list, at: entry.place))
        }
        if container.contains(.graph), container.isDisjoint(with: [.id, .index]) {
            try refuseWithoutPlace("a graph has no place of its own", job, .name(entry.key))
            for item in value.elements { try checkMember(item, entry, job: job) }
            value = .array(value.elements.map { .object("@graph", .array($0.elements)) })
        }
        guard definition.isReverse else {
            if object.properties.add(value, to: entry.iri, by: entry.term) {
                note("the property stands in two places", job, .name(entry.key))
            }
            return
        }
        guard object.addReverse(value, to: entry.iri) else {
            throw failure(.invalidReversePropertyValue, "a reverse property has no node", job, .name(entry.key))
        }
    }

    // MARK: Maps

    /// Puts the keys of a map into its values (step 13.8.3.7).
    private func assembleMap(
        _ values: [ExpansionJob.MapValue],
        _ entry: ExpansionJob.Entry,
        _ context: ActiveContext,
        job: Int
    ) throws(LinkedDataError) -> JSONValue {
        let definition = entry.term?.definition ?? TermDefinition()
        var items: [JSONValue] = []
        for value in values {
            for item in result(of: value.slot)?.elements ?? [] {
                var object = item.objectValue ?? [:]
                if definition.container.contains(.graph), !object.isGraph {
                    try checkMember(item, entry, job: job)
                    object = JSONObject([("@graph", .array([item]))])
                }
                if value.expandedKey.keyword != Keyword.none {
                    try add(value, definition, context, to: &object, entry, job: job)
                }
                items.append(.object(object))
            }
        }
        return .array(items)
    }

    private func add(
        _ value: ExpansionJob.MapValue,
        _ definition: TermDefinition,
        _ context: ActiveContext,
        to object: inout JSONObject,
        _ entry: ExpansionJob.Entry,
        job: Int
    ) throws(LinkedDataError) {
        let step = ExpansionJob.Step.name(entry.key)
        let container = definition.container
        if container.contains(.index), let index = definition.index?.text {
            let term = context.state.terms[ExactText(index)]
            let key = try expandValue(.string(value.key), context: context, term: term, parent: job, step: step)
            let iri = context.state.expandIRI(index, vocabulary: true)
            try count(iri)
            guard !object.contains("@value"), let property = iri.text else {
                throw failure(.invalidValueObject, "a property-valued index holds a value object", job, step)
            }
            object[property] = .array([key] + (object[property]?.elements ?? []))
        } else if container.contains(.index) {
            if !object.contains("@index") { object["@index"] = .string(value.key) }
        } else {
            guard !object.contains("@value") else {
                throw failure(.invalidValueObject, "a map of nodes holds a value object", job, step)
            }
            if container.contains(.type) {
                let type = try checkedIRI(value.expandedKey, of: value.key, job, step)
                object["@type"] = .array([type] + (object["@type"]?.elements ?? []))
            } else {
                let id = context.state.expandIRI(value.key, documentRelative: true)
                let name = try checkedIRI(id, of: value.key, job, step)
                noteForm(ofReference: value.key, id, job, step)
                // A number is a name that the node has only for want of another.
                guard let own = object["@id"], BlankNodeNames.number(of: own) == nil else {
                    object["@id"] = name
                    return
                }
                // The name of the node itself counts, so that the key of the map says nothing.
                guard own == name else {
                    return try refuseDropped("the key \(ExactText(value.key)) names another node", job, step)
                }
                note("the node is named twice", job, step)
            }
        }
    }

    // MARK: The whole

    /// Checks an object and gives it its final form (steps 15 to 19).
    private func finish(_ object: inout ExpandedObject, job: Int) throws(LinkedDataError) -> JSONValue? {
        object.joinTypes()
        if object.value != nil { return try finishValue(object, job: job) }
        if let type = object.type, type.arrayValue == nil { object.type = .array([type]) }
        if object.set != nil || object.list != nil { return try finishSetOrList(object, job: job) }
        let result = object.object
        if result.count == 1, object.language != nil {
            try refuseDropped("a language belongs to no value", job, .none)
            return nil
        }
        if jobs[job].property.dropsFreeValues, result.isEmpty || object.hasOnlyID {
            let isEmpty = jobs[job].element.objectValue?.allSatisfy { $0.name == "@context" } ?? false
            if !isEmpty { try refuseDropped("a node without properties belongs to no other", job, .none) }
            return nil
        }
        // Neither the object around the array of a document nor a reverse map is a node.
        let isNode = !jobs[job].property.isReverse && !(jobs[job].parent < 0 && result.names == ["@graph"])
        return .object(isNode ? named(result, at: place(job)) : result)
    }

    private func finishValue(_ object: ExpandedObject, job: Int) throws(LinkedDataError) -> JSONValue? {
        let hasLanguage = object.language != nil || object.direction != nil
        guard !object.hasNodeEntries, object.list == nil, object.set == nil, object.type == nil || !hasLanguage else {
            throw failure(.invalidValueObject, "a value object has other entries, or both type and language", job)
        }
        if object.type?.stringValue != Keyword.json.rawValue || !jobs[job].isJSONLiteral {
            if object.value?.isNull ?? true { return nil }
            if object.language != nil, object.value?.stringValue == nil {
                throw failure(.invalidLanguageTaggedValue, "a value with a language is not a string", job)
            }
            if let type = object.type {
                guard let iri = type.stringValue, IRIReference.isWellFormed(iri) else {
                    throw failure(.invalidTypedValue, "the type of a value is not an IRI", job)
                }
            }
        }
        guard !jobs[job].property.dropsFreeValues else {
            try refuseDropped("a value belongs to no node", job, .none)
            return nil
        }
        noteForm(ofValue: object, job: job)
        return .object(object.object)
    }

    private func finishSetOrList(_ object: ExpandedObject, job: Int) throws(LinkedDataError) -> JSONValue? {
        let hasOthers = object.hasNodeEntries || object.type != nil || object.language != nil || object.direction != nil
        guard !hasOthers, object.set == nil || object.list == nil else {
            throw failure(.invalidSetOrListObject, "a set or list object has other entries", job)
        }
        if let set = object.set { return set }
        return jobs[job].property.dropsFreeValues ? nil : .object(named(object.object, at: place(job)))
    }
}

extension JSONObject {
    /// Returns `true` for an expanded graph object: one with no entries but these (JSON-LD 1.1, section 9.4).
    fileprivate var isGraph: Bool { contains("@graph") && names.allSatisfy(["@graph", "@id", "@index"].contains) }
}
