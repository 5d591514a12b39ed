import CryptoCore
import TestSupport
import Testing

/// Ed25519 and Ed448 verification.
enum WycheproofEdDSA {
    struct Group: WycheproofGroup {
        struct Key: Decodable {
            let curve: String
            let pk: HexBytes
        }

        let publicKey: Key
        let publicKeyDer: HexBytes
        let publicKeyPem: String
        let tests: [WycheproofECDSA.Test]
    }

    static func run(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        try WycheproofTally(file, Group.self) { group, test in
            let curve = try EllipticCurve(wycheproofName: group.publicKey.curve)
            let key = try PublicKey(curve: curve, rawRepresentation: group.publicKey.pk.bytes)
            #expect(try PublicKey(subjectPublicKeyInfo: group.publicKeyDer.bytes) == key)
            #expect(try PublicKey(pem: group.publicKeyPem) == key)
            let algorithm = try #require(curve.naturalSignatureAlgorithm)
            let isValid = key.isValidSignature(test.sig.bytes, for: test.msg.bytes, algorithm: algorithm)
            return isValid ? .accepted : .refused
        }
    }
}
