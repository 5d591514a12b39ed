import CryptoCore
import Harness
import MdocKit
import TestSupport

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
                value: try await ratio(stopwatch, scene, cold, signatures: 3),
                bar: .atMost(1.4)
            )
        )
        report(
            Figure(
                layer: layer,
                name: "verify 8 items, chain cached / two bare P-256 verifications",
                value: try await ratio(stopwatch, scene, warm, signatures: 2),
                bar: .atMost(1.2)
            )
        )
        try await orientation(scene, warm, stopwatch, report)
        report(try reading(scene, "of 8 items", stopwatch))
        try await memory(scene, warm, "verify 8 items, chain cached", bars: (76, 3.03, 2.4), report)
        try await portrait(stopwatch, report)
        scaling(scene, report)
    }

    /// The times of a presentation, beside that of isomdoc, which leaves out the certificate chain.
    private static func orientation(
        _ scene: MdocScene,
        _ verifier: MdocVerifier,
        _ stopwatch: Stopwatch,
        _ report: (Figure) -> Void
    ) async throws {
        let comparison = try await stopwatch.compare {
            try await scene.verify(with: verifier)
        } withSynchronous: {
            scene.verifyBareSignature()
        }
        let microseconds = comparison.nanosecondsOfA / 1000
        report(Figure(layer: layer, name: "verify 8 items, chain cached", value: microseconds, unit: "µs"))
        guard let peer = scene.peer() else { return }
        report(Figure(layer: layer, name: "isomdoc (Python): verify 8 items, no chain", value: peer, unit: "µs"))
        report(Figure(layer: layer, name: "verify 8 items: speed over isomdoc", value: peer / microseconds))
    }

    /// Larger presentations: of 32 items, one of them a portrait of 4 kB, and of 9 kB in all.
    private static func portrait(_ stopwatch: Stopwatch, _ report: (Figure) -> Void) async throws {
        let scene = try await MdocScene(issued: 32, shown: 32, portraitSize: 4096)
        let warm = scene.verifier(cache: CertificateChainCache())
        report(
            Figure(
                layer: layer,
                name: "verify 32 items with a portrait of 4 kB, chain cached / two bare P-256 verifications",
                value: try await ratio(stopwatch, scene, warm, signatures: 2),
                bar: .atMost(1.25)
            )
        )
        report(try reading(scene, "of 32 items with a portrait of 4 kB", stopwatch))
        let verifying = "verify 32 items with a portrait of 4 kB, chain cached"
        try await memory(scene, warm, verifying, bars: (77, 1.38, 1.16), report)
        let smaller = try await MdocScene(issued: 23, shown: 23, portraitSize: 4096)
        let description = "of 9 kB: 23 items with a portrait of 4 kB"
        report(try reading(smaller, description, stopwatch, bar: .atMost(0.3)))
    }

    /// The allocations of a verification, from the bytes to the verdict.
    private static func memory(
        _ scene: MdocScene,
        _ verifier: MdocVerifier,
        _ operation: String,
        bars: (count: Double, bytes: Double, peak: Double),
        _ report: (Figure) -> Void
    ) async throws {
        let allocations = try await Allocations { try await scene.verify(with: verifier) }
        allocations?.figures(layer: layer, of: operation, input: scene.bytes.count, bars: bars).forEach(report)
    }

    /// The time of reading a response, without any verification.
    private static func reading(
        _ scene: MdocScene,
        _ description: String,
        _ stopwatch: Stopwatch,
        bar: Bar? = nil
    ) throws -> Figure {
        let comparison = try stopwatch.compare {
            blackHole(try DeviceResponse(decoding: scene.bytes))
        } with: {
            scene.verifyBareSignature()
        }
        let name = "read a response \(description), \(scene.bytes.count) bytes / bare P-256 verification"
        return Figure(layer: layer, name: name, value: comparison.ratio, bar: bar)
    }

    /// The gain of a second thread in verification, beside that in the bare signature.
    private static func scaling(_ scene: MdocScene, _ report: (Figure) -> Void) {
        // Each thread has its own response; the verifier and its cache are one, as in a server.
        let verifier = scene.verifier(cache: CertificateChainCache())
        let scenes = (0..<2).map { _ in scene.receivedAgain() }
        let contention = Contention(
            rounds: 400,
            scenes.map { verification($0, verifier) },
            bareRounds: 800,
            bare: scenes.map { scene in { scene.verifyBareSignature() } }
        )
        contention.figures(layer: layer, of: "verify 8 items, chain cached", beside: "bare P-256 verification")
            .forEach(report)
    }

    private static func verification(_ scene: MdocScene, _ verifier: MdocVerifier) -> @Sendable () -> Void {
        {
            do {
                try InlineTask.run { try await scene.verify(with: verifier) }
            } catch {
                preconditionFailure("\(error)")
            }
        }
    }

    /// The median ratio of samples taken in turn: from the bytes to the verdict, and the bare signatures.
    private static func ratio(
        _ stopwatch: Stopwatch,
        _ scene: MdocScene,
        _ verifier: MdocVerifier,
        signatures: Int
    ) async throws -> Double {
        try await stopwatch.compare {
            try await scene.verify(with: verifier)
        } withSynchronous: {
            for _ in 0..<signatures { scene.verifyBareSignature() }
        }
        .ratio
    }
}
