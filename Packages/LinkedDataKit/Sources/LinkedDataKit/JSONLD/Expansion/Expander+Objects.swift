import JSONKit
import VerificationCore

// Objects on the way down (section 5.1.2, steps 7 to 14): contexts, names, and jobs for what is inside.
extension Expander {
    /// An object whose entries become those of a node: the node itself, or the value of `@nest`.
    struct Source {
        let object: JSONObject
        let context: ActiveContext
        /// The context that the values of `@type` are expanded with.
        let typeContext: ActiveContext
        /// The meaning of each name of the object.
        let keys: [ExpandedName]
        /// The number of the object's place, where blank nodes are named.
        let place: Int
        /// The name that the object is the value of, for one below `@nest`.
        var nest: ExactText?
    }

    mutating func expandObject(_ object: JSONObject, job: Int) throws(LinkedDataError) {
        let source = try source(object, job: job)
        jobs[job].context = source.context
        jobs[job].isJSONLiteral = isJSONLiteral(source)
        var seen: [Keyword] = []
        var entries: [ExpansionJob.Entry] = []
        entries.reserveCapacity(object.count)
        var sources = [source]
        while let source = sources.popLast() {
            var nested: [Source] = []
            for (index, (key, value)) in source.object.enumerated() where key != "@context" {
                let name = source.keys[index]
                guard try checkKey(key, name, job) else { continue }
                noteForm(ofKey: key, name, in: source, job: job)
                if let keyword = name.keyword {
                    if keyword == .nest {
                        nested += try nestedSources(key, value, in: source, job: job)
                    } else if let entry = try expandKeyword(keyword, key, value, in: source, job: job, seen: &seen) {
                        entries.append(entry)
                    }
                } else if let iri = name.iri.text {
                    entries.append(
                        try expandProperty(iri, key, value, term: name.term, in: source, job: job)
                    )
                }
            }
            sources += nested.reversed()
        }
        jobs[job].entries = entries
    }

    // MARK: Contexts

    private mutating func source(_ object: JSONObject, job: Int) throws(LinkedDataError) -> Source {
        var context = jobs[job].context
        if let previous = context.state.previousContext, !jobs[job].isFromMap, !keepsContext(object, context) {
            context = previous
        }
        if let term = jobs[job].property.term, term.definition.context != nil {
            context = try located(job) { () throws(LinkedDataError) in
                try contexts.applyScoped(term, to: context, propagates: true, overridesProtected: true)
            }
        }
        if let local = object["@context"] {
            context = try located(job) { () throws(LinkedDataError) in try contexts.apply(local, to: context) }
        }
        let typeContext = context
        var keys = try expandedKeys(object, context)
        if let scoped = try applyTypeScoped(object, keys, typeContext, job: job) {
            context = scoped
            // Without those of before, which may be as long again.
            keys = []
            keys = try expandedKeys(object, context)
        }
        return Source(object: object, context: context, typeContext: typeContext, keys: keys, place: place(job))
    }

    private func located(
        _ job: Int,
        _ body: () throws(LinkedDataError) -> ActiveContext
    ) throws(LinkedDataError) -> ActiveContext {
        do throws(LinkedDataError) {
            return try body()
        } catch {
            throw path(job, .name("@context")).reversed().reduce(error) { $0.inside($1) }
        }
    }

    /// The meaning of each name, counted one by one: together they can be far longer than the object.
    private func expandedKeys(
        _ object: JSONObject,
        _ context: ActiveContext
    ) throws(LinkedDataError) -> [ExpandedName] {
        var names: [ExpandedName] = []
        names.reserveCapacity(object.count)
        for (key, _) in object {
            let name = context.state.expandName(key)
            if !(name.term?.hasWellFormedIRI ?? false) { try count(name.iri) }
            names.append(name)
        }
        return names
    }

    /// Returns `true` for value objects and references to nodes, which do not go back to the previous context (step 7).
    private func keepsContext(_ object: JSONObject, _ context: ActiveContext) -> Bool {
        for (name, _) in object {
            switch context.state.expandName(name).keyword {
            case .value?: return true
            case .id? where object.count == 1: return true
            default: break
            }
        }
        return false
    }

    /// Applies the contexts of the object's types in the order of their names (step 11); nil if there are none.
    private mutating func applyTypeScoped(
        _ object: JSONObject,
        _ keys: [ExpandedName],
        _ typeContext: ActiveContext,
        job: Int
    ) throws(LinkedDataError) -> ActiveContext? {
        var terms: [(key: String, type: String, term: DefinedTerm)] = []
        for (index, (key, value)) in object.enumerated() where keys[index].keyword == .type {
            for type in value.elements {
                guard let type = type.stringValue, let term = typeContext.state.terms[ExactText(type)],
                    term.definition.context != nil
                else { continue }
                terms.append((key, type, term))
            }
        }
        guard !terms.isEmpty else { return nil }
        terms.sort { (ExactText($0.key), ExactText($0.type)) < (ExactText($1.key), ExactText($1.type)) }
        var context = typeContext
        for (_, _, term) in terms {
            context = try located(job) { () throws(LinkedDataError) in
                try contexts.applyScoped(term, to: context, propagates: false, overridesProtected: false)
            }
        }
        return context
    }

    /// Returns `true` if the object is a value object of the type `@json` (step 12).
    private func isJSONLiteral(_ source: Source) -> Bool {
        guard source.keys.contains(where: { $0.keyword == .value }) else { return false }
        let types = source.object.indices.filter { source.keys[$0].keyword == .type }
        let first = types.min { ExactText(source.object[$0].name) < ExactText(source.object[$1].name) }
        guard let first, let type = source.object[first].value.elements.last?.stringValue else { return false }
        return source.context.state.expandIRI(type, vocabulary: true).keyword == .json
    }

    /// The objects below `@nest` (step 14), with the context that the nesting term brings.
    private mutating func nestedSources(
        _ key: String,
        _ value: JSONValue,
        in source: Source,
        job: Int
    ) throws(LinkedDataError) -> [Source] {
        guard jobs[job].property.isReverse == false else {
            throw failure(.invalidReversePropertyMap, "a reverse map holds @nest", job, .name(key))
        }
        var context = source.context
        var typeContext = source.typeContext
        if let term = context.state.terms[ExactText(key)], term.definition.context != nil {
            context = try located(job) { () throws(LinkedDataError) in
                try contexts.applyScoped(term, to: context, propagates: true, overridesProtected: true)
            }
            typeContext = context
        }
        let place = place(.name(key), in: source.place)
        var sources: [Source] = []
        if value.elements.isEmpty { try refuseEmptyValue(job, .name(key)) }
        for (index, element) in value.elements.enumerated() {
            guard case .object(let object) = element else {
                throw failure(.invalidNestValue, "a value of @nest is not an object", job, .name(key))
            }
            let keys = try expandedKeys(object, context)
            guard !keys.contains(where: { $0.keyword == .value }) else {
                throw failure(.invalidNestValue, "a value of @nest is a value object", job, .name(key))
            }
            if object.isEmpty { try refuseEmptyValue(job, .name(key)) }
            if object.contains("@context") { try refuseDropped("@context inside @nest is ignored", job, .name(key)) }
            sources.append(
                Source(
                    object: object,
                    context: context,
                    typeContext: typeContext,
                    keys: keys,
                    place: value.arrayValue == nil ? place : self.place(.index(index), in: place),
                    nest: ExactText(key)
                )
            )
        }
        return sources
    }
}

extension ActiveProperty {
    var isReverse: Bool { if case .reverse = self { true } else { false } }
}
