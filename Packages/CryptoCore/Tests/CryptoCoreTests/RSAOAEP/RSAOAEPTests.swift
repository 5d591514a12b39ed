import CryptoCore
import TestSupport
import Testing

@Suite struct RSAOAEPTests {
    /// The hash functions that this build has an engine for.
    static let hashes: [HashAlgorithm] = {
        #if OpenSSL
        [.sha1, .sha256, .sha384, .sha512]
        #else
        [.sha1, .sha256]
        #endif
    }()

    /// A key that all tests share: making one is slow.
    static let key = Result { try RSAEncryptionExample.version15.privateKey() }

    @Test func printedExample() throws {
        let example = RSAEncryptionExample.oaep
        let encryptedKey = try #require([UInt8](hex: example.encryptedKey))
        let expected = try #require([UInt8](hex: example.key))
        let key = try RSAOAEP.decrypt(encryptedKey, with: example.privateKey(), hash: .sha1)
        #expect(key == SecretBytes(expected))
    }

    @Test(arguments: hashes)
    func messagesUpToTheLongestDecrypt(_ hash: HashAlgorithm) throws {
        let key = try Self.key.get()
        let longest = try #require(RSAOAEP.maximumMessageSize(for: key.publicKey, hash: hash))
        #expect(longest == 256 - 2 * hash.digestSize - 2)
        for count in [0, 1, 16, longest] {
            let message = SecretBytes.random(count: count)
            let ciphertext = try RSAOAEP.encrypt(message, to: key.publicKey, hash: hash)
            #expect(ciphertext.count == 256)
            #expect(try RSAOAEP.decrypt(ciphertext, with: key, hash: hash) == message)
            #expect(try RSAOAEP.encrypt(message, to: key.publicKey, hash: hash) != ciphertext)
        }
        let tooLong = [UInt8](repeating: 0, count: longest + 1)
        expect(.invalidLength) { _ = try RSAOAEP.encrypt(tooLong, to: key.publicKey, hash: hash) }
    }

    @Test(arguments: hashes)
    func damagedCiphertextsAreRefusedAlike(_ hash: HashAlgorithm) throws {
        let key = try Self.key.get()
        let ciphertext = try RSAOAEP.encrypt([1, 2, 3], to: key.publicKey, hash: hash)
        for bit in stride(from: 0, to: ciphertext.count * 8, by: 61) {
            expect(.authenticationFailure) { _ = try RSAOAEP.decrypt(ciphertext.flipping(bit), with: key, hash: hash) }
        }
        let modulus = try #require(key.publicKey.rsaModulus)
        for number in [[UInt8](repeating: 0, count: 256), [UInt8](repeating: 0xff, count: 256), modulus] {
            expect(.authenticationFailure) { _ = try RSAOAEP.decrypt(number, with: key, hash: hash) }
        }
        for wrong in [[], Array(ciphertext.dropLast()), ciphertext + [0], [0] + ciphertext] {
            expect(.invalidLength) { _ = try RSAOAEP.decrypt(wrong, with: key, hash: hash) }
        }
        let other: HashAlgorithm = hash == .sha256 ? .sha1 : .sha256
        expect(.authenticationFailure) { _ = try RSAOAEP.decrypt(ciphertext, with: key, hash: other) }
    }

    @Test func keysOfOtherTypesAreRefused() throws {
        let key = try PrivateKey.generate(.p256)
        let ciphertext = [UInt8](repeating: 0, count: 256)
        expect(.keyMismatch) { _ = try RSAOAEP.encrypt([1], to: key.publicKey, hash: .sha256) }
        expect(.keyMismatch) { _ = try RSAOAEP.decrypt(ciphertext, with: key, hash: .sha256) }
        #expect(RSAOAEP.maximumMessageSize(for: key.publicKey, hash: .sha256) == nil)
    }

    #if OpenSSL
    @Test func labelsMustMatch() throws {
        let key = try Self.key.get()
        let ciphertext = try RSAOAEP.encrypt([1, 2], to: key.publicKey, hash: .sha256, label: [9])
        #expect(try RSAOAEP.decrypt(ciphertext, with: key, hash: .sha256, label: [9]) == SecretBytes([1, 2]))
        expect(.authenticationFailure) { _ = try RSAOAEP.decrypt(ciphertext, with: key, hash: .sha256) }
        expect(.authenticationFailure) { _ = try RSAOAEP.decrypt(ciphertext, with: key, hash: .sha256, label: [8]) }
    }

    @Test func shortModuliHoldNoMessageUnderALongDigest() throws {
        var modulus = [UInt8](repeating: 0xff, count: 128)
        modulus[127] = 0xfd
        let key = try PublicKey(rsaModulus: modulus, exponent: [1, 0, 1], options: .insecureShortRSA)
        #expect(RSAOAEP.maximumMessageSize(for: key, hash: .sha512) == nil)
        expect(.invalidLength) { _ = try RSAOAEP.encrypt([UInt8](), to: key, hash: .sha512) }
    }
    #else
    @Test func otherParametersNeedTheTrait() throws {
        let key = try Self.key.get()
        expect(.unsupported) { _ = try RSAOAEP.encrypt([1], to: key.publicKey, hash: .sha512) }
        expect(.unsupported) { _ = try RSAOAEP.encrypt([1], to: key.publicKey, hash: .sha256, label: [1]) }
    }
    #endif
}
