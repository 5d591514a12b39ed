import Foundation
import Harness
import IdemixCore

/// The operations of IdemixCore at 2048 bits, then some of them at 1024 and 4096 bits.
///
/// The unit P is an ``IdemixExponentiation`` of the same length, measured in the same run. The figures of the Go library
/// were taken side by side with it, at 2048 bits and with six exponents; the bars are a fifth of them or less.
struct IdemixBenchmarks: LayerBenchmarks {
    static let layer = "IdemixCore"

    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) async throws {
        let benchmarks = try IdemixBenchmarks(stopwatch: stopwatch, parameters: .bits2048)
        try benchmarks.operations(report)
        try benchmarks.tables(report)
        try benchmarks.scaling(report)
        try benchmarks.keyGeneration(report)
        for parameters in [IdemixSystemParameters.bits1024, .bits4096] {
            try IdemixBenchmarks(stopwatch: stopwatch, parameters: parameters).operations(report)
        }
    }

    private let stopwatch: Stopwatch
    private let scene: IdemixScene
    private let unit: IdemixExponentiation
    private let bits: Int

    private init(stopwatch: Stopwatch, parameters: IdemixSystemParameters) throws {
        self.stopwatch = stopwatch
        scene = try IdemixScene(IdemixScene.keys(parameters))
        bits = parameters.modulus
        unit = IdemixExponentiation(bits: bits)
    }

    /// Reports a figure in P; the bars and Go's figures are those of 2048 bits.
    private func add(_ name: String, _ ratio: Double, go: Double?, bar: Double, _ report: (Figure) -> Void) {
        let peer = go.map { " (Go: \($0) P)" } ?? ""
        let is2048 = bits == 2_048
        report(
            Figure(
                layer: Self.layer,
                name: is2048 ? name + peer : "\(bits) bits: \(name)",
                value: ratio,
                unit: "P",
                bar: is2048 ? .atMost(bar) : nil
            )
        )
    }

    /// Reports the time of a closure in P.
    private func measure(
        _ name: String,
        go: Double? = nil,
        bar: Double,
        _ report: (Figure) -> Void,
        _ body: () throws -> Void
    ) rethrows {
        add(name, try stopwatch.compare(body, with: unit.run).ratio, go: go, bar: bar, report)
    }

    /// Reports the time of a closure in P where each call uses one of a number of things that were made before.
    private func measure<Thing>(
        _ name: String,
        go: Double? = nil,
        bar: Double,
        using things: [Thing],
        _ report: (Figure) -> Void,
        _ body: (Thing) throws -> Void
    ) rethrows {
        add(name, try stopwatch.compare(using: things, body, with: unit.run).ratio, go: go, bar: bar, report)
    }

    /// The table of one length.
    private func operations(_ report: (Figure) -> Void) throws {
        let time = stopwatch.nanoseconds(of: unit.run) / 1e6
        let name = "P: mpz_powm, \(bits)-bit modulus, \(bits - 2)-bit exponent"
        report(Figure(layer: Self.layer, name: name, value: time, unit: "ms"))
        try disclosure(report)
        try issuance(report)
        try storage(report)
        try revocation(report)
        try ranges(report)
    }

    private func disclosure(_ report: (Figure) -> Void) throws {
        let request = try scene.request()
        try measure("disclosure, build", go: 5.0, bar: 0.85, report) { blackHole(try scene.show(request)) }
        let prepared = try (0..<100).map { _ in try PreparedIdemixDisclosure(request) }
        try measure("disclosure, build with prepared commitments", bar: 0.05, using: prepared, report) { prepared in
            let builder = IdemixProofListBuilder()
            try builder.add(prepared)
            blackHole(try builder.prove(challenge: IdemixChallenge(nonce: 42)))
        }
        let list = try scene.show(request)
        measure("disclosure, verify", go: 5.1, bar: 0.8, report) { precondition(scene.verifies(list)) }
    }

    private func issuance(_ report: (Figure) -> Void) throws {
        let (publicKey, secretKey) = (scene.keys.publicKey, scene.secretKey)
        func commit() throws -> (PendingIdemixCredential, IdemixProofList) {
            let builder = IdemixProofListBuilder()
            let pending = try builder.addIssuance(publicKey: publicKey, secretKey: secretKey)
            return (pending, try builder.prove(challenge: IdemixChallenge(nonce: 1)))
        }
        try measure("holder's commitment and its proof", go: 3.8, bar: 0.76, report) { blackHole(try commit()) }
        let (pending, list) = try commit()
        let expectation = IdemixProofExpectation.issuance(IdemixIssuanceExpectation(publicKey: publicKey))
        measure("issuer's check of the commitment", go: 2.2, bar: 0.44, report) {
            precondition(
                list.verify(expecting: [expectation], challenge: IdemixChallenge(nonce: 1), at: IdemixScene.time)
                    .verified
                    != nil
            )
        }
        let commitment = try IdemixScene.commitment(list, publicKey)
        func sign(_ pool: CLSignaturePrimePool) throws -> IssuedCLSignature {
            try IdemixIssuer(keys: scene.keys, primes: pool)
                .sign(attributes: scene.attributes, commitment: commitment, nonce: 2)
        }
        let empty = CLSignaturePrimePool(keys: scene.keys, capacity: 0)
        // A search for a prime is long or short by chance: many of them make a figure.
        try measure("issuer's signature and its proof", go: 12.0, bar: 2.4, using: Array(0..<250), report) { _ in
            blackHole(try sign(empty))
        }
        let full = CLSignaturePrimePool(keys: scene.keys, capacity: 0)
        try full.fill(to: 100)
        try measure("issuer's signature and its proof, prime from the pool", bar: 1.2, using: Array(0..<100), report) {
            _ in
            blackHole(try sign(full))
        }
        let issued = try sign(empty)
        try measure("holder's check and credential", go: 12.0, bar: 2.4, report) {
            blackHole(try pending.finish(with: issued, attributes: scene.attributes, nonce: 2))
        }
    }

    /// Reading a credential from a store that the holder vouches for.
    private func storage(_ report: (Figure) -> Void) throws {
        let (publicKey, secretKey) = (scene.keys.publicKey, scene.secretKey)
        for (name, credential) in [("credential", scene.credential), ("revocable credential", scene.revocable)] {
            let stored = credential.encoded()
            try measure("\(name) from the holder's own store", bar: 0.05, report) {
                blackHole(try IdemixCredential(decodingVouchedFor: stored, publicKey: publicKey, secretKey: secretKey))
            }
        }
    }

    private func revocation(_ report: (Figure) -> Void) throws {
        let request = try scene.request(provingNonRevocation: true)
        try measure("disclosure with non-revocation, build", go: 16.5, bar: 3.3, report) {
            blackHole(try scene.show(request))
        }
        let list = try scene.show(request)
        measure("disclosure with non-revocation, verify", go: 12.6, bar: 2.4, report) {
            precondition(scene.verifies(list, nonRevocation: true))
        }
    }

    private func ranges(_ report: (Figure) -> Void) throws {
        let request = try scene.request(statements: scene.statements)
        // The search for the squares is long or short by chance.
        try measure("disclosure with a range of four squares, build", bar: 2.1, using: Array(0..<100), report) { _ in
            blackHole(try scene.show(request))
        }
        let list = try scene.show(request)
        measure("disclosure with a range of four squares, verify", bar: 2.0, report) {
            precondition(scene.verifies(list, statements: scene.statements))
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
        // The last of these verifications builds the tables.
        let first = CPUClock.process.nanoseconds {
            for _ in 0..<FixedBaseTables.usesUntilBuilt { precondition(scene.verifies(list, publicKey: fresh)) }
        }
        let uses = Double(FixedBaseTables.usesUntilBuilt)
        let times = stopwatch.compare(
            { precondition(scene.verifies(list, publicKey: without)) },
            with: { precondition(scene.verifies(list)) }
        )
        report(
            Figure(
                layer: Self.layer,
                name: "verifications after which a key's tables have paid for themselves",
                value: (first - uses * times.nanosecondsOfB) / (times.nanosecondsOfA - times.nanosecondsOfB),
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
        let contention = Contention(
            rounds: 40,
            try (0..<2).map { _ in Self.verification(scene, try scene.show(try scene.request())) },
            bareRounds: 40,
            bare: (0..<2).map { _ in Self.exponentiation() }
        )
        contention.figures(layer: Self.layer, of: "verify", beside: "mpz_powm").forEach(report)
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
