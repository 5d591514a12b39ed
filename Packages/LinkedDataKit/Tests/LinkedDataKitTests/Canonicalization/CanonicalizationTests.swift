import CryptoCore
import LinkedDataKit
import TestSupport
import Testing

struct CanonicalizationTests {
    /// A ring of blank nodes that all look alike.
    private func ring(_ count: Int) throws -> RDFDataset {
        var dataset = RDFDataset()
        for node in 0..<count {
            let next = RDFTerm.blankNode(ExactText("n\((node + 1) % count)"))
            try dataset.insert(
                RDFQuad(subject: .blankNode(ExactText("n\(node)")), predicate: .iri("urn:p"), object: next)
            )
        }
        return dataset
    }

    /// Blank nodes each of which names every other: what takes longest.
    private func clique(_ count: Int) throws -> RDFDataset {
        var dataset = RDFDataset()
        for first in 0..<count {
            for second in 0..<count where first != second {
                try dataset.insert(
                    RDFQuad(
                        subject: .blankNode(ExactText("n\(first)")),
                        predicate: .iri("urn:p"),
                        object: .blankNode(ExactText("n\(second)"))
                    )
                )
            }
        }
        return dataset
    }

    @Test func formDoesNotDependOnNamesOrOrder() throws {
        var random = RepeatableRandomNumberGenerator(seed: 1)
        for _ in 0..<60 {
            let nodes = Int.random(in: 2...6, using: &random)
            var quads: [(Int, Int, Int, Int?)] = []
            for _ in 0..<Int.random(in: 1...10, using: &random) {
                let graph = Int.random(in: 0..<nodes * 3, using: &random)
                quads.append(
                    (
                        Int.random(in: 0..<nodes, using: &random), Int.random(in: 0...1, using: &random),
                        Int.random(in: 0..<nodes, using: &random), graph < nodes ? graph : nil
                    )
                )
            }
            func text(_ names: [String], _ quads: [(Int, Int, Int, Int?)], space: String) -> String {
                quads.map { subject, predicate, object, graph in
                    let terms = ["_:\(names[subject])", "<urn:p\(predicate)>", "_:\(names[object])"]
                    return (terms + (graph.map { ["_:\(names[$0])"] } ?? []) + ["."]).joined(separator: space) + "\n"
                }.joined()
            }
            let names = (0..<nodes).map { "n\($0)" }
            let expected = try RDFDataset(parsing: text(names, quads, space: " ").utf8).canonicalNQuads()
            for _ in 0..<4 {
                let shuffled = text(names.shuffled(using: &random), quads.shuffled(using: &random), space: " \t ")
                #expect(try RDFDataset(parsing: shuffled.utf8).canonicalNQuads() == expected)
            }
            #expect(try RDFDataset(parsing: expected).canonicalNQuads() == expected)
        }
    }

    @Test func poisonIsRefusedAfterTheAllowedNumberOfDigests() throws {
        let poison = try clique(10)
        for allowed in [0, 9, 10, 50, 500] {
            let limits = CanonicalizationLimits(hashCalls: allowed, permutations: .max)
            var canonicalizer = try RDFCanonicalizer(poison, using: .sha256, limits: limits)
            #expect(code { try canonicalizer.canonicalize() } == .limitExceeded)
            #expect(canonicalizer.work.hashCalls == allowed)
        }
        var canonicalizer = try RDFCanonicalizer(poison, using: .sha256, limits: .default)
        #expect(code { try canonicalizer.canonicalize() } == .limitExceeded)
        // The first group of nine alike nodes has more orders than are allowed, and none is tried.
        #expect(canonicalizer.work.hashCalls <= 50)
        #expect(canonicalizer.work.permutations == 0)
    }

    @Test func keepsToEachLimit() throws {
        let dataset = try clique(4)
        let work = try dataset.canonicalized()
        #expect(work.hashNDegreeCalls > 4)
        let least = CanonicalizationLimits(
            quads: 12,
            hashCalls: work.hashCalls,
            hashNDegreeCalls: work.hashNDegreeCalls
        )
        #expect(try dataset.canonicalNQuads(limits: least) == work.nQuads)
        for change: (inout CanonicalizationLimits) -> Void in [
            { $0.quads -= 1 }, { $0.hashCalls -= 1 }, { $0.hashNDegreeCalls -= 1 },
        ] {
            var limits = least
            change(&limits)
            #expect(code { try dataset.canonicalized(limits: limits) } == .limitExceeded)
        }
        var canonicalizer = try RDFCanonicalizer(dataset, using: .sha256, limits: .default)
        _ = try canonicalizer.canonicalize()
        let orders = canonicalizer.work.permutations
        #expect(try dataset.canonicalNQuads(limits: CanonicalizationLimits(permutations: orders)) == work.nQuads)
        let fewer = CanonicalizationLimits(permutations: orders - 1)
        #expect(code { try dataset.canonicalized(limits: fewer) } == .limitExceeded)
    }

    @Test func keepsToTheSize() throws {
        let dataset = try clique(4)
        let work = try dataset.canonicalized()
        // The lines, and those of each node, which are reserved and then digested.
        var least = 0
        while code({ try dataset.canonicalized(limits: CanonicalizationLimits(size: least)) }) != nil { least += 256 }
        #expect(least > 2 * work.nQuads.count)
        // A long IRI that stands in every line.
        var lines = ""
        for index in 0..<1000 { lines += "<urn:s\(index)> <urn:\(String(repeating: "p", count: 10_000))> \"a\" .\n" }
        let long = try RDFDataset(parsing: lines.utf8)
        #expect(code { try long.canonicalized(limits: CanonicalizationLimits(size: 10_000_000)) } == .limitExceeded)
        #expect(try long.canonicalNQuads(limits: CanonicalizationLimits(size: 10_100_000)).count > 10_000_000)
    }

    @Test func longChainsOfAlikeNodesTakeNoStack() throws {
        let dataset = try ring(3000)
        let limits = CanonicalizationLimits(hashNDegreeCalls: 2500)
        let refusal = try SmallStack.run { code { try dataset.canonicalized(limits: limits) } }
        #expect(refusal == .limitExceeded)
        #expect(try ring(40).canonicalized().issuedIdentifiers.count == 40)
    }

    @Test func formDependsOnTheHashFunctionOnlyInItsLabels() throws {
        let dataset = try ring(5)
        #expect(try dataset.canonicalized(using: .sha384).nQuads.count == dataset.canonicalized().nQuads.count)
    }

    @Test(arguments: [HashAlgorithm.sha1, .sha512])
    func refusesOtherHashFunctions(_ algorithm: HashAlgorithm) throws {
        #expect(code { try RDFDataset().canonicalized(using: algorithm) } == .unsupportedHashAlgorithm)
    }

    @Test func namesEveryBlankNode() throws {
        let dataset = try RDFDataset(parsing: "_:x <urn:p> _:y .\n_:y <urn:p> \"z\" .\n".utf8)
        let canonical = try dataset.canonicalized()
        #expect(Set(canonical.issuedIdentifiers.labels) == ["x", "y"])
        #expect(Set(["x", "y"].compactMap { canonical.issuedIdentifiers[$0] }) == ["c14n0", "c14n1"])
        #expect(canonical.issuedIdentifiers["z"] == nil)
        #expect(try RDFDataset().canonicalNQuads() == [])
    }
}
