import Foundation
import Harness
import IdemixCore

/// The operations of IdemixCore at 2048 bits, in the unit P of ``IdemixExponentiation``, measured in the same run.
struct IdemixBenchmarks: LayerBenchmarks {
    static let layer = "IdemixCore"

    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) async throws {
        let benchmarks = IdemixBenchmarks(stopwatch: stopwatch, scene: try IdemixScene(try IdemixScene.keys()))
        let unit = stopwatch.nanoseconds(of: benchmarks.unit.run)
        report(
            Figure(
                layer: layer,
                name: "P: mpz_powm, 2048-bit modulus, 2046-bit exponent",
                value: unit / 1e6,
                unit: "ms"
            )
        )
        try benchmarks.disclosure(report)
        try benchmarks.issuance(report)
        try benchmarks.revocation(report)
        try benchmarks.tables(report)
        try benchmarks.scaling(report)
        try benchmarks.keyGeneration(report)
    }

    private let stopwatch: Stopwatch
    private let scene: IdemixScene
    private let unit = IdemixExponentiation()

    /// Reports the time of a closure in P.
    private func measure(_ name: String, bar: Double, _ report: (Figure) -> Void, _ body: () throws -> Void) rethrows {
        let ratio = try stopwatch.compare(body, with: unit.run).ratio
        report(Figure(layer: Self.layer, name: name, value: ratio, unit: "P", bar: .atMost(bar)))
    }

    /// Reports the time of a closure in P where each call uses one of a number of things that were made before.
    private func measure<Thing>(
        _ name: String,
        bar: Double,
        using things: [Thing],
        _ report: (Figure) -> Void,
        _ body: (Thing) throws -> Void
    ) rethrows {
        let ratio = try stopwatch.compare(using: things, body, with: unit.run).ratio
        report(Figure(layer: Self.layer, name: name, value: ratio, unit: "P", bar: .atMost(bar)))
    }

    private func disclosure(_ report: (Figure) -> Void) throws {
        let request = try scene.request()
        try measure("disclosure, build (Go: 6.6 P)", bar: 1.3, report) { blackHole(try scene.show(request)) }
        let prepared = try (0..<100).map { _ in try PreparedIdemixDisclosure(request) }
        try measure("disclosure, build with prepared commitments", bar: 0.05, using: prepared, report) { prepared in
            let builder = IdemixProofListBuilder()
            try builder.add(prepared)
            blackHole(try builder.prove(challenge: IdemixChallenge(nonce: 42)))
        }
        let list = try scene.show(request)
        measure("disclosure, verify (Go: 5.8 P)", bar: 1.1, report) { precondition(scene.verifies(list)) }
    }

    private func issuance(_ report: (Figure) -> Void) throws {
        let (publicKey, secretKey) = (scene.keys.publicKey, scene.secretKey)
        func commit() throws -> (PendingIdemixCredential, IdemixProofList) {
            let builder = IdemixProofListBuilder()
            let pending = try builder.addIssuance(publicKey: publicKey, secretKey: secretKey)
            return (pending, try builder.prove(challenge: IdemixChallenge(nonce: 1)))
        }
        try measure("holder's commitment and its proof (Go: 5.3 P)", bar: 0.8, report) { blackHole(try commit()) }
        let (pending, list) = try commit()
        let expectation = IdemixProofExpectation.issuance(IdemixIssuanceExpectation(publicKey: publicKey))
        measure("issuer's check of the commitment (Go: 2.9 P)", bar: 0.6, report) {
            precondition(
                list.verify(expecting: [expectation], challenge: IdemixChallenge(nonce: 1), at: IdemixScene.time)
                    .verified
                    != nil
            )
        }
        let commitment = try IdemixScene.commitment(list, publicKey)
        let pool = CLSignaturePrimePool(keys: scene.keys)
        pool.fill(to: 100)
        let issuer = IdemixIssuer(keys: scene.keys, primes: pool)
        try measure("issuer's signature and its proof (Go: 17 P)", bar: 1.6, using: Array(0..<100), report) { _ in
            blackHole(try issuer.sign(attributes: scene.attributes, commitment: commitment, nonce: 2))
        }
        let issued = try issuer.sign(attributes: scene.attributes, commitment: commitment, nonce: 2)
        try measure("holder's check and credential (Go: 13.9 P)", bar: 4, report) {
            blackHole(try pending.finish(with: issued, attributes: scene.attributes, nonce: 2))
        }
    }

    private func revocation(_ report: (Figure) -> Void) throws {
        let request = try scene.request(provingNonRevocation: true)
        try measure("disclosure with non-revocation, build (Go: 22 P)", bar: 4, report) {
            blackHole(try scene.show(request))
        }
        let list = try scene.show(request)
        measure("disclosure with non-revocation, verify (Go: 17 P)", bar: 3.2, report) {
            precondition(scene.verifies(list, nonRevocation: true))
        }
    }

    /// After how many verifications the tables of a key have paid for themselves, and what they take.
    private func tables(_ report: (Figure) -> Void) throws {
        let list = try scene.show(try scene.request())
        let without = try IdemixIssuerPublicKey(
            xml: scene.keys.publicKey.xml,
            tables: FixedBaseTables(maximumByteCount: 0)
        )
        let tables = FixedBaseTables(maximumByteCount: 64 << 20)
        let fresh = try IdemixIssuerPublicKey(xml: scene.keys.publicKey.xml, tables: tables)
        let first = CPUClock.process.nanoseconds { precondition(scene.verifies(list, publicKey: fresh)) }
        let times = stopwatch.compare(
            { precondition(scene.verifies(list, publicKey: without)) },
            with: { precondition(scene.verifies(list)) }
        )
        report(
            Figure(
                layer: Self.layer,
                name: "verifications after which a key's tables have paid for themselves",
                value: (first - times.nanosecondsOfB) / (times.nanosecondsOfA - times.nanosecondsOfB),
                unit: "",
                bar: .atMost(20)
            )
        )
        let size = Double(tables.byteCount) / Double(1 << 20)
        report(
            Figure(layer: Self.layer, name: "a key's tables for verifying", value: size, unit: "MB", bar: .atMost(64))
        )
    }

    /// The cost of a verification on two threads against one, beside that of the bare exponentiation.
    private func scaling(_ report: (Figure) -> Void) throws {
        // Each thread has its own proofs, as in a server; the issuer's key is one.
        let verifying = Contention(
            rounds: 40,
            try (0..<2).map { _ in Self.verification(scene, try scene.show(try scene.request())) }
        )
        let bare = Contention(rounds: 40, (0..<2).map { _ in Self.exponentiation() })
        func add(_ name: String, _ value: Double, _ bar: Bar? = nil) {
            report(Figure(layer: Self.layer, name: name, value: value, bar: bar))
        }
        add("mpz_powm: CPU time of one on 2 threads / on 1", bare.ratio)
        add(
            "verify: CPU time of one on 2 threads / on 1, / the same of mpz_powm",
            verifying.ratio / bare.ratio,
            .atMost(1.1)
        )
        add("verify on 2 threads: waits of a thread / verifications", verifying.waits, .atMost(0.05))
    }

    private static func verification(_ scene: IdemixScene, _ list: IdemixProofList) -> @Sendable () -> Void {
        { precondition(scene.verifies(list)) }
    }

    private static func exponentiation() -> @Sendable () -> Void {
        let unit = IdemixExponentiation()
        return { unit.run() }
    }

    /// The search for two safe primes depends on chance, so that the times of single keys differ tenfold.
    private func keyGeneration(_ report: (Figure) -> Void) throws {
        let ratios = try (0..<5).map { _ in
            let ours = try CPUClock.process.nanoseconds { blackHole(try IdemixScene.keys()) }
            return ours / CPUClock.process.nanoseconds { for _ in 0..<10 { unit.run() } } * 10
        }
        let median = ratios.sorted()[2]
        let name = "key generation, median of 5 (Go: 43,000 P)"
        report(Figure(layer: Self.layer, name: name, value: median, unit: "P", bar: .atMost(21_500)))
    }
}
