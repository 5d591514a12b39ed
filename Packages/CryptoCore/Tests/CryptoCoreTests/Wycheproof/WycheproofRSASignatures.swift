import CryptoCore
import TestSupport
import Testing

/// RSASSA-PKCS1-v1_5 and RSASSA-PSS.
enum WycheproofRSASignatures {
    struct Key: Decodable {
        let modulus: HexBytes
        let publicExponent: HexBytes
    }

    struct VerifyGroup: WycheproofGroup {
        let publicKey: Key
        let publicKeyAsn: HexBytes
        let publicKeyDer: HexBytes
        let publicKeyPem: String
        let sha: String
        let mgfSha: String?
        let sLen: Int?
        let tests: [WycheproofECDSA.Test]
    }

    struct GenerateGroup: WycheproofGroup {
        let privateKey: Key
        let privateKeyPkcs8: HexBytes
        let privateKeyPem: String
        let keyDer: HexBytes
        let sha: String
        let tests: [WycheproofECDSA.Test]
    }

    /// `MissingNull`, a DigestInfo without the NULL that RFC 8017 demands, is refused.
    static func runPKCS1(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        try WycheproofTally(file, VerifyGroup.self, acceptable: refuse) { group, test in
            let hash = try HashAlgorithm(wycheproofName: group.sha)
            return try verify(group, test, algorithm: pkcs1(hash))
        }
    }

    static func runPSS(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        try WycheproofTally(file, VerifyGroup.self) { group, test in
            let hash = try HashAlgorithm(wycheproofName: group.sha)
            let mgf = try HashAlgorithm(wycheproofName: group.mgfSha ?? group.sha)
            let saltLength = group.sLen ?? hash.digestSize
            let algorithm = try SignatureAlgorithm.Insecure.rsaPSS(hash, mgf: mgf, saltLength: saltLength)
            return try verify(group, test, algorithm: algorithm)
        }
    }

    /// A weak hash (`WeakHash`) and the exponent 3 (`SmallPublicKey`) are accepted: SHA-1 by its name in `Insecure`, and
    /// the exponent since only bad padding makes it weak.
    static func runPKCS1Generation(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        try WycheproofTally(file, GenerateGroup.self, acceptable: accept) { group, test in
            let hash = try HashAlgorithm(wycheproofName: group.sha)
            let key = try PrivateKey(pkcs8: group.privateKeyPkcs8.bytes)
            #expect(try PrivateKey(pem: group.privateKeyPem).publicKey == key.publicKey)
            #expect(try PublicKey(subjectPublicKeyInfo: group.keyDer.bytes) == key.publicKey)
            let signature = try key.signature(for: test.msg.bytes, algorithm: pkcs1(hash))
            return signature == test.sig.bytes ? .accepted : .refused
        }
    }

    private static func refuse(_ test: WycheproofECDSA.Test) -> WycheproofResult { .invalid }

    private static func accept(_ test: WycheproofECDSA.Test) -> WycheproofResult { .valid }

    private static func verify(
        _ group: VerifyGroup,
        _ test: WycheproofECDSA.Test,
        algorithm: SignatureAlgorithm
    ) throws -> WycheproofOutcome {
        let number = group.publicKey
        let key = try PublicKey(rsaModulus: number.modulus.bytes, exponent: number.publicExponent.bytes)
        #expect(try PublicKey(subjectPublicKeyInfo: group.publicKeyDer.bytes) == key)
        #expect(try PublicKey(pkcs1: group.publicKeyAsn.bytes) == key)
        #expect(try PublicKey(pem: group.publicKeyPem) == key)
        guard algorithm.supports(key) else { throw UnknownAlgorithm(name: algorithm.name) }
        let isValid = key.isValidSignature(test.sig.bytes, for: test.msg.bytes, algorithm: algorithm)
        #if OpenSSL
        let digest = try #require(algorithm.hash).digest(of: test.msg.bytes)
        #expect(isValid == key.isValidSignature(test.sig.bytes, digest: digest, algorithm: algorithm))
        #endif
        return isValid ? .accepted : .refused
    }

    private static func pkcs1(_ hash: HashAlgorithm) throws -> SignatureAlgorithm {
        switch hash {
        case .sha1: SignatureAlgorithm.Insecure.rsaPKCS1SHA1
        case .sha256: .rsaPKCS1SHA256
        case .sha384: .rsaPKCS1SHA384
        case .sha512: .rsaPKCS1SHA512
        default: throw UnknownAlgorithm(name: hash.name)
        }
    }
}
