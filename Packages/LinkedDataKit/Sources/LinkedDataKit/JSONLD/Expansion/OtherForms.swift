import VerificationCore

/// A place where a document does not have the form that compaction with its context would give it.
///
/// The statements are those of the compacted form, so that a signature over them holds, and readers of the JSON miss what
/// they look for.
struct OtherForm: Hashable, Sendable {
    let path: [String]
    let message: String
    /// The place only has a text for a number or truth value, or the other way round.
    let isLiteralForm: Bool
}

/// The places of one document that have another form than the compacted one.
final class OtherForms {
    /// The first places; the others are not kept.
    private(set) var found: [OtherForm] = []
    /// A property is named by an IRI, and has no term.
    var hasIRINames = false
    private var searches = 0
    private var indexes: [UInt64: NameIndex] = [:]

    private static let maximum = 8
    /// The searches through all terms before an index of the names is made.
    private static let maximumSearches = 16

    var isFull: Bool { found.count >= Self.maximum }

    func add(_ message: String, isLiteralForm: Bool, at path: @autoclosure () -> [String]) {
        if !isFull { found.append(OtherForm(path: path(), message: message, isLiteralForm: isLiteralForm)) }
    }

    /// The name that a context has for an IRI or keyword, or nil; the least of several.
    ///
    /// Most documents ask for a few names. Only for many is an index worth its memory.
    func name(of target: NamedTarget, in context: ActiveContext) -> ExactText? {
        guard searches >= Self.maximumSearches else {
            searches += 1
            return context.state.terms.lazy.filter { NamedTarget($0.key, $0.value) == target }.map(\.key).min()
        }
        if let index = indexes[context.id] { return index.names[target] }
        let index = NameIndex(context.state.terms)
        indexes[context.id] = index
        return index.names[target]
    }
}

/// The IRI or keyword that a term stands for.
enum NamedTarget: Hashable {
    case iri(ExactText)
    case keyword(Keyword)

    /// The target of a term that can stand in a document in its place; nil for reverse terms and keywords themselves.
    init?(_ name: ExactText, _ term: DefinedTerm) {
        guard !term.definition.isReverse else { return nil }
        switch term.mapping {
        case .keyword(let keyword):
            guard Keyword(name.text) == nil else { return nil }
            self = .keyword(keyword)
        case .iri(let iri, _): self = .iri(ExactText(iri))
        case .null: return nil
        }
    }
}

/// The terms of a context by what they stand for; the least of several.
private struct NameIndex {
    private(set) var names: [NamedTarget: ExactText] = [:]

    init(_ definitions: [ExactText: DefinedTerm]) {
        for (name, term) in definitions {
            guard let target = NamedTarget(name, term) else { continue }
            names[target] = names[target].map { min($0, name) } ?? name
        }
    }
}
