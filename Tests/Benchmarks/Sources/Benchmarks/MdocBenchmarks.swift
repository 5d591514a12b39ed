import CBORKit
import COSEKit
import CryptoCore
import Foundation
import Harness
import MdocKit

/// Verification of a presentation beside the signatures that no verification can do without.
enum MdocBenchmarks: LayerBenchmarks {
    static let layer = "MdocKit"

    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) async throws {
        let scene = try await Scene()
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
                bar: .atMost(1.25)
            )
        )
        let nanoseconds = try stopwatch.nanoseconds { blackHole(try DeviceResponse(decoding: scene.bytes)) }
        report(
            Figure(layer: layer, name: "read a response of 8 items", value: nanoseconds / 1000, unit: "µs")
        )
    }

    /// The median ratio of samples taken in turn: from the bytes to the verdict, and the bare signatures.
    private static func ratio(
        _ samples: Int,
        _ scene: Scene,
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

    /// A presentation of 8 of 20 items, signed by the device.
    private struct Scene {
        let bytes: [UInt8]
        private let transcript: SessionTranscript
        private let anchor: TrustAnchor
        private let key: PublicKey
        private let signature: ArraySlice<UInt8>
        private let toBeSigned: [UInt8]
        private let now: Date

        init() async throws {
            let time = Date()
            let pki = try await MdocTestPKI.make(at: time)
            let deviceKey = try PrivateKey.generate(.p256)
            let validity = ValidityInfo(signed: time, validFrom: time, validUntil: time + 86_400)
            var builder = IssuerSignedBuilder(docType: .mDL, deviceKey: deviceKey.publicKey, validityInfo: validity)
            for index in 0..<20 {
                let identifier = DataElementIdentifier("data_element_\(index)")
                try builder.add("a value of usual length", as: identifier, in: .mDL)
            }
            let signer = try SoftwareSigner(pki.documentSignerKey)
            let credential = try await builder.sign(with: signer, x5chain: [pki.documentSigner])
            let shown = Set(credential[.mDL].prefix(8).map(\.elementIdentifier))
            let limited = try credential.limitDisclosures { shown.contains($0.identifier) }
            transcript = SessionTranscript(
                handover: .openID4VPDigitalCredentialsAPI(
                    origin: "https://rp.example",
                    nonce: "exc7gBkxjx1rdc9udRrveKvSsJIq80avlXeLHhGwqtA",
                    jwkThumbprint: nil
                )
            )
            let prepared = try PreparedDocument(limited, sessionTranscript: transcript)
            let document = try await prepared.signed(with: SoftwareSigner(deviceKey))
            bytes = [UInt8](try DeviceResponse(documents: [document]).encodedBytes)
            anchor = TrustAnchor(pki.iaca.certificate)
            key = pki.documentSignerKey.publicKey
            signature = limited.issuerAuth.signature
            toBeSigned = try limited.issuerAuth.toBeSigned()
            now = time
        }

        func verifier(cache: CertificateChainCache?) -> MdocVerifier {
            MdocVerifier(trustAnchors: [anchor], chainCache: cache, clock: { [now] in now })
        }

        func verify(with verifier: MdocVerifier) async throws {
            let response = try DeviceResponse(decoding: bytes)
            let verification = try await verifier.verify(response, sessionTranscript: transcript)
            precondition(verification.verifiedDocuments.count == 1, "the presentation verifies")
            blackHole(verification)
        }

        func verifyBareSignature() {
            blackHole(key.isValidSignature(signature, for: toBeSigned, algorithm: .ecdsaSHA256))
        }
    }
}
