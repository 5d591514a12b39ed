import CBORKit
import CredentialTesting
import CryptoCore
import Foundation
import TestSupport

/// Keys that are the same in every run, and signatures with them over content that a script has changed.
enum FuzzKeys {
    /// The time of every scene.
    static let time = Date(timeIntervalSince1970: 1_800_000_000)

    /// A source of randomness that depends on a seed only.
    static func randomness(_ seed: UInt64) -> GeneratorRandomSource<RepeatableRandomNumberGenerator> {
        GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: seed))
    }

    /// A key on a curve that depends on a seed only.
    static func key(_ seed: UInt64, _ curve: EllipticCurve = .p256) throws -> PrivateKey {
        try PrivateKey.generate(curve, using: randomness(seed))
    }

    /// A COSE_Sign1 with a new signature over its protected headers and its payload (RFC 9052, 4.4); any other item
    /// unchanged.
    static func signedAgain(_ message: CBOR, by key: PrivateKey, detached: [UInt8]? = nil) -> CBOR {
        signedAgain(message, context: "Signature1", detached) { bytes in
            try? key.signature(for: bytes, algorithm: .ecdsaSHA256)
        }
    }

    /// A COSE_Mac0 with a new tag (RFC 9052, 6.3); any other item unchanged.
    static func authenticatedAgain(_ message: CBOR, with key: SecretBytes, detached: [UInt8]? = nil) -> CBOR {
        signedAgain(message, context: "MAC0", detached) { bytes in
            try? MACAlgorithm.hmac256_256.authenticationCode(for: bytes, key: key)
        }
    }

    private static func signedAgain(
        _ message: CBOR,
        context: String,
        _ detached: [UInt8]?,
        _ sign: ([UInt8]) -> [UInt8]?
    ) -> CBOR {
        var parts = message.elements
        guard parts.count == 4, let payload = detached ?? parts[2].byteString else { return message }
        let structure: CBOR = [.text(context), parts[0], .bytes([]), .bytes(payload)]
        guard let signature = sign(structure.encoded()) else { return message }
        parts[3] = .bytes(signature)
        return .array(parts)
    }

    /// A signed structure of X.509 (certificate or list) with a new signature over its first part.
    static func signedAgain(_ structure: DERNode, by key: PrivateKey) -> DERNode {
        guard structure.children.count == 3, let first = structure.children.first,
            let signature = try? key.signature(for: first.encoded, algorithm: .ecdsaSHA256, format: .der),
            let bits = DERNode([0x03, UInt8(signature.count + 1), 0] + signature)
        else { return structure }
        return structure.replacing(children: Array(structure.children.prefix(2)) + [bits])
    }
}
