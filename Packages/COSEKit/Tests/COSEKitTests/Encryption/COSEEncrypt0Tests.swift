import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import TestSupport
import Testing

@Suite struct COSEEncrypt0Tests {
    private func headers(_ algorithm: COSEAlgorithm, unprotected: COSEHeaderMap = [:]) -> COSEHeaders {
        COSEHeaders(protected: [.alg: .integer(algorithm.rawValue)], unprotected: unprotected)
    }

    @Test(arguments: COSEAlgorithm.encryptions)
    func whatIsEncryptedDecrypts(algorithm: COSEAlgorithm, keyLength: Int) throws {
        let key = TestKeys.symmetric(keyLength)
        guard AEADAlgorithm.aesCCM_16_64_128.isSupported || !"\(algorithm)".contains("CCM") else {
            expectRefusal(.unsupportedAlgorithm, at: "alg") {
                try COSEEncrypt0.encrypt(content, headers: headers(algorithm), with: key)
            }
            return
        }
        let message = try COSEEncrypt0.encrypt(content, headers: headers(algorithm), externalAAD: [1], with: key)
        let received = try COSEEncrypt0(decoding: message.encoded())
        let policy = COSEPolicy(algorithms: [algorithm])
        let decrypted = try received.decrypt(with: key, policy: policy, externalAAD: [1])
        #expect(Array(decrypted.payload) == content)
        expectRefusal(.decryptionFailed, at: "ciphertext") { try received.decrypt(with: key, policy: policy) }
        expectRefusal(.keyMismatch, at: "key") {
            try received.decrypt(with: TestKeys.symmetric(keyLength - 1), policy: policy, externalAAD: [1])
        }
    }

    @Test func theStructureHasTheFormOfSection53() throws {
        let message = try COSEEncrypt0.encrypt(content, headers: headers(.a128GCM), with: TestKeys.symmetric(16))
        #expect(try message.additionalAuthenticatedData(externalAAD: [7]) == bytes("8368456e63727970743043a101014107"))
    }

