import CBORKit
import COSEKit
import CryptoCore
import TestSupport
import Testing

@Suite struct COSEMac0Tests {
    private func headers(_ algorithm: COSEAlgorithm) -> COSEHeaders {
        COSEHeaders(protected: [.alg: .integer(algorithm.rawValue)])
    }

    @Test(arguments: COSEAlgorithm.macs)
    func whatIsAuthenticatedVerifies(algorithm: COSEAlgorithm, keyLength: Int) throws {
        let key = TestKeys.symmetric(keyLength)
        let message = try COSEMac0.authenticate(content, headers: headers(algorithm), externalAAD: [1], with: key)
        let received = try COSEMac0(decoding: message.encoded())
        let policy = COSEPolicy(algorithms: [algorithm])
        let verified = try received.verify(with: key, policy: policy, externalAAD: [1])
        #expect(Array(verified.payload) == content)
        #expect(verified.algorithm == algorithm)
        expectRefusal(.invalidMAC, at: "tag") { try received.verify(with: key, policy: policy) }
        expectRefusal(.invalidMAC, at: "tag") {
            try received.verify(
                with: SecretBytes([UInt8](repeating: 9, count: keyLength)),
                policy: policy,
                externalAAD: [1]
            )
        }
    }

    @Test func theStructureHasTheFormOfSection63() throws {
        let message = try COSEMac0.authenticate(content, headers: headers(.hmac256_256), with: TestKeys.symmetric(32))
        #expect(try message.toBeMaced() == bytes("84644d41433043a101054054") + content)
    }

    @Test func aTagOfAnotherLengthIsRefused() throws {
        let key = TestKeys.symmetric(32)
        let message = try COSEMac0.authenticate(content, headers: headers(.hmac256_256), with: key)
        for length in [0, 8, 31] {
            var writer = CBORWriter()
            writer.beginArray(count: 4)
            writer.write(bytes: message.headers.protectedBytes)
            writer.beginMap(count: 0)
            writer.write(bytes: content)
            writer.write(bytes: message.tag.prefix(length))
            let cut = try COSEMac0(decoding: writer.finish())
            expectRefusal(.invalidMAC, at: "tag") { try cut.verify(with: key, policy: [.hmac256_256]) }
        }
    }

    @Test func keysOfAnotherLengthAreRefused() throws {
        expectRefusal(.keyMismatch, at: "key") {
            try COSEMac0.authenticate(content, headers: headers(.aesMAC128_64), with: TestKeys.symmetric(32))
        }
        expectRefusal(.keyMismatch, at: "key") {
            try COSEMac0.authenticate(content, headers: headers(.hmac256_256), with: TestKeys.symmetric(15))
        }
    }

    @Test func aSignatureAlgorithmIsRefused() throws {
        expectRefusal(.unsuitableAlgorithm, at: "alg") {
            try COSEMac0.authenticate(content, headers: headers(.es256), with: TestKeys.symmetric(32))
        }
        expectRefusal(.missingAlgorithm, at: "alg") {
            try COSEMac0.authenticate(content, headers: COSEHeaders(), with: TestKeys.symmetric(32))
        }
    }

    @Test func twoStepsGiveAMessageThatVerifies() throws {
        let key = TestKeys.symmetric(32)
        let unauthenticated = try COSEMac0.Unauthenticated(
            payload: content,
            detached: true,
            headers: headers(.hmac256_64)
        )
        let tag = HMAC.authenticationCode(for: unauthenticated.bytesToAuthenticate, key: key, hash: .sha256)
        expectRefusal(.invalidMAC, at: "tag") { try unauthenticated.completed(with: tag) }
        let message = try unauthenticated.completed(with: Array(tag.prefix(8)))
        #expect(message.unverifiedPayload == nil)
        let verified = try message.verify(with: key, policy: [.hmac256_64], detachedPayload: content)
        #expect(Array(verified.payload) == content)
        expectRefusal(.missingContent) { try message.verify(with: key, policy: [.hmac256_64]) }
    }

    @Test func theRestrictionsOfAKeyAreEnforced() throws {
        let key = TestKeys.symmetric(32)
        let message = try COSEMac0.authenticate(content, headers: headers(.hmac256_256), with: key)
        let allowed = COSEKey(
            symmetricKey: key,
            attributes: .init(algorithm: .hmac256_256, keyOperations: [.macVerify])
        )
        _ = try message.verify(with: allowed, policy: [.hmac256_256])
        let creator = COSEKey(symmetricKey: key, attributes: .init(keyOperations: [.macCreate]))
        expectRefusal(.keyRestricted, at: "key_ops") { try message.verify(with: creator, policy: [.hmac256_256]) }
        let other = COSEKey(symmetricKey: key, attributes: .init(algorithm: .hmac256_64))
        expectRefusal(.keyRestricted, at: "alg") { try message.verify(with: other, policy: [.hmac256_256]) }
        let publicKey = try COSEKey(publicKey: TestKeys.p256.get().publicKey)
        expectRefusal(.keyMismatch, at: "kty") { try message.verify(with: publicKey, policy: [.hmac256_256]) }
    }

    @Test func anotherTagOrLengthIsRefused() throws {
        let message = try COSEMac0.authenticate(content, headers: headers(.hmac256_256), with: TestKeys.symmetric(32))
        let encoded = message.encoded(tagged: false)
        expectRefusal(.wrongTag) { try COSEMac0(decoding: [0xd2] + encoded) }
        expectRefusal(.wrongElementCount) { try COSEMac0(decoding: [0x85] + encoded.dropFirst() + [0x00]) }
    }
}
