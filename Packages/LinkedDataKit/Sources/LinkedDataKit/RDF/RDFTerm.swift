public import VerificationCore

/// A term of RDF 1.1: an IRI, a blank node or a literal.
///
/// Two terms are equal if their bytes in UTF-8 are (RDF 1.1 Concepts, sections 3.2 and 3.3).
public enum RDFTerm: Hashable, Sendable {
    /// An IRI, absolute and without escapes.
    case iri(ExactText)
    /// A blank node by its label, without the leading `_:`.
    case blankNode(ExactText)
    /// A literal.
    case literal(RDFLiteral)
}

/// A literal of RDF 1.1 (RDF 1.1 Concepts, section 3.3).
public struct RDFLiteral: Hashable, Sendable {
    /// The text of the literal, without escapes.
    public let lexicalForm: ExactText
    /// The IRI of the datatype.
    public let datatype: ExactText
    /// The language tag as given, for literals of the datatype `rdf:langString` alone.
    public let language: ExactText?

    /// Makes a literal of a datatype, `xsd:string` unless said otherwise.
    public init(_ lexicalForm: ExactText, datatype: ExactText = RDFVocabulary.xsdString) {
        self.lexicalForm = lexicalForm
        self.datatype = datatype
        language = nil
    }

    /// Makes a literal with a language tag.
    public init(_ lexicalForm: ExactText, language: ExactText) {
        self.lexicalForm = lexicalForm
        datatype = RDFVocabulary.rdfLangString
        self.language = language
    }
}

/// One statement of a dataset (RDF 1.1 Concepts, section 4).
public struct RDFQuad: Hashable, Sendable {
    /// The subject: an IRI or a blank node.
    public let subject: RDFTerm
    /// The predicate: an IRI.
    public let predicate: RDFTerm
    /// The object: any term.
    public let object: RDFTerm
    /// The name of the graph, an IRI or a blank node; nil for the default graph.
    public let graph: RDFTerm?

    /// Makes a statement; ``RDFDataset/insert(_:)`` checks that each term is allowed at its place.
    public init(subject: RDFTerm, predicate: RDFTerm, object: RDFTerm, graph: RDFTerm? = nil) {
        self.subject = subject
        self.predicate = predicate
        self.object = object
        self.graph = graph
    }
}

/// The IRIs that the algorithms of JSON-LD and RDF name themselves.
public enum RDFVocabulary {
    static let i18n = "https://www.w3.org/ns/i18n#"

    /// The datatype of plain strings.
    public static let xsdString: ExactText = "http://www.w3.org/2001/XMLSchema#string"
    /// The datatype of strings with a language tag.
    public static let rdfLangString: ExactText = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
    /// The datatype of JSON literals.
    public static let rdfJSON: ExactText = "http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON"

    // Whole literals: the references to a text that is put together are counted, by all threads in one place.
    static let xsdBoolean = "http://www.w3.org/2001/XMLSchema#boolean"
    static let xsdInteger = "http://www.w3.org/2001/XMLSchema#integer"
    static let xsdDouble = "http://www.w3.org/2001/XMLSchema#double"
    static let rdfType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
    static let rdfFirst = "http://www.w3.org/1999/02/22-rdf-syntax-ns#first"
    static let rdfRest = "http://www.w3.org/1999/02/22-rdf-syntax-ns#rest"
    static let rdfNil = "http://www.w3.org/1999/02/22-rdf-syntax-ns#nil"
    static let rdfValue = "http://www.w3.org/1999/02/22-rdf-syntax-ns#value"
    static let rdfLanguage = "http://www.w3.org/1999/02/22-rdf-syntax-ns#language"
    static let rdfDirection = "http://www.w3.org/1999/02/22-rdf-syntax-ns#direction"
}
