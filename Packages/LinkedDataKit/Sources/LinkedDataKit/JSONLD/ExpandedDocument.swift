public import JSONKit

/// A document in expanded form: every term is an IRI, and nothing depends on a context any more (JSON-LD 1.1 API,
/// section 5.1).
public struct ExpandedDocument: Sendable {
    /// The node objects as a JSON array.
    public let value: JSONValue
    /// The options that the document was expanded with.
    public let options: JSONLDOptions

    init(_ nodes: [JSONValue], options: JSONLDOptions) {
        value = .array(nodes)
        self.options = options
    }

    /// Converts the document to RDF (JSON-LD 1.1 API, section 8.1).
    ///
    /// Blank nodes get labels of the series `b0`, `b1` …
    ///
    /// - Throws: ``LinkedDataError`` in safe mode for everything that has no form in RDF; else for JSON literals without
    ///   a canonical form, nodes with two values of `@index`, and generalized RDF.
    public func toRDF() throws(LinkedDataError) -> RDFDataset {
        guard !options.producesGeneralizedRDF else {
            throw LinkedDataError(.generalizedRDFNotSupported, "blank nodes cannot be predicates")
        }
        var converter = RDFConverter(options: options)
        return try converter.convert(value.elements)
    }
}