    @Test func theIVComesFromTheInjectedRandomness() throws {
        let messages = try (0..<2).map { _ in
            try COSEEncrypt0.encrypt(
                content,
                headers: headers(.a128GCM),
                with: TestKeys.symmetric(16),
                using: GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 1))
            )
        }
        #expect(messages[0].encoded() == messages[1].encoded())
        #expect(try messages[0].headers.initializationVector()?.count == 12)
        let other = try COSEEncrypt0.encrypt(content, headers: headers(.a128GCM), with: TestKeys.symmetric(16))
        #expect(other.encoded() != messages[0].encoded())
    }

    @Test func aPartialIVNeedsABaseIV() throws {
        let key = TestKeys.symmetric(16)
        let headers = headers(.a128GCM, unprotected: [.partialIV: .bytes([0x61, 0xa7])])
        let base = [UInt8](1...10)
        let message = try COSEEncrypt0.encrypt(content, headers: headers, with: key, baseIV: base)
        let coseKey = COSEKey(symmetricKey: key, attributes: .init(baseIV: base))
        #expect(Array(try message.decrypt(with: coseKey, policy: [.a128GCM]).payload) == content)
        expectRefusal(.invalidIV, at: "Partial IV") { try message.decrypt(with: key, policy: [.a128GCM]) }
        expectRefusal(.invalidIV, at: "Partial IV") {
            try message.decrypt(with: key, policy: [.a128GCM], baseIV: [UInt8](repeating: 0, count: 13))
        }
        expectRefusal(.decryptionFailed) {
            try message.decrypt(with: key, policy: [.a128GCM], baseIV: base + [1])
        }

        // Section 3.1: the Partial IV is filled up on the left and XORed to the Base IV, here filled up on the right.
        let whole: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0x61, 0xa7]
        let same = try COSEEncrypt0.encrypt(
            content,
            headers: self.headers(.a128GCM, unprotected: [.iv: .bytes(whole)]),
            with: key
        )
        #expect(same.ciphertext == message.ciphertext)
    }

    @Test func nonceOfAnotherLengthIsRefused() throws {
        for length in [0, 11, 13] {
            let iv: CBOR = .bytes([UInt8](repeating: 0, count: length))
            expectRefusal(.invalidIV, at: "IV") {
                try COSEEncrypt0.encrypt(
                    content,
                    headers: headers(.a128GCM, unprotected: [.iv: iv]),
                    with: TestKeys.symmetric(16)
                )
            }
        }
        let message = try COSEEncrypt0(decoding: bytes("83 43a10101 a0 50") + [UInt8](repeating: 0, count: 16))
        expectRefusal(.invalidIV, at: "IV") { try message.decrypt(with: TestKeys.symmetric(16), policy: [.a128GCM]) }
        let empty = try COSEEncrypt0(decoding: bytes("83 43a10101 a10640 50") + [UInt8](repeating: 0, count: 16))
        expectRefusal(.invalidIV, at: "Partial IV") {
            try empty.decrypt(with: TestKeys.symmetric(16), policy: [.a128GCM], baseIV: [1])
        }
    }

    @Test func aDetachedCiphertextIsHandedIn() throws {
        let key = TestKeys.symmetric(16)
        let whole = try COSEEncrypt0.encrypt(content, headers: headers(.a128GCM), with: key)
        let (message, ciphertext) = whole.detached()
        let received = try COSEEncrypt0(decoding: message.encoded())
        #expect(received.ciphertext == nil)
        let decrypted = try received.decrypt(with: key, policy: [.a128GCM], detachedCiphertext: ciphertext)
        #expect(Array(decrypted.payload) == content)
        expectRefusal(.missingContent, at: "ciphertext") { try received.decrypt(with: key, policy: [.a128GCM]) }
        expectRefusal(.contentNotDetached, at: "ciphertext") {
            try whole.decrypt(with: key, policy: [.a128GCM], detachedCiphertext: ciphertext)
        }
    }

    @Test func aCiphertextShorterThanItsTagIsRefused() throws {
        let message = try COSEEncrypt0(decoding: bytes("83 43a10101 a1054c000000000000000000000000 43000000"))
        expectRefusal(.decryptionFailed) { try message.decrypt(with: TestKeys.symmetric(16), policy: [.a128GCM]) }
    }

    @Test func theRestrictionsOfAKeyAreEnforced() throws {
        let key = TestKeys.symmetric(16)
        let message = try COSEEncrypt0.encrypt(content, headers: headers(.a128GCM), with: key)
        let encrypting = COSEKey(symmetricKey: key, attributes: .init(keyOperations: [.encrypt]))
        expectRefusal(.keyRestricted, at: "key_ops") { try message.decrypt(with: encrypting, policy: [.a128GCM]) }
        let decrypting = COSEKey(symmetricKey: key, attributes: .init(keyOperations: [.decrypt]))
        _ = try message.decrypt(with: decrypting, policy: [.a128GCM])
    }

    @Test func aMACAlgorithmIsRefused() throws {
        expectRefusal(.unsuitableAlgorithm, at: "alg") {
            try COSEEncrypt0.encrypt(content, headers: headers(.hmac256_256), with: TestKeys.symmetric(32))
        }
        expectRefusal(.missingAlgorithm, at: "alg") {
            try COSEEncrypt0.encrypt(content, headers: COSEHeaders(), with: TestKeys.symmetric(32))
        }
    }

    @Test func anotherTagOrLengthIsRefused() throws {
        expectRefusal(.wrongTag) { try COSEEncrypt0(decoding: bytes("d2 83 40 a0 40")) }
        expectRefusal(.wrongElementCount) { try COSEEncrypt0(decoding: bytes("84 40 a0 40 40")) }
    }
}
