import CryptoCore
import Foundation
import Harness
import MdocKit

/// The cost of refusing a forged response, beside the well-formedness pass over it, and the growth of a valid one's
/// cost; all in CPU time.
enum MdocForgeryBenchmarks: LayerBenchmarks {
    static let layer = "MdocForgery"

    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) async throws {
        let responses = try await ForgedResponses()
        for shape in try await responses.all() {
            let verifySignature = try responses.bareSignature(over: shape.payloads.first?.count)
            let signatures = await cpuTime { for _ in 0..<shape.documents { blackHole(verifySignature()) } }
            let refusing = try await cpuTime {
                guard await responses.verify(shape.bytes) == 0 else { throw NotRefused() }
            }
            let pass = try await cpuTime { try shape.pass() }
            let size = Double(shape.bytes.count * 10 / 1_000_000) / 10
            let name = "refuse \(shape.name), \(size) MB / 3 well-formedness passes and its issuer signatures"
            // In a small one the signatures weigh most, and each comes with the import of its keys.
            let bar = Bar.atMost(shape.bytes.count < 5_000_000 ? 1.3 : 1)
            report(Figure(layer: layer, name: name, value: refusing / (3 * pass + signatures), bar: bar))
        }
        try await valid(responses, report)
        try await doubling(responses, report)
    }

    /// A valid response of the largest size: three passes, twice the hashing, and its signatures.
    private static func valid(_ responses: ForgedResponses, _ report: (Figure) -> Void) async throws {
        let shape = try await responses.valid(documents: 64, nameSpaces: 1, items: 1024)
        let items = try responses.items(of: shape)
        let verifySignature = try responses.bareSignature()
        let verifying = try await cpuTime {
            guard await responses.verify(shape.bytes) == 64 else { throw NotVerified() }
        }
        let pass = try await cpuTime { try shape.pass() }
        let hashing = await cpuTime { for item in items { blackHole(HashAlgorithm.sha256.digest(of: item)) } }
        let signatures = await cpuTime { for _ in 0..<2 * 64 { blackHole(verifySignature()) } }
        report(
            Figure(
                layer: layer,
                name: "verify \(shape.name) / 3 passes, 2 times the hashing of its items and its signatures",
                value: verifying / (3 * pass + 2 * hashing + signatures),
                bar: .atMost(1)
            )
        )
    }

    /// The growth of the cost when one dimension of the input doubles.
    private static func doubling(_ responses: ForgedResponses, _ report: (Figure) -> Void) async throws {
        let whole = try await responses.valid(documents: 64, nameSpaces: 64, items: 16)
        let halves = [
            ("items", try await responses.valid(documents: 64, nameSpaces: 64, items: 8)),
            ("namespaces", try await responses.valid(documents: 64, nameSpaces: 32, items: 16)),
            ("documents", try await responses.valid(documents: 32, nameSpaces: 64, items: 16)),
        ]
        for (name, half) in halves {
            // In turn, so that both meet the same state of the machine.
            var (wholeTime, halfTime) = (Double.infinity, Double.infinity)
            for _ in 0..<3 {
                wholeTime = min(wholeTime, await cpuTime { blackHole(await responses.verify(whole.bytes)) })
                halfTime = min(halfTime, await cpuTime { blackHole(await responses.verify(half.bytes)) })
            }
            let name = "verify \(whole.name) / half as many \(name)"
            report(Figure(layer: layer, name: name, value: wholeTime / halfTime, bar: .atMost(2.2)))
        }
    }

    /// The least CPU time of a few rounds, in nanoseconds, after a warm-up.
    private static func cpuTime(_ body: () async throws -> Void) async rethrows -> Double {
        var least = Double.infinity
        try await body()
        for _ in 0..<5 {
            let start = now
            try await body()
            least = min(least, now - start)
        }
        return least
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    private struct NotRefused: Error {}
    private struct NotVerified: Error {}
}
