import JSONKit
import VerificationCore

// Create Term Definition (JSON-LD 1.1 API, section 4.2.2), in the order in which terms depend on each other.
extension ContextBuilder {
    /// Defines a term, and before it the terms that its definition names.
    ///
    /// The specification defines those by recursion. Here they wait on a stack, so that a long chain does no harm.
    mutating func define(_ name: String) throws(LinkedDataError) {
        guard progress[ExactText(name)] == nil else { return }
        progress[ExactText(name)] = .begun
        var stack = [name]
        while let name = stack.last {
            if let dependency = try nextDependency(of: name) {
                progress[ExactText(dependency)] = .begun
                stack.append(dependency)
            } else {
                do throws(LinkedDataError) {
                    try createDefinition(of: name)
                } catch {
                    throw error.inside(name)
                }
                progress[ExactText(name)] = .complete
                stack.removeLast()
            }
        }
    }

    /// A term that the definition of another one names and that is not defined yet.
    private func nextDependency(of name: String) throws(LinkedDataError) -> String? {
        for dependency in dependencies(of: name) {
            switch progress[ExactText(dependency)] {
            case .complete?: continue
            case .begun?:
                throw failure(.cyclicIRIMapping, "the definition depends on itself through \(dependency)", name)
            case nil: return dependency
            }
        }
        return nil
    }

    private func dependencies(of name: String) -> [String] {
        var found: [String] = []
        switch local[name] {
        case .string(let iri)?:
            if !iri.hasSameBytes(as: name), let dependency = dependency(of: iri) { found.append(dependency) }
        case .object(let value)?:
            for entry in ["@id", "@reverse", "@type", "@index"] {
                guard let text = value[entry]?.stringValue, entry != "@id" || !text.hasSameBytes(as: name) else {
                    continue
                }
                if let dependency = dependency(of: text) { found.append(dependency) }
            }
        default: break
        }
        if let (prefix, suffix) = CompactIRI.split(name), !CompactIRI.hasAuthority(suffix),
            let dependency = localTerm(String(prefix)), !dependency.hasSameBytes(as: name)
        {
            found.append(dependency)
        }
        return found
    }

    /// The term of this context that IRI expansion of a text needs (section 5.2.2, steps 3 and 6.3).
    private func dependency(of text: String) -> String? {
        if let term = localTerm(text) { return term }
        guard state.terms[ExactText(text)] == nil, let (prefix, suffix) = CompactIRI.split(text),
            !CompactIRI.isWhole(prefix, suffix)
        else { return nil }
        return localTerm(String(prefix))
    }

    private func localTerm(_ text: String) -> String? {
        guard !text.isEmpty, !Keyword.isForm(text), local[text] != nil else { return nil }
        return text
    }

    // MARK: One term

    private mutating func createDefinition(of name: String) throws(LinkedDataError) {
        guard !name.isEmpty else { throw LinkedDataError(.invalidTermDefinition, "a term is empty") }
        let value = try checkedValue(of: name)
        guard let value else { return }
        let previous = state.terms.removeValue(forKey: ExactText(name))
        var definition = try definition(of: name, value)
        if !settings.overridesProtected, let previous, previous.definition.isProtected {
            guard let redefined = definition, redefined.isSame(as: previous.definition) else {
                throw LinkedDataError(.protectedTermRedefinition, "\(ExactText(name)) is protected")
            }
            state.terms[ExactText(name)] = previous
            definition = nil
        }
        guard let definition else { return }
        try count(definition.iri?.text)
        try count(definition.type?.text)
        if let context = definition.context { scopedContexts.append((name, context)) }
        state.terms[ExactText(name)] = DefinedTerm(definition)
    }

    private func definition(of name: String, _ value: JSONValue) throws(LinkedDataError) -> TermDefinition? {
        var reader = try TermDefinitionReader(name: name, value: value, builder: self)
        return try reader.read()
    }

    /// The value of a term that may be defined; nil for one that is to be ignored (steps 4 and 5).
    private func checkedValue(of name: String) throws(LinkedDataError) -> JSONValue? {
        guard let value = local[name] else { return nil }
        if name == "@type" {
            let isAllowed =
                mode == .jsonLD11
                && value.objectValue.map { object in
                    !object.isEmpty
                        && object.allSatisfy { name, value in
                            name == "@protected" || name == "@container" && value.stringValue == "@set"
                        }
                } ?? false
            guard isAllowed else { throw LinkedDataError(.keywordRedefinition, "@type is redefined") }
            return value
        }
        guard Keyword(name) == nil else { throw LinkedDataError(.keywordRedefinition, "\(name) is redefined") }
        return Keyword.isForm(name) ? nil : value
    }
}
