/// The limits of RDFC-1.0; each bound is the largest accepted (RDFC-1.0, section 7.1, "dataset poisoning").
///
/// The time for a dataset whose blank nodes look alike grows with the factorial of their number. A dataset that passes
/// one of these is refused with ``LinkedDataError/Code/limitExceeded``. All canonicalizations of one verification share
/// the limits, but for that of quads: those of each proof, of a presentation and of its credentials.
public struct CanonicalizationLimits: Hashable, Sendable {
    /// The largest number of quads: 100,000 by default.
    public var quads: Int
    /// The largest number of digests in all: 200,000 by default.
    public var hashCalls: Int
    /// The largest number of runs of Hash N-Degree Quads: 8,192 by default.
    public var hashNDegreeCalls: Int
    /// The largest number of orders of related blank nodes that are tried: 50,000 by default.
    ///
    /// A group of nodes with more orders than are left is refused before the first is tried.
    public var permutations: Int
    /// The largest number of bytes that digests are made of, and that the canonical N-Quads have: 128 MiB by default.
    ///
    /// A long IRI stands once in a document and in every line that names it.
    public var size: Int

    /// Makes limits, of which those that are not given have their default.
    public init(
        quads: Int = 100_000,
        hashCalls: Int = 200_000,
        hashNDegreeCalls: Int = 8192,
        permutations: Int = 50_000,
        size: Int = 128 << 20
    ) {
        self.quads = quads
        self.hashCalls = hashCalls
        self.hashNDegreeCalls = hashNDegreeCalls
        self.permutations = permutations
        self.size = size
    }

    /// The default of each limit.
    public static let `default` = CanonicalizationLimits()
}

/// The work done so far, held against the limits.
package struct CanonicalizationWork {
    let limits: CanonicalizationLimits
    /// The number of digests.
    package private(set) var hashCalls = 0
    /// The number of runs of Hash N-Degree Quads.
    package private(set) var hashNDegreeCalls = 0
    /// The number of orders of related blank nodes.
    package private(set) var permutations = 0
    /// The number of bytes that were written.
    private var size = 0

    init(limits: CanonicalizationLimits) {
        self.limits = limits
    }

    mutating func countHash() throws(LinkedDataError) {
        guard hashCalls < limits.hashCalls else { throw Self.excess("\(limits.hashCalls) digests") }
        hashCalls += 1
    }

    /// Counts bytes that are going to be written.
    mutating func count(bytes: Int) throws(LinkedDataError) {
        let (size, overflow) = size.addingReportingOverflow(bytes)
        guard !overflow, size <= limits.size else { throw Self.excess("\(limits.size) bytes") }
        self.size = size
    }

    mutating func countHashNDegree() throws(LinkedDataError) {
        guard hashNDegreeCalls < limits.hashNDegreeCalls else {
            throw Self.excess("\(limits.hashNDegreeCalls) runs of Hash N-Degree Quads")
        }
        hashNDegreeCalls += 1
    }

    /// Counts the orders of a group of nodes, in which a node may occur more than once; `nodes` is sorted.
    mutating func countPermutations(of nodes: [Int]) throws(LinkedDataError) {
        var orders = 1
        var repetition = 0
        for (index, node) in nodes.enumerated() {
            repetition = index > 0 && nodes[index - 1] == node ? repetition + 1 : 1
            let (product, overflow) = orders.multipliedReportingOverflow(by: index + 1)
            guard !overflow, product / repetition <= limits.permutations - permutations else {
                throw Self.excess("\(limits.permutations) orders of related blank nodes")
            }
            orders = product / repetition
        }
        permutations += orders
    }

    private static func excess(_ bound: String) -> LinkedDataError {
        LinkedDataError(.limitExceeded, "canonicalization takes more than \(bound)")
    }
}
