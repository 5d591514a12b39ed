import JSONKit
import Synchronization
public import VerificationCore

/// An active context: the meaning of terms at one place of a document (JSON-LD 1.1 API, section 4.1).
///
/// ``JSONLDProcessor/activeContext(of:options:)`` makes one of a local context.
public final class ActiveContext: Sendable {
    let state: ContextState
    /// A number of its own, for keys of contexts that are processed on top of this one.
    let id: UInt64
    /// The work of the local contexts, beside pinned documents, that were processed for it.
    let cost: ContextCost

    init(_ state: ContextState, cost: ContextCost = ContextCost()) {
        self.state = state
        self.cost = cost
        id = UniqueNumber.next()
    }

    /// The IRI that relative references are resolved against, or nil.
    public var baseIRI: String? { state.baseIRI }
    /// The IRI that terms without a definition are appended to, or nil.
    public var vocabularyMapping: String? { state.vocabularyMapping }
    /// The language of strings without one, or nil.
    public var defaultLanguage: String? { state.defaultLanguage }
    /// The base direction of strings without one, or nil.
    public var defaultBaseDirection: BaseDirection? { state.defaultBaseDirection }
    /// The terms that are defined, in no particular order.
    public var terms: some Collection<ExactText> { state.terms.keys }
    /// The definition of a term, or nil.
    public subscript(term: ExactText) -> TermDefinition? { state.terms[term]?.definition }
}

extension ActiveContext: Equatable {
    /// Returns `true` for contexts that give the same meaning to everything.
    public static func == (left: ActiveContext, right: ActiveContext) -> Bool {
        left === right || left.state == right.state
    }
}

/// The entries of an active context while it is made.
struct ContextState: Sendable {
    var baseIRI: String?
    /// The base URL of the document, which a null context goes back to.
    let originalBaseURL: String?
    var vocabularyMapping: String?
    var defaultLanguage: String?
    var defaultBaseDirection: BaseDirection?
    /// The context to go back to where this one does not propagate into nested nodes.
    var previousContext: ActiveContext?
    var terms: [ExactText: DefinedTerm] = [:]

    /// The initial context of a document (section 4.1).
    init(originalBaseURL: String?) {
        self.originalBaseURL = originalBaseURL
        baseIRI = originalBaseURL
    }

    var hasProtectedTerms: Bool { terms.values.contains { $0.definition.isProtected } }
}

extension ContextState: Equatable {
    static func == (left: ContextState, right: ContextState) -> Bool {
        let isSameEnvironment =
            left.baseIRI.map(ExactText.init) == right.baseIRI.map(ExactText.init)
            && left.vocabularyMapping.map(ExactText.init) == right.vocabularyMapping.map(ExactText.init)
            && left.defaultLanguage.map(ExactText.init) == right.defaultLanguage.map(ExactText.init)
            && left.defaultBaseDirection == right.defaultBaseDirection
        return isSameEnvironment && left.previousContext == right.previousContext
            && left.terms.mapValues(\.definition) == right.terms.mapValues(\.definition)
    }
}

/// Numbers that are given out once in the life of a process.
enum UniqueNumber {
    private static let last = Atomic<UInt64>(0)

    static func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
