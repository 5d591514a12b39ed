public import JSONKit
public import VerificationCore

/// The definition of a term in an active context (JSON-LD 1.1 API, section 4.1, "term definition").
public struct TermDefinition: Hashable, Sendable {
    /// The containers of a term (`@container`).
    public struct Container: OptionSet, Hashable, Sendable {
        /// One bit for each container.
        public let rawValue: UInt8

        /// Makes a set of its bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The container `@list`.
        public static let list = Container(rawValue: 1)
        /// The container `@set`.
        public static let set = Container(rawValue: 2)
        /// The container `@language`.
        public static let language = Container(rawValue: 4)
        /// The container `@index`.
        public static let index = Container(rawValue: 8)
        /// The container `@id`.
        public static let id = Container(rawValue: 16)
        /// The container `@type`.
        public static let type = Container(rawValue: 32)
        /// The container `@graph`.
        public static let graph = Container(rawValue: 64)
    }

    /// An entry that may be absent, null or have a value.
    public enum Entry<Value: Hashable & Sendable>: Hashable, Sendable {
        /// The definition has no such entry; the default of the context counts.
        case absent
        /// The entry is null, and there is no default.
        case null
        /// The entry has a value.
        case value(Value)
    }

    /// The IRI, blank node or keyword that the term stands for; nil if the term is decoupled from any.
    public internal(set) var iri: ExactText?
    /// Indicates that compact IRIs may use the term as their prefix.
    public internal(set) var isPrefix = false
    /// Indicates that later contexts must not redefine the term.
    public internal(set) var isProtected = false
    /// Indicates that the term is a reverse property.
    public internal(set) var isReverse = false
    /// The URL of the document that the definition comes from, against which its own context is resolved.
    public internal(set) var baseURL: ExactText?
    /// The context that applies to the values of the property, or to nodes of the type.
    public internal(set) var context: JSONValue?
    /// The containers.
    public internal(set) var container: Container = []
    /// The base direction of strings.
    public internal(set) var direction: Entry<BaseDirection> = .absent
    /// The property that the keys of an index map are values of.
    public internal(set) var index: ExactText?
    /// The language of strings.
    public internal(set) var language: Entry<ExactText> = .absent
    /// The term or keyword that the property is nested under.
    public internal(set) var nest: ExactText?
    /// The IRI or keyword that values are coerced to.
    public internal(set) var type: ExactText?

    init() {}

    /// Returns `true` for definitions that differ at most in their protection, and in the document that they come from if
    /// nothing in them depends on its URL.
    ///
    /// Contexts repeat each other's terms with their own contexts, so that they can be used together.
    func isSame(as other: TermDefinition) -> Bool {
        var other = other
        other.isProtected = isProtected
        if baseURL != other.baseURL, let context, !Self.namesRelativeURL(context) { other.baseURL = baseURL }
        return self == other
    }

    /// Returns `true` if a context, or one inside its terms, names another by a relative URL.
    private static func namesRelativeURL(_ context: JSONValue) -> Bool {
        var pending = [context]
        while let context = pending.popLast() {
            for entry in context.elements {
                switch entry {
                case .string(let url): if !ExpandedIRI.isAbsolute(url) { return true }
                case .object(let object):
                    if let url = object["@import"] { pending.append(url) }
                    pending += object.compactMap { $0.value["@context"] }
                default: break
                }
            }
        }
        return false
    }
}

/// A term definition with what expansion asks for most, worked out once.
final class DefinedTerm: Sendable {
    /// The coercion of values.
    enum Coercion: Sendable {
        case absent
        case id
        case vocab
        case json
        case none
        case type(String)
    }

    let definition: TermDefinition
    let mapping: ExpandedIRI
    let coercion: Coercion
    /// Indicates that the term stands for an absolute IRI, which need not be checked at each use.
    let hasWellFormedIRI: Bool
    /// A number of its own, for keys of processed contexts.
    let id: UInt64

    init(_ definition: TermDefinition) {
        self.definition = definition
        if let iri = definition.iri?.text {
            mapping = Keyword(iri).map(ExpandedIRI.keyword) ?? .iri(iri, .term)
        } else {
            mapping = .null
        }
        coercion =
            switch definition.type?.text {
            case nil: .absent
            case Keyword.id.rawValue?: .id
            case Keyword.vocab.rawValue?: .vocab
            case Keyword.json.rawValue?: .json
            case Keyword.none.rawValue?: .none
            case let type?: .type(type)
            }
        hasWellFormedIRI = definition.iri.map { IRIReference.isWellFormed($0.text) } ?? false
        id = UniqueNumber.next()
    }
}
