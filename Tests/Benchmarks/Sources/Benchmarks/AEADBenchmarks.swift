import Crypto
import CryptoCore
import Harness

/// Authenticated encryption beside the bare calls of swift-crypto with the same bytes.
enum AEADBenchmarks: LayerBenchmarks {
    static let layer = "CryptoCore"

    private static let nonce = [UInt8](0..<12)
    private static let additionalData = [UInt8](repeating: 2, count: 32)

    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) async throws {
        for size in [64, 5000, 1_000_000] {
            report(try sealing(size, stopwatch))
            report(try opening(size, stopwatch))
        }
    }

    private static func sealing(_ size: Int, _ stopwatch: Stopwatch) throws -> Figure {
        let key = SecretBytes.random(count: 32)
        let bareKey = SymmetricKey(data: key)
        let plaintext = [UInt8](repeating: 1, count: size)
        let comparison = try stopwatch.compare {
            let sealed = try AEADAlgorithm.aes256GCM.sealCombined(
                plaintext,
                key: key,
                nonce: nonce,
                additionalData: additionalData
            )
            blackHole(sealed)
        } with: {
            let box = try AES.GCM.seal(
                plaintext,
                using: bareKey,
                nonce: AES.GCM.Nonce(data: nonce),
                authenticating: additionalData
            )
            blackHole([UInt8](box.ciphertext) + box.tag)
        }
        return figure("seal", size, comparison)
    }

    private static func opening(_ size: Int, _ stopwatch: Stopwatch) throws -> Figure {
        let key = SecretBytes.random(count: 32)
        let bareKey = SymmetricKey(data: key)
        let sealed = try AEADAlgorithm.aes256GCM.sealCombined(
            [UInt8](repeating: 1, count: size),
            key: key,
            nonce: nonce,
            additionalData: additionalData
        )
        let comparison = try stopwatch.compare {
            let opened = try AEADAlgorithm.aes256GCM.openCombined(
                sealed,
                key: key,
                nonce: nonce,
                additionalData: additionalData
            )
            blackHole(opened)
        } with: {
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: nonce),
                ciphertext: sealed.dropLast(16),
                tag: sealed.suffix(16)
            )
            blackHole([UInt8](try AES.GCM.open(box, using: bareKey, authenticating: additionalData)))
        }
        return figure("open", size, comparison)
    }

    private static func figure(_ name: String, _ size: Int, _ comparison: Comparison) -> Figure {
        Figure(
            layer: layer,
            name: "\(name) \(size) bytes with AES-256-GCM, beside bare swift-crypto",
            value: comparison.ratio
        )
    }
}
