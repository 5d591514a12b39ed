import VerificationCore

/// The limits for reading N-Quads; each bound is the largest accepted.
public struct NQuadsLimits: Hashable, Sendable {
    /// The largest length of the text in bytes: 16 MiB by default.
    public var size: Int
    /// The largest number of different quads: 100,000 by default.
    public var quads: Int

    /// Makes limits, of which those that are not given have their default.
    public init(size: Int = 16 << 20, quads: Int = 100_000) {
        self.size = size
        self.quads = quads
    }

    /// The default of each limit.
    public static let `default` = NQuadsLimits()
}

/// A statement as the numbers of its terms in a ``TermTable``.
struct QuadIDs: Hashable, Sendable {
    /// The number that stands for the default graph.
    static let defaultGraph = TermID.max

    var subject: TermID
    var predicate: TermID
    var object: TermID
    var graph: TermID

    func hash(into hasher: inout Hasher) {
        hasher.combine(UInt64(subject) << 32 | UInt64(predicate))
        hasher.combine(UInt64(object) << 32 | UInt64(graph))
    }
}

/// An RDF dataset: a set of quads (RDF 1.1 Concepts, section 4).
///
/// ```swift
/// let dataset = try RDFDataset(parsing: Array("_:a <https://schema.org/name> \"Alice\" .\n".utf8))
/// print(dataset.quads[0].object)
/// ```
public struct RDFDataset: Sendable {
    /// The terms of the quads.
    var terms = TermTable()
    /// The quads in the order in which they came in, each once.
    private(set) var quadIDs: [QuadIDs] = []
    /// The same quads, once there are many.
    private var known: Set<QuadIDs> = []

    /// Up to this many quads are compared one by one, which costs less than hashing them.
    private static let mostScanned = 32

    /// Makes a dataset without quads.
    public init() {}

    /// Reads N-Quads (RDF 1.1 N-Quads) in UTF-8.
    ///
    /// - Throws: ``LinkedDataError`` with code ``LinkedDataError/Code/invalidNQuads`` or
    ///   ``LinkedDataError/Code/invalidIRI`` and the offset, or ``LinkedDataError/Code/limitExceeded``.
    public init(parsing nQuads: some Sequence<UInt8>, limits: NQuadsLimits = .default) throws(LinkedDataError) {
        var reader = try NQuadsReader(Array(nQuads), limits: limits)
        self = try reader.read()
    }

    /// The number of quads.
    public var count: Int { quadIDs.count }

    /// The quads, in the order in which they came in.
    public var quads: [RDFQuad] {
        quadIDs.map { quad in
            RDFQuad(
                subject: terms.term(quad.subject),
                predicate: terms.term(quad.predicate),
                object: terms.term(quad.object),
                graph: quad.graph == QuadIDs.defaultGraph ? nil : terms.term(quad.graph)
            )
        }
    }

    /// Adds a quad, unless it is in the dataset already.
    ///
    /// - Throws: ``LinkedDataError`` with code ``LinkedDataError/Code/invalidTerm`` for a term that is not allowed at
    ///   its place, or ``LinkedDataError/Code/invalidIRI``.
    public mutating func insert(_ quad: RDFQuad) throws(LinkedDataError) {
        let subject = try quad.subject.validated("subject", allows: [.iri, .blankNode])
        let predicate = try quad.predicate.validated("predicate", allows: [.iri])
        let object = try quad.object.validated("object", allows: [.iri, .blankNode, .literal])
        let graph = try quad.graph?.validated("graph", allows: [.iri, .blankNode])
        insert(
            QuadIDs(
                subject: terms.intern(subject.appendForm),
                predicate: terms.intern(predicate.appendForm),
                object: terms.intern(object.appendForm),
                graph: graph.map { terms.intern($0.appendForm) } ?? QuadIDs.defaultGraph
            )
        )
    }

    /// Adds a quad of terms of this dataset.
    mutating func insert(_ quad: QuadIDs) {
        if quadIDs.count < Self.mostScanned {
            if !quadIDs.contains(quad) { quadIDs.append(quad) }
            return
        }
        if known.isEmpty { known = Set(quadIDs) }
        if known.insert(quad).inserted { quadIDs.append(quad) }
    }

    /// The dataset as N-Quads with the labels that its blank nodes have, one quad a line, in the order of ``quads``.
    public func nQuads() -> [UInt8] {
        quadIDs.reduce(into: []) { bytes, quad in
            for term in [quad.subject, quad.predicate, quad.object] {
                bytes += terms.form(of: term)
                bytes.append(UInt8(ascii: " "))
            }
            if quad.graph != QuadIDs.defaultGraph {
                bytes += terms.form(of: quad.graph)
                bytes.append(UInt8(ascii: " "))
            }
            bytes += ".\n".utf8
        }
    }
}
