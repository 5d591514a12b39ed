import CredentialTesting
import CryptoCore
import TestSupport
import Testing

@Suite struct KeyWrapTests {
    /// RFC 3394, sections 4.1 to 4.6.
    @Test(arguments: [
        (16, 16, "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"),
        (24, 16, "96778b25ae6ca435f92b5b97c050aed2468ab8a17ad84e5d"),
        (32, 16, "64e8c3f9ce0f5ba263e9777905818a2a93c8191e7d6e8ae7"),
        (24, 24, "031d33264e15d33268f24ec260743edce1c6c7ddee725a936ba814915c6762d2"),
        (32, 24, "a8f9bc1612c68b3ff6e6f4fbe30e71e4769c8b80a32cb8958cd5d17d6b254da1"),
        (32, 32, "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21"),
    ])
    func printedWrappedKeys(_ wrappingKeySize: UInt8, _ keySize: Int, _ wrapped: String) throws {
        let wrappingKey = [UInt8](0..<wrappingKeySize)
        let data = try #require([UInt8](hex: "00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f"))
        let key = data.prefix(keySize)
        let expected = try #require([UInt8](hex: wrapped))
        #expect(try AESKeyWrap.wrap(key, with: wrappingKey) == expected)
        #expect(try AESKeyWrap.unwrap(expected, with: wrappingKey) == SecretBytes(key))
        for bit in 0..<(expected.count * 8) {
            expect(.authenticationFailure) { _ = try AESKeyWrap.unwrap(expected.flipping(bit), with: wrappingKey) }
        }
    }

    @Test func lengthsAreChecked() throws {
        let wrappingKey = [UInt8](0..<16)
        for count in [0, 8, 15, 17, 23] {
            expect(.invalidLength) { _ = try AESKeyWrap.wrap([UInt8](repeating: 0, count: count), with: wrappingKey) }
        }
        for count in [0, 8, 16, 23, 25] {
            expect(.invalidLength) { _ = try AESKeyWrap.unwrap([UInt8](repeating: 0, count: count), with: wrappingKey) }
        }
        for count in [0, 15, 17, 33] {
            let wrong = [UInt8](repeating: 0, count: count)
            let wrapped = [UInt8](repeating: 0, count: 24)
            expect(.invalidLength) { _ = try AESKeyWrap.wrap(wrappingKey, with: wrong) }
            expect(.invalidLength) { _ = try AESKeyWrap.unwrap(wrapped, with: wrong) }
            expect(.invalidLength) { _ = try AESKeyWrapWithPadding.wrap(wrappingKey, with: wrong) }
            expect(.invalidLength) { _ = try AESKeyWrapWithPadding.unwrap(wrapped, with: wrong) }
            expect(.invalidLength) { _ = try AESGCMKeyWrap.wrap(wrappingKey, with: wrong) }
        }
    }

    #if OpenSSL
    /// RFC 5649, section 6.
    @Test(arguments: [
        (
            "c37b7e6492584340bed12207808941155068f738",
            "138bdeaa9b8fa7fc61f97742e72248ee5ae6ae5360d1ae6a5f54f373fa543b6a"
        ),
        ("466f7250617369", "afbeb0f07dfbf5419200f2ccb50bb24f"),
    ])
    func printedWrappedKeysWithPadding(_ key: String, _ wrapped: String) throws {
        let wrappingKey = try #require([UInt8](hex: "5840df6e29b02af1ab493b705bf16ea1ae8338f4dcc176a8"))
        let key = try #require([UInt8](hex: key))
        let expected = try #require([UInt8](hex: wrapped))
        #expect(try AESKeyWrapWithPadding.wrap(key, with: wrappingKey) == expected)
        #expect(try AESKeyWrapWithPadding.unwrap(expected, with: wrappingKey) == SecretBytes(key))
        for bit in 0..<(expected.count * 8) {
            expect(.authenticationFailure) {
                _ = try AESKeyWrapWithPadding.unwrap(expected.flipping(bit), with: wrappingKey)
            }
        }
    }

