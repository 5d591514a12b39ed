import CryptoCore
import Foundation
import Harness
import JOSEKit
import JSONKit

/// Verification of JWS and encryption of JWE beside the primitives that neither can do without.
enum JOSEBenchmarks: LayerBenchmarks {
    static let layer = "JOSEKit"

    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) async throws {
        try await verification(stopwatch, report)
        try encryption(stopwatch, report)
        for figure in JOSEOrientation.figures() { report(figure) }
    }

    /// A token of 1.2 kB, from its text to its verified payload, beside the bare verification of the same bytes.
    private static func verification(_ stopwatch: Stopwatch, _ report: (Figure) -> Void) async throws {
        let signer = try SoftwareSigner(PrivateKey.generate(.p256))
        let (text, key) = (try await token(by: signer), signer.publicKey)
        let message = try JWS(compact: text)
        guard let signature = message.signatures.first?.signature else { return }
        let signed = try message.signingInput()
        let comparison = try stopwatch.compare {
            blackHole(try JWS(compact: text).verify(with: key, policy: [.es256]))
        } with: {
            blackHole(key.isValidSignature(signature, for: signed, algorithm: .ecdsaSHA256))
        }
        report(
            Figure(
                layer: layer,
                name: "read and verify an ES256 token of \(text.utf8.count) bytes / bare P-256 verification",
                value: comparison.ratio,
                bar: .atMost(1.3)
            )
        )
        let claims = JWTClaimsPolicy(issuers: ["https://issuer.example"])
        let now = Date()
        let whole = try stopwatch.nanoseconds {
            blackHole(try JWT(compact: text).verify(with: key, policy: [.es256], claims: claims, at: now).get())
        }
        report(Figure(layer: layer, name: "read and verify the token with its claims", value: whole / 1000, unit: "µs"))
        let allocations = await Allocations { blackHole(try? JWS(compact: text).verify(with: key, policy: [.es256])) }
        allocations?.figures(layer: layer, of: "read and verify", input: text.utf8.count, bars: (30, 4, 4))
            .forEach(report)
        let contention = Contention(
            rounds: 800,
            (0..<2).map { _ in { blackHole(try? JWS(compact: text).verify(with: key, policy: [.es256])) } },
            bareRounds: 800,
            bare: (0..<2).map { _ in
                { blackHole(key.isValidSignature(signature, for: signed, algorithm: .ecdsaSHA256)) }
            }
        )
        contention.figures(layer: layer, of: "read and verify", beside: "bare P-256 verification").forEach(report)
    }

    /// Encryption to a P-256 key, beside a fresh key, an agreement and the same AES-GCM.
    private static func encryption(_ stopwatch: Stopwatch, _ report: (Figure) -> Void) throws {
        let key = try PrivateKey.generate(.p256).publicKey
        let recipient = try JWEEncryptionKey.publicKey(key, .ecdhES, keyID: "1")
        let plaintext = [UInt8](repeating: 0x42, count: 1000)
        let aead = AEADAlgorithm.aes256GCM
        let comparison = try stopwatch.compare {
            blackHole(try JWE.encrypt(plaintext, to: recipient, with: .a256GCM).compactSerialization())
        } with: {
            let secret = try PrivateKey.generate(.p256).sharedSecret(with: key)
            blackHole(try aead.seal(plaintext, key: secret, nonce: aead.generateNonce()))
        }
        report(
            Figure(
                layer: layer,
                name: "encrypt 1000 bytes with ECDH-ES and A256GCM / key generation + ECDH + AES-GCM",
                value: comparison.ratio,
                bar: .atMost(1.25)
            )
        )
    }

    /// A token as an issuer makes it, with claims that fill it up to 1.2 kB.
    private static func token(by signer: SoftwareSigner) async throws -> String {
        var claims: JWTClaims = ["iss": "https://issuer.example", "sub": "alice", "iat": 1_700_000_000]
        for index in 0..<20 { claims["claim-\(index)"] = "a value of some length" }
        return try await JWT.sign(claims, header: JOSEHeader(type: "JWT", keyID: "key-1"), with: signer)
            .compactSerialization()
    }
}
