import VerificationCore

/// A place where a document does not have the form that compaction with its context would give it.
///
/// The statements are those of the compacted form, so that a signature over them holds, and readers of the JSON miss what
/// they look for.
struct OtherForm: Hashable, Sendable {
    let path: [String]
    let message: String
}

/// The places of one document that have another form than the compacted one.
final class OtherForms {
    /// The first places; the others are not kept.
    private(set) var found: [OtherForm] = []
    /// A property is named by an IRI, and has no term.
    var hasIRINames = false
    private var indexes: [UInt64: NameIndex] = [:]

    private static let maximum = 8

    var isFull: Bool { found.count >= Self.maximum }

    func add(_ message: String, at path: @autoclosure () -> [String]) {
        if !isFull { found.append(OtherForm(path: path(), message: message)) }
    }

    /// The names that a context has for IRIs and keywords.
    func names(of context: ActiveContext) -> NameIndex {
        if let index = indexes[context.id] { return index }
        let index = NameIndex(context.state.terms)
        indexes[context.id] = index
        return index
    }
}

/// The terms of a context by what they stand for; the least of several.
struct NameIndex {
    private var terms: [ExactText: ExactText] = [:]
    private var aliases: [Keyword: ExactText] = [:]

    init(_ definitions: [ExactText: DefinedTerm]) {
        for (name, term) in definitions where !term.definition.isReverse {
            switch term.mapping {
            case .keyword(let keyword):
                guard Keyword(name.text) == nil else { continue }
                aliases[keyword] = min(aliases[keyword] ?? name, name)
            case .iri(let iri, _): terms[ExactText(iri), default: name] = min(terms[ExactText(iri)] ?? name, name)
            case .null: break
            }
        }
    }

    /// The term for an IRI, or nil.
    subscript(iri: String) -> ExactText? { terms[ExactText(iri)] }

    /// The term for a keyword, or nil.
    subscript(keyword: Keyword) -> ExactText? { aliases[keyword] }
}