    @Test(arguments: [1, 7, 8, 9, 15, 16, 17, 24, 64, 1000])
    func keysOfAnyLengthWrapWithPadding(_ count: Int) throws {
        let key = SecretBytes.random(count: count)
        for size in [16, 24, 32] {
            let wrappingKey = SecretBytes.random(count: size)
            let wrapped = try AESKeyWrapWithPadding.wrap(key, with: wrappingKey)
            #expect(wrapped.count == (count + 7) / 8 * 8 + 8)
            #expect(try AESKeyWrapWithPadding.unwrap(wrapped, with: wrappingKey) == key)
        }
    }

    @Test func lengthsWithPaddingAreChecked() {
        let wrappingKey = [UInt8](0..<16)
        expect(.invalidLength) { _ = try AESKeyWrapWithPadding.wrap([UInt8](), with: wrappingKey) }
        for count in [0, 8, 15, 17] {
            let wrapped = [UInt8](repeating: 0, count: count)
            expect(.invalidLength) { _ = try AESKeyWrapWithPadding.unwrap(wrapped, with: wrappingKey) }
        }
    }
    #else
    @Test func paddingNeedsTheTrait() {
        let key = [UInt8](0..<16)
        expect(.unsupported) { _ = try AESKeyWrapWithPadding.wrap(key, with: key) }
        expect(.unsupported) { _ = try AESKeyWrapWithPadding.unwrap(key, with: key) }
    }
    #endif

    @Test(arguments: [(16, AEADAlgorithm.aes128GCM), (24, .aes192GCM), (32, .aes256GCM)])
    func keyWrapWithGCMIsGCMWithoutAdditionalData(_ size: Int, _ algorithm: AEADAlgorithm) throws {
        let wrappingKey = SecretBytes.random(count: size)
        let key = SecretBytes.random(count: 64)
        let wrapped = try AESGCMKeyWrap.wrap(key, with: wrappingKey)
        #expect(wrapped.encryptedKey.count == 64)
        #expect(wrapped.initializationVector.count == 12)
        #expect(wrapped.tag.count == 16)
        #expect(try AESGCMKeyWrap.unwrap(wrapped, with: wrappingKey) == key)
        let opened = try algorithm.open(
            wrapped.encryptedKey,
            tag: wrapped.tag,
            key: wrappingKey,
            nonce: wrapped.initializationVector
        )
        #expect(SecretBytes(opened) == key)
    }

    @Test func keyWrapWithGCMRefusesWhatIsNotItsOwn() throws {
        let wrappingKey = [UInt8](0..<16)
        let wrapped = try AESGCMKeyWrap.wrap([1, 2, 3], with: wrappingKey)
        func unwrap(_ key: [UInt8], _ vector: [UInt8], _ tag: [UInt8]) throws {
            let damaged = AESGCMKeyWrap.WrappedKey(encryptedKey: key, initializationVector: vector, tag: tag)
            _ = try AESGCMKeyWrap.unwrap(damaged, with: wrappingKey)
        }
        let (key, vector, tag) = (wrapped.encryptedKey, wrapped.initializationVector, wrapped.tag)
        expect(.authenticationFailure) { try unwrap(key.flipping(3), vector, tag) }
        expect(.authenticationFailure) { try unwrap(key, vector.flipping(3), tag) }
        expect(.authenticationFailure) { try unwrap(key, vector, tag.flipping(3)) }
        expect(.invalidLength) { try unwrap(key, vector + [0], tag) }
        expect(.invalidLength) { try unwrap(key, vector, Array(tag.dropLast())) }
    }

    @Test func vectorsOfGCMKeyWrapComeFromTheSource() throws {
        let source = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 3))
        let same = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 3))
        let wrappingKey = [UInt8](0..<16)
        let first = try AESGCMKeyWrap.wrap([1, 2, 3], with: wrappingKey, using: source)
        #expect(try AESGCMKeyWrap.wrap([1, 2, 3], with: wrappingKey, using: same) == first)
        #expect(try AESGCMKeyWrap.wrap([1, 2, 3], with: wrappingKey) != first)
    }
}
