import CryptoCore
import Harness
import MdocKit

/// Verification of a presentation beside the signatures that no verification can do without.
enum MdocBenchmarks: LayerBenchmarks {
    static let layer = "MdocKit"

    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) async throws {
        let scene = try await MdocScene()
        let cold = scene.verifier(cache: nil)
        let warm = scene.verifier(cache: CertificateChainCache())
        report(
            Figure(
                layer: layer,
                name: "verify 8 items, chain not cached / three bare P-256 verifications",
                value: try await ratio(stopwatch.samples, scene, cold, signatures: 3),
                bar: .atMost(1.5)
            )
        )
        report(
            Figure(
                layer: layer,
                name: "verify 8 items, chain cached / two bare P-256 verifications",
                value: try await ratio(stopwatch.samples, scene, warm, signatures: 2),
                bar: .atMost(1.2)
            )
        )
        report(try reading(scene, "of 8 items", stopwatch))
        try await portrait(stopwatch, report)
        try await scaling(scene, report)
    }

    /// Larger presentations: of 32 items, one of them a portrait of 4 kB, and of 9 kB in all.
    private static func portrait(_ stopwatch: Stopwatch, _ report: (Figure) -> Void) async throws {
        let scene = try await MdocScene(issued: 32, shown: 32, portraitSize: 4096)
        let warm = scene.verifier(cache: CertificateChainCache())
        report(
            Figure(
                layer: layer,
                name: "verify 32 items with a portrait of 4 kB, chain cached / two bare P-256 verifications",
                value: try await ratio(stopwatch.samples, scene, warm, signatures: 2),
                bar: .atMost(1.3)
            )
        )
        report(try reading(scene, "of 32 items with a portrait of 4 kB", stopwatch))
        let smaller = try await MdocScene(issued: 23, shown: 23, portraitSize: 4096)
        let description = "of 9 kB: 23 items with a portrait of 4 kB"
        report(try reading(smaller, description, stopwatch, bar: .atMost(10)))
    }

    /// The time of reading a response, without any verification.
    private static func reading(
        _ scene: MdocScene,
        _ description: String,
        _ stopwatch: Stopwatch,
        bar: Bar? = nil
    ) throws -> Figure {
        let nanoseconds = try stopwatch.nanoseconds { blackHole(try DeviceResponse(decoding: scene.bytes)) }
        let name = "read a response \(description), \(scene.bytes.count) bytes"
        return Figure(layer: layer, name: name, value: nanoseconds / 1000, unit: "µs", bar: bar)
    }

    /// Verification on two threads against one, beside what the machine gives the bare signature.
    private static func scaling(_ scene: MdocScene, _ report: (Figure) -> Void) async throws {
        // Each thread has its own response; the verifier and its cache are one, as in a server.
        let verifier = scene.verifier(cache: CertificateChainCache())
        let scenes = (0..<2).map { _ in scene.receivedAgain() }
        let verifying = try await gain(rounds: 200, scenes) { try await $0.verify(with: verifier) }
        let name = "verify 8 items, chain cached: 2 threads / 1 thread, verifications a second"
        report(Figure(layer: layer, name: name, value: verifying, bar: .atLeast(1.8)))
        let bare = try await gain(rounds: 400, scenes) { $0.verifyBareSignature() }
        let other = "bare P-256 verification: 2 threads / 1 thread, verifications a second"
        report(Figure(layer: layer, name: other, value: bare))
    }

    /// How many times as much is done for several scenes at once as for the first of them alone.
    ///
    /// The fastest of many short samples of each are compared: what else the machine does slows some of them, and those
    /// on all of its cores more often.
    private static func gain(
        rounds: Int,
        _ scenes: [MdocScene],
        _ body: @escaping @Sendable (MdocScene) async throws -> Void
    ) async throws -> Double {
        var alone = Double.infinity
        var together = Double.infinity
        for _ in 0..<40 {
            alone = min(alone, try await time(rounds: rounds, Array(scenes.prefix(1)), body))
            together = min(together, try await time(rounds: rounds, scenes, body))
        }
        return Double(scenes.count) * alone / together
    }

    /// How long a number of rounds takes for each scene, all at once.
    private static func time(
        rounds: Int,
        _ scenes: [MdocScene],
        _ body: @escaping @Sendable (MdocScene) async throws -> Void
    ) async throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for scene in scenes {
                group.addTask {
                    for _ in 0..<rounds { try await body(scene) }
                }
            }
            try await group.waitForAll()
        }
        return (clock.now - start) / .nanoseconds(1)
    }

    /// The median ratio of samples taken in turn: from the bytes to the verdict, and the bare signatures.
    private static func ratio(
        _ samples: Int,
        _ scene: MdocScene,
        _ verifier: MdocVerifier,
        signatures: Int
    ) async throws -> Double {
        let rounds = 100
        let clock = ContinuousClock()
        var ratios: [Double] = []
        for _ in 0...samples {
            let start = clock.now
            for _ in 0..<rounds { try await scene.verify(with: verifier) }
            let middle = clock.now
            for _ in 0..<rounds * signatures { scene.verifyBareSignature() }
            ratios.append((middle - start) / (clock.now - middle))
        }
        // The first sample warms up.
        let sorted = ratios.dropFirst().sorted()
        return sorted[sorted.count / 2]
    }
}
