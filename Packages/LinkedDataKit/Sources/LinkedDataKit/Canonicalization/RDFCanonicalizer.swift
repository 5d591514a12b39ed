package import CryptoCore
import VerificationCore

/// The RDF Dataset Canonicalization Algorithm (RDFC-1.0, section 4.4).
///
/// Blank nodes are numbered from 0 here; quads go by their position in the dataset.
package struct RDFCanonicalizer {
    let dataset: RDFDataset
    private let algorithm: HashAlgorithm
    /// The work done so far.
    package private(set) var work: CanonicalizationWork
    /// The blank nodes of the quads.
    private let nodes: [TermID]
    /// The number of each term that is a blank node, else -1.
    private let numbers: [Int]
    /// The positions of the quads that a node occurs in (the "blank node to quads map").
    private let quadsOfNode: [[Int]]
    /// The quads that a node shares with other blank nodes, where they were asked for.
    private var linksOfNode: [Int: [QuadIDs]] = [:]
    /// The digest of each node's own quads, once it is known.
    private var firstDegreeHashes: [[UInt8]]
    private(set) var canonicalIssuer = IdentifierIssuer.canonical
    private var lines = LineBuffer()

    package init(
        _ dataset: RDFDataset,
        using algorithm: HashAlgorithm,
        limits: CanonicalizationLimits
    ) throws(LinkedDataError) {
        try self.init(dataset, using: algorithm, after: CanonicalizationWork(limits: limits))
    }

    /// - Parameter work: The work that was done before, and its limits.
    init(
        _ dataset: RDFDataset,
        using algorithm: HashAlgorithm,
        after work: CanonicalizationWork
    ) throws(LinkedDataError) {
        guard algorithm == .sha256 || algorithm == .sha384 else {
            throw LinkedDataError(.unsupportedHashAlgorithm, "\(algorithm) is neither SHA-256 nor SHA-384")
        }
        guard dataset.count <= work.limits.quads else {
            throw LinkedDataError(.limitExceeded, "\(dataset.count) quads, more than \(work.limits.quads)")
        }
        self.dataset = dataset
        self.algorithm = algorithm
        self.work = work
        var nodes: [TermID] = []
        var numbers = Array(repeating: -1, count: dataset.terms.count)
        var quadsOfNode: [[Int]] = []
        for (position, quad) in dataset.quadIDs.enumerated() {
            for term in [quad.subject, quad.object, quad.graph]
            where term != QuadIDs.defaultGraph && dataset.terms.isBlankNode(term) {
                if numbers[Int(term)] < 0 {
                    numbers[Int(term)] = nodes.count
                    nodes.append(term)
                    quadsOfNode.append([])
                }
                let number = numbers[Int(term)]
                if quadsOfNode[number].last != position { quadsOfNode[number].append(position) }
            }
        }
        self.nodes = nodes
        self.numbers = numbers
        self.quadsOfNode = quadsOfNode
        firstDegreeHashes = []
    }

    package mutating func canonicalize() throws(LinkedDataError) -> CanonicalDataset {
        try issueIdentifiers()
        return CanonicalDataset(
            nQuads: try canonicalLines(),
            issuedIdentifiers: issuedIdentifiers(),
            hashCalls: work.hashCalls,
            hashNDegreeCalls: work.hashNDegreeCalls
        )
    }

    /// Gives the blank nodes other labels, and returns the quads as lines in the order of the dataset, with the canonical
    /// identifiers (Data Integrity ECDSA Cryptosuites 1.0, section 3.4.1).
    ///
    /// - Parameter labels: Returns the labels of the canonical identifiers in their order, given their number.
    mutating func relabeled(
        _ labels: (Int) throws(LinkedDataError) -> [[UInt8]]
    ) throws(LinkedDataError) -> (lines: [[UInt8]], identifiers: IssuedIdentifiers) {
        try issueIdentifiers()
        var labelsOfNodes: [[UInt8]] = Array(repeating: [], count: nodes.count)
        for (label, node) in zip(try labels(nodes.count), canonicalIssuer.order) { labelsOfNodes[node] = label }
        var lines: [[UInt8]] = []
        lines.reserveCapacity(dataset.count)
        for quad in dataset.quadIDs {
            var line: [UInt8] = []
            append(quad, to: &line) { node, line in
                line.append(contentsOf: "_:".utf8)
                line.append(contentsOf: labelsOfNodes[node])
            }
            try work.count(bytes: line.count)
            lines.append(line)
        }
        return (lines, issuedIdentifiers())
    }

    /// Issues an identifier to each blank node (steps 3 to 5).
    private mutating func issueIdentifiers() throws(LinkedDataError) {
        firstDegreeHashes.reserveCapacity(nodes.count)
        for node in nodes.indices { firstDegreeHashes.append(try hashFirstDegree(of: node)) }
        for group in issueToUniqueNodes() { try issueToAlikeNodes(group) }
    }

    /// Issues identifiers to the nodes whose digest is their own alone, in the order of digests (step 4), and returns
    /// the groups of the others.
    private mutating func issueToUniqueNodes() -> [[Int]] {
        let order = nodes.indices.sorted { firstDegreeHashes[$0].lexicographicallyPrecedes(firstDegreeHashes[$1]) }
        var groups: [[Int]] = []
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count, firstDegreeHashes[order[end]] == firstDegreeHashes[order[start]] { end += 1 }
            if end - start == 1 {
                canonicalIssuer.issue(to: order[start])
            } else {
                groups.append(Array(order[start..<end]))
            }
            start = end
        }
        return groups
    }

    /// Issues identifiers to nodes with the same digest, by the paths that lead from them (step 5).
    private mutating func issueToAlikeNodes(_ group: [Int]) throws(LinkedDataError) {
        var results: [HashNDegreeResult] = []
        for node in group where !canonicalIssuer.hasIssued(to: node) {
            var issuer = IdentifierIssuer.temporary
            issuer.issue(to: node)
            results.append(try hashNDegree(of: node, issuer: issuer))
        }
        results.sort { $0.hash.lexicographicallyPrecedes($1.hash) }
        for node in results.flatMap(\.issuer.order) { canonicalIssuer.issue(to: node) }
    }

    // MARK: Parts of the algorithm

    /// The number of a term that is a blank node, or nil.
    func node(_ term: TermID) -> Int? {
        guard term != QuadIDs.defaultGraph, numbers[Int(term)] >= 0 else { return nil }
        return numbers[Int(term)]
    }

    /// The quads that a node shares with other blank nodes.
    mutating func links(of node: Int) -> [QuadIDs] {
        if let known = linksOfNode[node] { return known }
        let links = quadsOfNode[node].map { dataset.quadIDs[$0] }.filter { quad in
            [quad.subject, quad.object, quad.graph].contains { self.node($0) ?? node != node }
        }
        linksOfNode[node] = links
        return links
    }

    /// The digest of the quads of a node, which ``hashFirstDegree(of:)`` made.
    func firstDegreeHash(of node: Int) -> [UInt8] { firstDegreeHashes[node] }

    mutating func digest(of bytes: [UInt8]) throws(LinkedDataError) -> [UInt8] {
        try work.countHash()
        try work.count(bytes: bytes.count)
        return algorithm.digest(of: bytes)
    }

    mutating func countHashNDegree() throws(LinkedDataError) { try work.countHashNDegree() }

    mutating func countPermutations(of nodes: [Int]) throws(LinkedDataError) {
        try work.countPermutations(of: nodes)
    }

    /// Hash First Degree Quads (section 4.6): the node itself is `_:a`, every other `_:z`.
    private mutating func hashFirstDegree(of node: Int) throws(LinkedDataError) -> [UInt8] {
        // Taken out, since the closures read the canonicalizer.
        var lines = LineBuffer()
        swap(&lines, &self.lines)
        defer { swap(&lines, &self.lines) }
        lines.removeAll()
        let quads = dataset.quadIDs
        try reserve(quadsOfNode[node].lazy.map { quads[$0] }, in: &lines)
        for position in quadsOfNode[node] {
            let quad = quads[position]
            lines.append { line in
                append(quad, to: &line) { other, line in
                    line.append(contentsOf: other == node ? "_:a".utf8 : "_:z".utf8)
                }
            }
        }
        return try digest(of: lines.sorted())
    }

    private mutating func canonicalLines() throws(LinkedDataError) -> [UInt8] {
        var lines = LineBuffer()
        try reserve(dataset.quadIDs, in: &lines)
        for quad in dataset.quadIDs {
            lines.append { line in
                append(quad, to: &line) { node, line in canonicalIssuer.appendIdentifier(of: node, to: &line) }
            }
        }
        return lines.sorted()
    }

    /// Makes room for the lines of quads: memory that grows is allocated several times.
    private mutating func reserve(
        _ quads: some Collection<QuadIDs>,
        in lines: inout LineBuffer
    ) throws(LinkedDataError) {
        let size = quads.reduce(0) { $0 + greatestLength(of: $1) }
        try work.count(bytes: size)
        lines.reserve(lines: quads.count, bytes: size)
    }

    /// The greatest length of a quad's canonical line.
    private func greatestLength(of quad: QuadIDs) -> Int {
        let triple =
            greatestLength(of: quad.subject) + greatestLength(of: quad.predicate) + greatestLength(of: quad.object)
        return triple + (quad.graph == QuadIDs.defaultGraph ? 0 : greatestLength(of: quad.graph)) + 2
    }

    /// The greatest length of a term and the space after it: no identifier of a blank node has more than six digits.
    private func greatestLength(of term: TermID) -> Int {
        numbers[Int(term)] >= 0 ? 13 : dataset.terms.range(of: term).count + 1
    }

    /// Appends a quad as a line, with blank nodes as the closure writes them.
    @inline(__always)
    private func append(_ quad: QuadIDs, to line: inout [UInt8], node write: (Int, inout [UInt8]) -> Void) {
        appendTerm(quad.subject, to: &line, node: write)
        appendTerm(quad.predicate, to: &line, node: write)
        appendTerm(quad.object, to: &line, node: write)
        if quad.graph != QuadIDs.defaultGraph { appendTerm(quad.graph, to: &line, node: write) }
        line.append(UInt8(ascii: "."))
        line.append(UInt8(ascii: "\n"))
    }

    @inline(__always)
    private func appendTerm(_ term: TermID, to line: inout [UInt8], node write: (Int, inout [UInt8]) -> Void) {
        let number = numbers[Int(term)]
        if number >= 0 { write(number, &line) } else { line.append(contentsOf: dataset.terms.form(of: term)) }
        line.append(UInt8(ascii: " "))
    }

    private func issuedIdentifiers() -> IssuedIdentifiers {
        var labels: [ExactText: ExactText] = [:]
        for (number, node) in canonicalIssuer.order.enumerated() {
            let label = String(decoding: dataset.terms.form(of: nodes[node]).dropFirst(2), as: UTF8.self)
            labels[ExactText(label)] = ExactText("c14n\(number)")
        }
        return IssuedIdentifiers(labels)
    }
}
