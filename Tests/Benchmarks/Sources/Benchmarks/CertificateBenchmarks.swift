import CryptoCore
import Foundation
import Harness

/// Certificates of CryptoCore beside the bare signature check that they end in.
enum CertificateBenchmarks: LayerBenchmarks {
    static let layer = "CryptoCore"

    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) async throws {
        let now = Date()
        let pki = try await MdocTestPKI.make(at: now)
        let encoded = pki.documentSigner.derBytes
        let key = try pki.iaca.certificate.publicKey()
        let bare = {
            blackHole(
                key.isValidSignature(
                    pki.documentSigner.signature,
                    for: pki.documentSigner.tbsCertificateBytes,
                    algorithm: .ecdsaSHA256,
                    format: .der
                )
            )
        }
        let parse = try stopwatch.nanoseconds { blackHole(try Certificate(der: encoded)) }
        add("read a document signer certificate", parse / 1000, .atMost(10), report)
        let cold = CertificatePathValidator(anchors: [pki.iaca.certificate], policy: .mdocDocumentSigner)
        let validation = stopwatch.compare(
            { blackHole(cold.validate(encodedChain: [encoded[...]], at: now)) },
            with: bare
        )
        let beyond = (validation.nanosecondsOfA - validation.nanosecondsOfB) / 1000
        add("read and validate it by its profile, beyond the bare signature check", beyond, .atMost(25), report)
        let warm = CertificatePathValidator(
            anchors: [pki.iaca.certificate],
            policy: .mdocDocumentSigner,
            cache: CertificateChainCache()
        )
        let hit = stopwatch.nanoseconds { blackHole(warm.validate(encodedChain: [encoded[...]], at: now)) }
        add("the same with the chain cached", hit / 1000, .atMost(2), report)
    }

    private static func add(_ name: String, _ value: Double, _ bar: Bar, _ report: (Figure) -> Void) {
        report(Figure(layer: layer, name: name, value: value, unit: "µs", bar: bar))
    }
}
