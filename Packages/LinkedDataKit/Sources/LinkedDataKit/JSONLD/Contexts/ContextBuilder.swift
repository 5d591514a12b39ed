import JSONKit
import VerificationCore

/// Adds the entries of one context object to an active context (JSON-LD 1.1 API, section 4.1.2, steps 5.4 to 5.13).
struct ContextBuilder {
    /// The progress of a term's definition.
    enum Progress {
        case begun
        case complete
    }

    let local: JSONObject
    let settings: ContextSettings
    let mode: JSONLDOptions.ProcessingMode
    private let limits: JSONLDLimits
    /// The work of the contexts before this one.
    private let before: ContextCost
    /// The work of this one alone: the bytes of the IRIs that it defines.
    private(set) var cost = ContextCost()
    var state: ContextState
    var progress: [ExactText: Progress] = [:]
    /// The value of `@protected`.
    var isProtected = false
    /// The contexts inside term definitions, which are still to be checked.
    var scopedContexts: [(name: String, context: JSONValue)] = []

    init(
        _ local: JSONObject,
        state: ContextState,
        settings: ContextSettings,
        options: JSONLDOptions,
        after before: ContextCost
    ) {
        self.local = local
        self.state = state
        self.settings = settings
        mode = options.processingMode
        limits = options.limits
        self.before = before
    }

    /// Counts the bytes of an IRI that is defined here; those of pinned documents are not the document's.
    mutating func count(_ iri: String?) throws(LinkedDataError) {
        guard let iri, !settings.isPinned else { return }
        cost += ContextCost(text: iri.utf8.count, iriLength: iri.utf8.count)
        try (before + cost).check(limits)
    }

    private static let ownEntries: Set<Keyword> = [
        .base, .direction, .import, .language, .propagate, .protected, .version, .vocab,
    ]

    mutating func build() throws(LinkedDataError) {
        try readVersion()
        try readBase()
        try readVocabulary()
        try readLanguage()
        try readDirection()
        if let value = local["@propagate"] {
            try refuseIn10("@propagate", .invalidContextEntry)
            guard value.boolValue != nil else {
                throw failure(.invalidPropagateValue, "@propagate is not a truth value", "@propagate")
            }
        }
        if let value = local["@protected"] {
            try refuseIn10("@protected", .invalidContextEntry)
            guard let value = value.boolValue else {
                throw failure(.invalidProtectedValue, "@protected is not a truth value", "@protected")
            }
            isProtected = value
        }
        for (name, _) in local where !(Keyword(name).map(Self.ownEntries.contains) ?? false) { try define(name) }
    }

    private func readVersion() throws(LinkedDataError) {
        guard let version = local["@version"] else { return }
        guard version.numberValue?.text == "1.1" else {
            throw failure(.invalidVersionValue, "@version is not 1.1", "@version")
        }
        try refuseIn10("@version", .processingModeConflict)
    }

    private mutating func readBase() throws(LinkedDataError) {
        guard let base = local["@base"], !settings.isPinned else { return }
        switch base {
        case .null: state.baseIRI = nil
        case .string(let reference) where IRIReference.hasScheme(reference):
            try count(reference)
            state.baseIRI = reference
        case .string(let reference):
            guard let current = state.baseIRI else {
                throw failure(.invalidBaseIRI, "a relative @base has nothing to be resolved against", "@base")
            }
            let base = IRIReference.resolve(reference, against: current)
            try count(base)
            state.baseIRI = base
        default: throw failure(.invalidBaseIRI, "@base is neither a string nor null", "@base")
        }
    }

    private mutating func readVocabulary() throws(LinkedDataError) {
        switch local["@vocab"] {
        case nil: break
        case .null?: state.vocabularyMapping = nil
        case .string(let text)?:
            let isRelative = !ExpandedIRI.isAbsolute(text)
            if isRelative, mode == .jsonLD10 {
                throw failure(.invalidVocabMapping, "@vocab is relative", "@vocab")
            }
            guard case .iri(let iri, _) = state.expandIRI(text, documentRelative: true, vocabulary: true) else {
                throw failure(.invalidVocabMapping, "@vocab is a keyword", "@vocab")
            }
            try count(iri)
            state.vocabularyMapping = iri
        default: throw failure(.invalidVocabMapping, "@vocab is neither a string nor null", "@vocab")
        }
    }

    private mutating func readLanguage() throws(LinkedDataError) {
        switch local["@language"] {
        case nil: break
        case .null?: state.defaultLanguage = nil
        case .string(let language)?: state.defaultLanguage = language
        default: throw failure(.invalidDefaultLanguage, "@language is neither a string nor null", "@language")
        }
    }

    private mutating func readDirection() throws(LinkedDataError) {
        guard let value = local["@direction"] else { return }
        try refuseIn10("@direction", .invalidContextEntry)
        switch try direction(value, path: ["@direction"]) {
        case .value(let direction): state.defaultBaseDirection = direction
        case .null, .absent: state.defaultBaseDirection = nil
        }
    }

    /// The base direction that an entry says.
    func direction(
        _ value: JSONValue,
        path: [String]
    ) throws(LinkedDataError) -> TermDefinition.Entry<BaseDirection> {
        if value.isNull { return .null }
        guard let direction = value.stringValue.flatMap(BaseDirection.init) else {
            throw LinkedDataError(.invalidBaseDirection, "@direction is neither ltr, rtl nor null", path: path)
        }
        return .value(direction)
    }

    func refuseIn10(_ entry: String, _ code: LinkedDataError.Code) throws(LinkedDataError) {
        guard mode == .jsonLD11 else { throw failure(code, "\(entry) is not part of JSON-LD 1.0", entry) }
    }

    func failure(_ code: LinkedDataError.Code, _ message: String, _ path: String...) -> LinkedDataError {
        LinkedDataError(code, message, path: path)
    }
}
