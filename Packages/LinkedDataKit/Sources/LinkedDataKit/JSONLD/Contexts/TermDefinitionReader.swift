import JSONKit
import VerificationCore

/// Reads the definition of one term (JSON-LD 1.1 API, section 4.2.2, steps 7 to 26).
///
/// Terms that the definition names are defined already.
struct TermDefinitionReader {
    private let name: String
    private let value: JSONObject
    private let isSimple: Bool
    private let builder: ContextBuilder
    private var definition = TermDefinition()

    private static let entries: Set<Keyword> = [
        .id, .reverse, .container, .context, .direction, .index, .language, .nest, .prefix, .protected, .type,
    ]

    init(name: String, value: JSONValue, builder: ContextBuilder) throws(LinkedDataError) {
        self.name = name
        self.builder = builder
        switch value {
        case .null:
            self.value = ["@id": nil]
            isSimple = false
        case .string:
            self.value = ["@id": value]
            isSimple = true
        case .object(let object):
            self.value = object
            isSimple = false
        default: throw LinkedDataError(.invalidTermDefinition, "a definition is neither an object, a string nor null")
        }
    }

    /// The definition; nil for a term that is to be ignored.
    mutating func read() throws(LinkedDataError) -> TermDefinition? {
        definition.isProtected = builder.isProtected
        if let isProtected = value["@protected"] {
            try builder.refuseIn10("@protected", .invalidTermDefinition)
            guard let isProtected = isProtected.boolValue else {
                throw failure(.invalidProtectedValue, "@protected is not a truth value", "@protected")
            }
            definition.isProtected = isProtected
        }
        try readType()
        if value["@reverse"] != nil {
            guard try readReverse() else { return nil }
        } else {
            guard try readIRI() else { return nil }
            try readContainer()
        }
        try readIndex()
        try readContext()
        try readStrings()
        try readNest()
        try readPrefix()
        for (entry, _) in value where !(Keyword(entry).map(Self.entries.contains) ?? false) {
            throw failure(.invalidTermDefinition, "a definition has an unknown entry", entry)
        }
        return definition
    }

    private mutating func readType() throws(LinkedDataError) {
        guard let type = value["@type"] else { return }
        guard case .string(let text) = type else {
            throw failure(.invalidTypeMapping, "@type is not a string", "@type")
        }
        switch builder.state.expandIRI(text, vocabulary: true) {
        case .keyword(let keyword) where keyword == .id || keyword == .vocab:
            definition.type = ExactText(keyword.rawValue)
        case .keyword(let keyword) where keyword == .json || keyword == .none:
            try builder.refuseIn10(keyword.rawValue, .invalidTypeMapping)
            definition.type = ExactText(keyword.rawValue)
        case .iri(let iri, _) where ExpandedIRI.isAbsolute(iri) && !ExpandedIRI.isBlankNode(iri):
            definition.type = ExactText(iri)
        default: throw failure(.invalidTypeMapping, "\(ExactText(text)) is neither an IRI nor a keyword", "@type")
        }
    }

    /// Reads a reverse property (step 13), and returns `false` for one that is to be ignored.
    private mutating func readReverse() throws(LinkedDataError) -> Bool {
        guard value["@id"] == nil, value["@nest"] == nil else {
            throw failure(.invalidReverseProperty, "a reverse property has @id or @nest", "@reverse")
        }
        guard case .string(let text)? = value["@reverse"] else {
            throw failure(.invalidIRIMapping, "@reverse is not a string", "@reverse")
        }
        // Unlike step 14.2.2 for @id, step 13.3 leaves out keywords as well.
        guard !Keyword.isForm(text) else { return false }
        guard case .iri(let iri, _) = builder.state.expandIRI(text, vocabulary: true), ExpandedIRI.isAbsolute(iri)
        else {
            throw failure(.invalidIRIMapping, "\(ExactText(text)) is not an IRI", "@reverse")
        }
        definition.iri = ExactText(iri)
        definition.isReverse = true
        switch value["@container"] {
        case nil, .null?: break
        case .string("@set")?: definition.container = .set
        case .string("@index")?: definition.container = .index
        default:
            throw failure(.invalidReverseProperty, "a reverse property is neither a set nor an index", "@container")
        }
        return true
    }

