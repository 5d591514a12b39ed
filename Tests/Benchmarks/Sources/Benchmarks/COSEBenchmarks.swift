import CBORKit
import COSEKit
import CryptoCore
import Harness

/// Verification of COSE messages beside the primitive that no verification can do without.
enum COSEBenchmarks: LayerBenchmarks {
    static let layer = "COSEKit"

    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) async throws {
        try await sign1(payloadSize: 200, stopwatch, report)
        try await sign1(payloadSize: 2000, stopwatch, report)
        try await reading(stopwatch, report)
        try await scaling(report)
    }

    /// A COSE_Sign1 from its bytes to its verified payload, beside the bare verification of the same `Sig_structure`.
    private static func sign1(
        payloadSize: Int,
        _ stopwatch: Stopwatch,
        _ report: (Figure) -> Void
    ) async throws {
        let (bytes, key) = try await signedMessage(payloadSize: payloadSize)
        let message = try COSESign1(decoding: bytes)
        let signature = message.signature
        let toBeSigned = try message.toBeSigned()
        let comparison = try stopwatch.compare {
            blackHole(try COSESign1(decoding: bytes).verify(with: key, policy: [.es256]))
        } with: {
            blackHole(key.isValidSignature(signature, for: toBeSigned, algorithm: .ecdsaSHA256, format: .raw))
        }
        report(
            Figure(
                layer: layer,
                name: "read and verify a COSE_Sign1 of \(payloadSize) bytes / bare P-256 verification",
                value: comparison.ratio,
                bar: .atMost(1.15)
            )
        )
    }

    /// The share of reading, for orientation.
    private static func reading(_ stopwatch: Stopwatch, _ report: (Figure) -> Void) async throws {
        let (bytes, _) = try await signedMessage(payloadSize: 2000)
        let nanoseconds = try stopwatch.nanoseconds { blackHole(try COSESign1(decoding: bytes)) }
        report(Figure(layer: layer, name: "read a COSE_Sign1", value: nanoseconds / 1000, unit: "µs"))
    }

    /// The allocations of a verification, and the gain of a second thread beside that in the bare signature.
    private static func scaling(_ report: (Figure) -> Void) async throws {
        let (bytes, key) = try await signedMessage(payloadSize: 2000)
        let message = try COSESign1(decoding: bytes)
        let (signature, toBeSigned) = (message.signature, try message.toBeSigned())
        let allocations = await Allocations {
            blackHole(try? COSESign1(decoding: bytes).verify(with: key, policy: [.es256]))
        }
        allocations?.figures(layer: layer, of: "read and verify", input: bytes.count, bars: (40, 4, 4)).forEach(report)
        let contention = Contention(
            rounds: 800,
            (0..<2).map { _ in { blackHole(try? COSESign1(decoding: bytes).verify(with: key, policy: [.es256])) } },
            bareRounds: 800,
            bare: (0..<2).map { _ in
                { blackHole(key.isValidSignature(signature, for: toBeSigned, algorithm: .ecdsaSHA256, format: .raw)) }
            }
        )
        contention.figures(layer: layer, of: "read and verify", beside: "bare P-256 verification").forEach(report)
    }

    /// A message as an mdoc issuer makes it: `alg` protected, a chain of one certificate's size unprotected.
    private static func signedMessage(payloadSize: Int) async throws -> (bytes: [UInt8], key: PublicKey) {
        let key = try PrivateKey.generate(.p256)
        let message = try await COSESign1.sign(
            [UInt8](repeating: 0x42, count: payloadSize),
            headers: COSEHeaders(unprotected: [.x5chain: .bytes([UInt8](repeating: 0x30, count: 500))]),
            with: SoftwareSigner(key)
        )
        return (message.encoded(tagged: false), key.publicKey)
    }
}
