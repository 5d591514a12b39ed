import CryptoCore
import TestSupport
import Testing

/// ECDSA verification, with signatures in DER and as r‖s.
enum WycheproofECDSA {
    struct Group: WycheproofGroup {
        struct Key: Decodable {
            let curve: String
            let uncompressed: HexBytes
        }

        let publicKey: Key
        let publicKeyDer: HexBytes
        let publicKeyPem: String
        let sha: String
        let tests: [Test]
    }

    struct Test: WycheproofTest {
        let tcId: Int
        let comment: String
        let flags: [String]
        let result: WycheproofResult
        let msg: HexBytes
        let sig: HexBytes
    }

    static func runDER(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        try run(file, format: .der)
    }

    static func runRaw(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        try run(file, format: .raw)
    }

    private static func run(_ file: VectorFile, format: ECDSASignatureFormat) throws -> WycheproofTally {
        try WycheproofTally(file, Group.self) { group, test in
            let curve = try EllipticCurve(wycheproofName: group.publicKey.curve)
            let key = try PublicKey(curve: curve, x963Representation: group.publicKey.uncompressed.bytes)
            #expect(try PublicKey(subjectPublicKeyInfo: group.publicKeyDer.bytes) == key)
            #expect(try PublicKey(pem: group.publicKeyPem) == key)
            let hash = try HashAlgorithm(wycheproofName: group.sha)
            let algorithm = try algorithm(hash)
            let signature = test.sig.bytes
            let isValid = key.isValidSignature(signature, for: test.msg.bytes, algorithm: algorithm, format: format)
            let digest = hash.digest(of: test.msg.bytes)
            #expect(isValid == key.isValidSignature(signature, digest: digest, algorithm: algorithm, format: format))
            return isValid ? .accepted : .refused
        }
    }

    private static func algorithm(_ hash: HashAlgorithm) throws -> SignatureAlgorithm {
        switch hash {
        case .sha1: SignatureAlgorithm.Insecure.ecdsaSHA1
        case .sha256: .ecdsaSHA256
        case .sha384: .ecdsaSHA384
        case .sha512: .ecdsaSHA512
        default: throw UnknownAlgorithm(name: hash.name)
        }
    }
}