    // MARK: IRI mapping

    /// Reads the IRI of the term (steps 14 to 18), and returns `false` for a term that is to be ignored.
    private mutating func readIRI() throws(LinkedDataError) -> Bool {
        if let id = value["@id"], !(id.stringValue?.hasSameBytes(as: name) ?? false) {
            if id.isNull { return true }
            guard case .string(let text) = id else {
                throw failure(.invalidIRIMapping, "@id is neither a string nor null", "@id")
            }
            return try readIRI(text)
        }
        let state = builder.state
        if let (prefix, suffix) = CompactIRI.split(name) {
            if let iri = state.terms[ExactText(String(prefix))]?.definition.iri, !CompactIRI.hasAuthority(suffix) {
                definition.iri = ExactText(iri.text + suffix)
            } else {
                definition.iri = ExactText(name)
            }
        } else if name.utf8.contains(UInt8(ascii: "/")) {
            guard case .iri(let iri, _) = state.expandIRI(name, vocabulary: true), ExpandedIRI.isAbsolute(iri) else {
                throw failure(.invalidIRIMapping, "the term is not an IRI", "@id")
            }
            definition.iri = ExactText(iri)
        } else if name == "@type" {
            definition.iri = "@type"
        } else if let vocabulary = state.vocabularyMapping {
            definition.iri = ExactText(vocabulary + name)
        } else {
            throw failure(.invalidIRIMapping, "the term has no @id, and the context no @vocab", "@id")
        }
        return true
    }

    private mutating func readIRI(_ text: String) throws(LinkedDataError) -> Bool {
        guard Keyword(text) != nil || !Keyword.isForm(text) else { return false }
        let expanded = builder.state.expandIRI(text, vocabulary: true)
        guard let iri = expanded.text, expanded.keyword != nil || ExpandedIRI.isAbsolute(iri) else {
            throw failure(.invalidIRIMapping, "\(ExactText(text)) is neither an IRI nor a keyword", "@id")
        }
        guard expanded.keyword != .context, expanded.keyword != .preserve else {
            throw failure(.invalidKeywordAlias, "the term is an alias of \(iri)", "@id")
        }
        definition.iri = ExactText(iri)
        let hasColonInside = name.utf8.dropFirst().dropLast().contains(UInt8(ascii: ":"))
        if hasColonInside || name.utf8.contains(UInt8(ascii: "/")) {
            // The term's own definition does not count here; it was taken out before.
            let expandedName = builder.state.expandIRI(name, vocabulary: true).text
            guard expandedName.map({ $0.hasSameBytes(as: iri) }) ?? false else {
                throw failure(.invalidIRIMapping, "the term looks like another IRI than its own", "@id")
            }
        } else if !name.utf8.contains(UInt8(ascii: ":")), isSimple {
            definition.isPrefix = ExpandedIRI.isBlankNode(iri) || iri.utf8.last.map(Self.isDelimiter) ?? false
        }
        return true
    }

    /// Returns `true` for the general delimiters of RFC 3986, section 2.2.
    private static func isDelimiter(_ byte: UInt8) -> Bool { ":/?#[]@".utf8.contains(byte) }

    // MARK: Other entries

