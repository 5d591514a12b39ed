import VerificationCore

/// The result of Hash N-Degree Quads.
struct HashNDegreeResult {
    let hash: [UInt8]
    let issuer: IdentifierIssuer
}

/// One run of Hash N-Degree Quads (RDFC-1.0, section 4.8) in progress.
///
/// Runs wait on a stack for those that they start, since a dataset decides how deep they go.
private struct HashNDegreeRun {
    /// Related nodes with the same digest, in the order of ``permutation``.
    struct Group {
        let hash: [UInt8]
        var nodes: [Int]
    }

    var issuer: IdentifierIssuer
    /// The groups that are still to come, the next one last.
    var groups: [Group]
    /// The bytes that the result is the digest of.
    var data: [UInt8] = []
    /// The order of the current group's nodes that is being tried.
    var permutation: [Int] = []
    var path: [UInt8] = []
    var pathIssuer: IdentifierIssuer
    /// The nodes that need a run of their own for the current order, the next one last.
    var recursionList: [Int] = []
    var chosenPath: [UInt8] = []
    var chosenIssuer: IdentifierIssuer

    init(issuer: IdentifierIssuer, groups: [Group]) {
        self.issuer = issuer
        self.groups = groups
        pathIssuer = issuer
        chosenIssuer = issuer
    }

    /// Returns `true` if the path cannot become the chosen one.
    var isPathWorse: Bool {
        !chosenPath.isEmpty && path.count >= chosenPath.count && chosenPath.lexicographicallyPrecedes(path)
    }

    /// Takes the path over as the chosen one if it is the first or the least.
    mutating func choosePath() {
        guard chosenPath.isEmpty || path.lexicographicallyPrecedes(chosenPath) else { return }
        chosenPath = path
        chosenIssuer = pathIssuer
    }

    /// Puts the nodes into their next order, and returns `false` after the last one.
    mutating func advancePermutation() -> Bool {
        guard let pivot = permutation.indices.dropLast().last(where: { permutation[$0] < permutation[$0 + 1] }),
            let swap = permutation.indices.last(where: { permutation[$0] > permutation[pivot] })
        else { return false }
        permutation.swapAt(pivot, swap)
        permutation[(pivot + 1)...].reverse()
        return true
    }
}

extension RDFCanonicalizer {
    /// Hash N-Degree Quads (RDFC-1.0, section 4.8).
    mutating func hashNDegree(of node: Int, issuer: IdentifierIssuer) throws(LinkedDataError) -> HashNDegreeResult {
        var runs: [HashNDegreeRun] = []
        var current = try startRun(of: node, issuer: issuer)
        while true {
            if let related = current.recursionList.last {
                runs.append(current)
                current = try startRun(of: related, issuer: current.pathIssuer)
                continue
            }
            if try advance(&current) { continue }
            let result = HashNDegreeResult(hash: try digest(of: current.data), issuer: current.issuer)
            guard let caller = runs.popLast() else { return result }
            current = caller
            receive(result, in: &current)
        }
    }

    /// Groups the nodes that share a quad with a node by their digest (steps 1 to 3).
    private mutating func startRun(of node: Int, issuer: IdentifierIssuer) throws(LinkedDataError) -> HashNDegreeRun {
        try countHashNDegree()
        var nodesOfHash: [[UInt8]: [Int]] = [:]
        for quad in links(of: node) {
            for (term, position) in [(quad.subject, "s"), (quad.object, "o"), (quad.graph, "g")] {
                guard let related = self.node(term), related != node else { continue }
                let hash = try hashRelated(related, in: quad, at: position, issuer: issuer)
                nodesOfHash[hash, default: []].append(related)
            }
        }
        let groups = nodesOfHash.map { HashNDegreeRun.Group(hash: $0, nodes: $1.sorted()) }
            .sorted { $1.hash.lexicographicallyPrecedes($0.hash) }
        var run = HashNDegreeRun(issuer: issuer, groups: groups)
        try startGroup(of: &run)
        return run
    }

    /// Hash Related Blank Node (section 4.7).
    private mutating func hashRelated(
        _ related: Int,
        in quad: QuadIDs,
        at position: String,
        issuer: IdentifierIssuer
    ) throws(LinkedDataError) -> [UInt8] {
        var input = Array(position.utf8)
        if position != "g" { input += dataset.terms.form(of: quad.predicate) }
        if !canonicalIssuer.appendIdentifier(of: related, to: &input),
            !issuer.appendIdentifier(of: related, to: &input)
        {
            Hexadecimal.append(firstDegreeHash(of: related), to: &input)
        }
        return try digest(of: input)
    }

    /// Does the next step of a run without runs of its own, and returns `false` when the run is complete.
    private mutating func advance(_ run: inout HashNDegreeRun) throws(LinkedDataError) -> Bool {
        guard !run.groups.isEmpty else { return false }
        if !run.isPathWorse { run.choosePath() }
        if run.advancePermutation() {
            startPath(of: &run)
        } else {
            run.data += run.chosenPath
            run.issuer = run.chosenIssuer
            run.groups.removeLast()
            try startGroup(of: &run)
        }
        return true
    }

    /// Begins with the first order of the next group (step 5).
    private mutating func startGroup(of run: inout HashNDegreeRun) throws(LinkedDataError) {
        guard let group = run.groups.last else { return }
        try countPermutations(of: group.nodes)
        Hexadecimal.append(group.hash, to: &run.data)
        run.chosenPath = []
        run.permutation = group.nodes
        startPath(of: &run)
    }

    /// Writes the path of an order up to where runs for its nodes are needed (steps 5.4.1 to 5.4.4).
    private func startPath(of run: inout HashNDegreeRun) {
        run.path = []
        run.pathIssuer = run.issuer
        run.recursionList = []
        for related in run.permutation {
            if !canonicalIssuer.appendIdentifier(of: related, to: &run.path) {
                if !run.pathIssuer.hasIssued(to: related) {
                    run.recursionList.append(related)
                    run.pathIssuer.issue(to: related)
                }
                run.pathIssuer.appendIdentifier(of: related, to: &run.path)
            }
            if run.isPathWorse {
                run.recursionList = []
                return
            }
        }
        run.recursionList.reverse()
    }

    /// Continues a path with the result of a run for one of its nodes (step 5.4.5).
    private func receive(_ result: HashNDegreeResult, in run: inout HashNDegreeRun) {
        guard let related = run.recursionList.popLast() else { return }
        run.pathIssuer.appendIdentifier(of: related, to: &run.path)
        run.path.append(UInt8(ascii: "<"))
        Hexadecimal.append(result.hash, to: &run.path)
        run.path.append(UInt8(ascii: ">"))
        run.pathIssuer = result.issuer
        if run.isPathWorse { run.recursionList = [] }
    }
}

/// Lower-case hexadecimal digits.
enum Hexadecimal {
    /// Appends two digits for each byte.
    static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        let digits: StaticString = "0123456789abcdef"
        digits.withUTF8Buffer { digits in
            for byte in bytes {
                text.append(digits[Int(byte >> 4)])
                text.append(digits[Int(byte & 15)])
            }
        }
    }
}
