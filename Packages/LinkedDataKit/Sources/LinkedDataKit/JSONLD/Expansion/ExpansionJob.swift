import JSONKit
import VerificationCore

/// The property that an element is a value of.
enum ActiveProperty {
    /// None: the element is the document, or stands in its outermost array.
    case none
    case graph
    case included
    case reverse
    /// A term, with its definition in the context of the element, or a compact or absolute IRI without one.
    case term(String, DefinedTerm?)

    var term: DefinedTerm? { if case .term(_, let term) = self { term } else { nil } }

    /// The same property with its definition in another context.
    func defined(in context: ActiveContext) -> ActiveProperty {
        guard case .term(let name, _) = self else { return self }
        return .term(name, context.state.terms[ExactText(name)])
    }

    /// Indicates that values without a node are to be dropped (JSON-LD 1.1 API, section 5.1.2, step 19).
    var dropsFreeValues: Bool {
        switch self {
        case .none, .graph: true
        default: false
        }
    }
}

/// The expansion of one array or object.
///
/// Expansion goes down through the document and makes a job for each array and object; then it goes back from the last
/// job to the first, and each job finds the results of those below it. A job comes after the one that it belongs to.
struct ExpansionJob {
    /// The place of an element within the one above it.
    enum Step {
        case none
        case name(String)
        case index(Int)
    }

    /// A value: known, or the result of another job.
    ///
    /// A known nil is the null of the specification.
    enum Slot {
        case value(JSONValue?)
        case job(Int)
    }

    /// One value of an index, id or type map.
    struct MapValue {
        let key: String
        let expandedKey: ExpandedIRI
        let slot: Slot
    }

    /// One entry of an object.
    struct Entry {
        enum Content {
            case slot(Slot)
            /// The values of a map, with the context of its keys.
            case map([MapValue], ActiveContext)
        }

        /// The name in the document.
        let key: String
        /// The keyword, or nil for a property.
        let keyword: Keyword?
        /// The IRI of the property.
        let iri: String
        let term: DefinedTerm?
        let content: Content
        /// The number of its place, where blank nodes are named.
        let place: Int
    }

    let element: JSONValue
    /// The context that was in force around the element; then that of the element itself.
    var context: ActiveContext
    let property: ActiveProperty
    let isFromMap: Bool
    let parent: Int
    let step: Step
    let depth: Int
    /// The number of the element's place, where blank nodes are named.
    let place: Int
    /// The array only stands around the value of the document, and has its place.
    let isWrapped: Bool
    /// The values of an array.
    var slots: [Slot] = []
    /// The entries of an object.
    var entries: [Entry] = []
    /// The value of an object's `@type` is `@json`.
    var isJSONLiteral = false
    /// The result, once it is known; nil is the null of the specification.
    var result: JSONValue?

    init(
        _ element: JSONValue,
        context: ActiveContext,
        property: ActiveProperty,
        isFromMap: Bool = false,
        parent: Int,
        step: Step,
        depth: Int,
        place: Int,
        isWrapped: Bool
    ) {
        self.element = element
        self.context = context
        self.property = property
        self.isFromMap = isFromMap
        self.parent = parent
        self.step = step
        self.depth = depth
        self.place = place
        self.isWrapped = isWrapped
    }
}
