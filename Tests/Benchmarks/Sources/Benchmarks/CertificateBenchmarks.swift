import CredentialTesting
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
        let parse = try stopwatch.compare({ blackHole(try Certificate(der: encoded)) }, with: bare)
        add("read a document signer certificate", parse, .atMost(0.3), report)
        let cold = CertificatePathValidator(anchors: [pki.iaca.certificate], policy: .mdocDocumentSigner)
        let validation = stopwatch.compare(
            { blackHole(cold.validate(encodedChain: [encoded[...]], at: now)) },
            with: bare
        )
        add("read and validate it by its profile", validation, .atMost(1.75), report)
        let warm = CertificatePathValidator(
            anchors: [pki.iaca.certificate],
            policy: .mdocDocumentSigner,
            cache: CertificateChainCache()
        )
        let hit = stopwatch.compare(
            { blackHole(warm.validate(encodedChain: [encoded[...]], at: now)) },
            with: bare
        )
        add("the same with the chain cached", hit, .atMost(0.06), report)
    }

    private static func add(_ name: String, _ comparison: Comparison, _ bar: Bar, _ report: (Figure) -> Void) {
        report(Figure(layer: layer, name: "\(name) / bare P-256 verification", value: comparison.ratio, bar: bar))
    }
}