    private mutating func readContainer() throws(LinkedDataError) {
        guard let container = value["@container"] else { return }
        let names = container.arrayValue ?? [container]
        let parts = try names.map { (part) throws(LinkedDataError) -> TermDefinition.Container in
            guard let part = part.stringValue.flatMap({ Keyword($0) }).flatMap({ TermDefinition.Container($0) }) else {
                throw failure(.invalidContainerMapping, "an entry of @container is not a container", "@container")
            }
            return part
        }
        let union = parts.reduce(into: TermDefinition.Container()) { $0.formUnion($1) }
        let isAllowed =
            switch union.subtracting(.set) {
            case [], .index, .graph, .id, .type, .language, [.graph, .id], [.graph, .index]: !parts.isEmpty
            case .list: !union.contains(.set)
            default: false
            }
        guard isAllowed, union.count == parts.count else {
            throw failure(.invalidContainerMapping, "the containers do not go together", "@container")
        }
        if builder.mode == .jsonLD10 {
            let isAllowed = container.stringValue != nil && union.isDisjoint(with: [.graph, .id, .type])
            guard isAllowed else {
                throw failure(.invalidContainerMapping, "the container is not part of JSON-LD 1.0", "@container")
            }
        }
        definition.container = union
        if union.contains(.type) {
            definition.type = definition.type ?? "@id"
            guard definition.type == "@id" || definition.type == "@vocab" else {
                throw failure(.invalidTypeMapping, "a type map has values of another type than @id or @vocab", "@type")
            }
        }
    }

    private mutating func readIndex() throws(LinkedDataError) {
        guard let index = value["@index"] else { return }
        try builder.refuseIn10("@index", .invalidTermDefinition)
        guard case .string(let text) = index, definition.container.contains(.index),
            case .iri(let iri, _) = builder.state.expandIRI(text, vocabulary: true), ExpandedIRI.isAbsolute(iri)
        else { throw failure(.invalidTermDefinition, "@index is not a property of an index map", "@index") }
        definition.index = ExactText(text)
    }

    private mutating func readContext() throws(LinkedDataError) {
        guard let context = value["@context"] else { return }
        try builder.refuseIn10("@context", .invalidTermDefinition)
        definition.context = context
        definition.baseURL = builder.settings.base.map(ExactText.init)
    }

    private mutating func readStrings() throws(LinkedDataError) {
        guard value["@type"] == nil else { return }
        switch value["@language"] {
        case nil: break
        case .null?: definition.language = .null
        case .string(let language)?: definition.language = .value(ExactText(language))
        default: throw failure(.invalidLanguageMapping, "@language is neither a string nor null", "@language")
        }
        if let direction = value["@direction"] {
            definition.direction = try builder.direction(direction, path: ["@direction"])
        }
    }

    private mutating func readNest() throws(LinkedDataError) {
        guard let nest = value["@nest"] else { return }
        try builder.refuseIn10("@nest", .invalidTermDefinition)
        guard case .string(let text) = nest, Keyword(text) == nil || text == "@nest" else {
            throw failure(.invalidNestValue, "@nest is neither a term nor @nest", "@nest")
        }
        definition.nest = ExactText(text)
    }

    private mutating func readPrefix() throws(LinkedDataError) {
        guard let prefix = value["@prefix"] else { return }
        try builder.refuseIn10("@prefix", .invalidTermDefinition)
        guard !name.utf8.contains(UInt8(ascii: ":")), !name.utf8.contains(UInt8(ascii: "/")) else {
            throw failure(.invalidTermDefinition, "a term with a colon or slash is no prefix", "@prefix")
        }
        guard let isPrefix = prefix.boolValue else {
            throw failure(.invalidPrefixValue, "@prefix is not a truth value", "@prefix")
        }
        guard !isPrefix || definition.iri.flatMap({ Keyword($0.text) }) == nil else {
            throw failure(.invalidTermDefinition, "a keyword is no prefix", "@prefix")
        }
        definition.isPrefix = isPrefix
    }

    private func failure(_ code: LinkedDataError.Code, _ message: String, _ entry: String) -> LinkedDataError {
        LinkedDataError(code, message, path: [entry])
    }
}

extension TermDefinition.Container {
    /// The container that a keyword names, or nil.
    init?(_ keyword: Keyword) {
        switch keyword {
        case .list: self = .list
        case .set: self = .set
        case .language: self = .language
        case .index: self = .index
        case .id: self = .id
        case .type: self = .type
        case .graph: self = .graph
        default: return nil
        }
    }

    /// The number of containers.
    var count: Int { rawValue.nonzeroBitCount }
}
