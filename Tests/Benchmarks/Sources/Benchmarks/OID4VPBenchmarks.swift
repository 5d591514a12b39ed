import CryptoCore
import Foundation
import Harness
import JSONKit
import OID4VPKit
import OID4VPMessages
import OID4VPVerifier
import TestSupport

/// A wallet and a verifier of OpenID4VP beside the cryptography that neither can do without.
enum OID4VPBenchmarks: LayerBenchmarks {
    static let layer = "OID4VPKit"

    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) async throws {
        let scene = try await OID4VPScene()
        try await measureRequest(scene, stopwatch, report)
        try await measureQuery(scene, stopwatch, report)
        try await measureResponse(scene, stopwatch, report)
        try await measureMemory(scene, report)
    }

    /// A request object by value, whose chain no cache knows.
    private static func measureRequest(
        _ scene: OID4VPScene,
        _ stopwatch: Stopwatch,
        _ report: (Figure) -> Void
    ) async throws {
        let link = try await scene.signedLink()
        let signatures = try scene.signatures(ofLink: link)
        let authenticator = scene.authenticator()
        let comparison = try await stopwatch.compare(
            {
                let request = try AuthorizationRequest(url: link)
                let verification = await authenticator.authenticate(request, at: scene.now)
                blackHole(try verification.get().presentationRequest())
            },
            withSynchronous: { signatures.verify() }
        )
        report(
            Figure(
                layer: layer,
                name: "authenticate a request object with two certificates, cold / its three bare P-256 verifications",
                value: comparison.ratio,
                bar: .atMost(1.4)
            )
        )
        report(
            Figure(
                layer: layer,
                name: "authenticate a request object with two certificates, cold",
                value: comparison.nanosecondsOfA / 1000,
                unit: "µs"
            )
        )
    }

    /// A query that is read and evaluated.
    private static func measureQuery(
        _ scene: OID4VPScene,
        _ stopwatch: Stopwatch,
        _ report: (Figure) -> Void
    ) async throws {
        let wallet = try await scene.wallet(of: 100)
        let query = scene.fiveQueries()
        guard try DCQLQuery(json: JSONValue(parsing: query)).evaluate(over: wallet).isSatisfied else {
            throw OID4VPError(.invalidSelection, "the wallet answers every query")
        }
        let bare = try scene.oneSignature()
        let comparison = try stopwatch.compare {
            blackHole(try DCQLQuery(json: JSONValue(parsing: query)).evaluate(over: wallet))
        } with: {
            bare.verify()
        }
        report(
            Figure(
                layer: layer,
                name: "read and evaluate 5 queries over 100 credentials / bare P-256 verification",
                value: comparison.ratio,
                bar: .atMost(10)
            )
        )
    }

    /// An encrypted answer with one SD-JWT: read, decrypted and verified.
    private static func measureResponse(
        _ scene: OID4VPScene,
        _ stopwatch: Stopwatch,
        _ report: (Figure) -> Void
    ) async throws {
        let answer = try await scene.encryptedAnswer()
        let reader = ResponseReader()
        let verifier = try scene.presentationVerifier()
        let bare = try scene.bareWork(of: answer)
        let verify = Self.verification(of: answer, reader, verifier, at: scene.now)
        let comparison = try await stopwatch.compare(verify, withSynchronous: { bare() })
        report(
            Figure(
                layer: layer,
                name: "verify an encrypted SD-JWT answer / its two bare P-256 verifications and one ECDH",
                value: comparison.ratio,
                bar: .atMost(1.5)
            )
        )
        report(
            Figure(
                layer: layer,
                name: "verify an encrypted SD-JWT answer",
                value: comparison.nanosecondsOfA / 1000,
                unit: "µs"
            )
        )
        let allocations = try await Allocations(of: verify)
        allocations?.figures(
            layer: layer,
            of: "verify an encrypted SD-JWT answer",
            input: answer.form.count,
            bars: (280, 4, 4)
        ).forEach(report)
        Self.scaling(verify, bare).forEach(report)
    }

    /// The way of an answer from its form to the verdict.
    private static func verification(
        of answer: OID4VPScene.Answer,
        _ reader: ResponseReader,
        _ verifier: PresentationVerifier,
        at time: Date
    ) -> @Sendable () async throws -> Void {
        {
            let received = try ReceivedResponse(form: answer.form)
            let response = try await reader.read(received, for: answer.expectation, at: time)
            guard case .presentations(let presentations) = response else { return }
            blackHole(try await verifier.verify(presentations, for: answer.expectation).get())
        }
    }

    /// The gain of a second thread in verification, beside that in the bare primitives.
    private static func scaling(
        _ verify: @escaping @Sendable () async throws -> Void,
        _ bare: @escaping @Sendable () -> Void
    ) -> [Figure] {
        let work: @Sendable () -> Void = {
            do {
                try InlineTask.run { try await verify() }
            } catch {
                preconditionFailure("\(error)")
            }
        }
        let contention = Contention(rounds: 400, [work, work], bareRounds: 400, bare: [bare, bare])
        return contention.figures(
            layer: layer,
            of: "verify an encrypted SD-JWT answer",
            beside: "its two bare P-256 verifications and one ECDH"
        )
    }

    /// Transactions that wait for their wallets, each with a key of its own.
    private static func measureMemory(_ scene: OID4VPScene, _ report: (Figure) -> Void) async throws {
        let server = try scene.server()
        let wish = TransactionRequest(of: "shop", for: try scene.query())
        let before = try residentMemory()
        for _ in 0..<10_000 { _ = try await server.start(wish) }
        let memory = try residentMemory() - before
        report(
            Figure(layer: layer, name: "10,000 open transactions", value: memory / 1e6, unit: "MB", bar: .atMost(200))
        )
        let start = CPUClock.process.now
        for _ in 0..<1000 { _ = try await server.start(wish) }
        let time = (CPUClock.process.now - start) / 1000
        report(Figure(layer: layer, name: "start a transaction", value: time / 1000, unit: "µs"))
    }

    /// The resident memory of this process in bytes.
    private static func residentMemory() throws -> Double {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
        return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
    }
}
