import CryptoCore
import TestSupport
import Testing

/// Authenticated encryption: AES-GCM, AES-CCM, AES-CBC-HMAC, ChaCha20-Poly1305, XChaCha20-Poly1305.
enum WycheproofAEAD {
    struct Group: WycheproofGroup {
        let keySize: Int
        let ivSize: Int
        let tagSize: Int
        let tests: [Test]
    }

    struct Test: WycheproofTest {
        let tcId: Int
        let comment: String
        let flags: [String]
        let result: WycheproofResult
        let key: HexBytes
        let iv: HexBytes
        let aad: HexBytes
        let msg: HexBytes
        let ct: HexBytes
        let tag: HexBytes
    }

    static func run(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        try WycheproofTally(file, Group.self) { group, test in
            if header.algorithm == "AES-GCM", (1..<96).contains(group.ivSize) {
                expect(.invalidParameter) { _ = try parameters(header, group) }
                return .outside("AES-GCM nonces below 96 bits are refused: they repeat too soon")
            }
            let algorithm = try parameters(header, group)
            if algorithm.isSupported, test.flags.contains("ModifiedTag") {
                expect(.authenticationFailure) { _ = try open(test, algorithm) }
            }
            guard try open(test, algorithm) == test.msg.bytes else { return .refused }
            let sealed = try seal(test, algorithm)
            return sealed == test.ct.bytes + test.tag.bytes ? .accepted : .refused
        }
    }

    private static func open(_ test: Test, _ algorithm: AEADAlgorithm) throws -> [UInt8] {
        try algorithm.open(
            test.ct.bytes,
            tag: test.tag.bytes,
            key: test.key.bytes,
            nonce: test.iv.bytes,
            additionalData: test.aad.bytes
        )
    }

    private static func seal(_ test: Test, _ algorithm: AEADAlgorithm) throws -> [UInt8] {
        try algorithm.sealCombined(
            test.msg.bytes,
            key: test.key.bytes,
            nonce: test.iv.bytes,
            additionalData: test.aad.bytes
        )
    }

    private static func parameters(_ header: WycheproofHeader, _ group: Group) throws -> AEADAlgorithm {
        switch (header.algorithm, group.keySize) {
        case ("AES-GCM", _): return try .aesGCM(keySize: group.keySize / 8, nonceSize: group.ivSize / 8)
        case ("AES-CCM", _):
            return try .aesCCM(keySize: group.keySize / 8, nonceSize: group.ivSize / 8, tagSize: group.tagSize / 8)
        case ("CHACHA20-POLY1305", _): return .chaCha20Poly1305
        case ("XCHACHA20-POLY1305", _): return .xChaCha20Poly1305
        case ("A128CBC-HS256", _): return .aes128CBC_HS256
        case ("A192CBC-HS384", _): return .aes192CBC_HS384
        case ("A256CBC-HS512", _): return .aes256CBC_HS512
        default: throw UnknownAlgorithm(name: header.algorithm)
        }
    }
}
