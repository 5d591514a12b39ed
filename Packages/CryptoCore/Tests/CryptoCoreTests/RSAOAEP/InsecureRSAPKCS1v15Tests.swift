import CredentialTesting
import CryptoCore
import TestSupport
import Testing

@Suite struct InsecureRSAPKCS1v15Tests {
    #if OpenSSL
    private func decrypt(
        _ encryptedKey: [UInt8],
        length: Int,
        using source: some RandomSource = .system
    ) throws -> SecretBytes {
        let key = try RSAOAEPTests.key.get()
        return try InsecureRSAPKCS1v15.decryptKey(encryptedKey, with: key, length: length, using: source)
    }

    @Test func printedExample() throws {
        let example = RSAEncryptionExample.version15
        let encryptedKey = try #require([UInt8](hex: example.encryptedKey))
        let expected = try #require([UInt8](hex: example.key))
        #expect(try decrypt(encryptedKey, length: expected.count) == SecretBytes(expected))
    }

    @Test func whatDoesNotDecryptGivesRandomBytes() throws {
        let example = RSAEncryptionExample.version15
        let encryptedKey = try #require([UInt8](hex: example.encryptedKey))
        let modulus = try #require([UInt8](hex: example.modulus))
        let damaged = [
            [], Array(encryptedKey.dropLast()), encryptedKey + [0], [0] + encryptedKey, encryptedKey.flipping(5),
            [UInt8](repeating: 0, count: 256), [UInt8](repeating: 0xff, count: 256), modulus,
        ]
        for ciphertext in damaged {
            let first = try decrypt(ciphertext, length: 32)
            #expect(first.count == 32)
            #expect(try decrypt(ciphertext, length: 32) != first)
            let seeded = { GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 11)) }
            let substitute = SecretBytes(seeded().bytes(32))
            #expect(try decrypt(ciphertext, length: 32, using: seeded()) == substitute)
        }
        for length in [31, 33] {
            let first = try decrypt(encryptedKey, length: length)
            #expect(first.count == length)
            #expect(try decrypt(encryptedKey, length: length) != first)
        }
    }

    @Test func lengthsThatTheModulusCannotHoldAreRefused() throws {
        let ciphertext = [UInt8](repeating: 1, count: 256)
        #expect(try decrypt(ciphertext, length: 245).count == 245)
        for length in [246, 256, Int.max, -1] {
            expect(.invalidParameter) { _ = try decrypt(ciphertext, length: length) }
        }
    }
    #else
    @Test func needsTheTrait() throws {
        let key = try RSAOAEPTests.key.get()
        expect(.unsupported) { _ = try InsecureRSAPKCS1v15.decryptKey([1], with: key, length: 32) }
    }
    #endif

    @Test func keysOfOtherTypesAreRefused() throws {
        let key = try PrivateKey.generate(.p256)
        expect(.keyMismatch) { _ = try InsecureRSAPKCS1v15.decryptKey([1], with: key, length: 32) }
    }
}
