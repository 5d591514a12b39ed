import CredentialTesting
import CryptoCore
import TestSupport
import Testing

@Suite struct AEADAlgorithmTests {
    /// Every algorithm with a name of its own.
    static let algorithms: [AEADAlgorithm] = [
        .aes128GCM, .aes192GCM, .aes256GCM,
        .chaCha20Poly1305, .xChaCha20Poly1305,
        .aes128CBC_HS256, .aes192CBC_HS384, .aes256CBC_HS512,
        .aesCCM_16_64_128, .aesCCM_16_64_256, .aesCCM_64_64_128, .aesCCM_64_64_256,
        .aesCCM_16_128_128, .aesCCM_16_128_256, .aesCCM_64_128_128, .aesCCM_64_128_256,
    ].filter(\.isSupported)

    @Test(arguments: AEADExample.all.filter(\.algorithm.isSupported))
    func printedExamples(_ example: AEADExample) throws {
        let key = try #require([UInt8](hex: example.key))
        let nonce = try #require([UInt8](hex: example.nonce))
        let additionalData = try #require([UInt8](hex: example.additionalData))
        let plaintext = try #require([UInt8](hex: example.plaintext))
        let ciphertext = try #require([UInt8](hex: example.ciphertext))
        let tag = try #require([UInt8](hex: example.tag))
        let algorithm = example.algorithm

        let sealed = try algorithm.seal(plaintext, key: key, nonce: nonce, additionalData: additionalData)
        #expect(sealed.ciphertext.hex == ciphertext.hex)
        #expect(sealed.tag.hex == tag.hex)
        let combined = try algorithm.sealCombined(plaintext, key: key, nonce: nonce, additionalData: additionalData)
        #expect(combined == ciphertext + tag)
        let opened = try algorithm.open(
            ciphertext,
            tag: tag,
            key: key,
            nonce: nonce,
            additionalData: additionalData
        )
        #expect(opened == plaintext)
    }

    @Test func thereIsAnExampleOfEveryConstruction() {
        #expect(AEADExample.all.count == 12)
    }

    @Test(arguments: algorithms, [0, 1, 15, 16, 17, 255, 5000])
    func whatWasSealedOpens(_ algorithm: AEADAlgorithm, _ length: Int) throws {
        let key = algorithm.generateKey()
        let nonce = algorithm.generateNonce()
        let plaintext = SystemRandomSource().bytes(length)
        for additionalData in [[], [7], SystemRandomSource().bytes(length + 1)] as [[UInt8]] {
            let sealed = try algorithm.sealCombined(plaintext, key: key, nonce: nonce, additionalData: additionalData)
            #expect(sealed.count >= length + algorithm.tagSize)
            let opened = try algorithm.openCombined(sealed, key: key, nonce: nonce, additionalData: additionalData)
            #expect(opened == plaintext)
        }
    }

    @Test(arguments: algorithms)
    func everyFlippedBitIsRefusedAlike(_ algorithm: AEADAlgorithm) throws {
        let key = [UInt8](repeating: 7, count: algorithm.keySize)
        let nonce = [UInt8](repeating: 9, count: algorithm.nonceSize)
        let sealed = try algorithm.sealCombined(
            Array("plaintext".utf8),
            key: key,
            nonce: nonce,
            additionalData: [1, 2]
        )
        for bit in 0..<(sealed.count * 8) {
            expectNotAuthentic(algorithm, sealed.flipping(bit), key, nonce, [1, 2])
        }
        for bit in 0..<(nonce.count * 8) { expectNotAuthentic(algorithm, sealed, key, nonce.flipping(bit), [1, 2]) }
        for bit in 0..<(key.count * 8) { expectNotAuthentic(algorithm, sealed, key.flipping(bit), nonce, [1, 2]) }
        for bit in 0..<16 { expectNotAuthentic(algorithm, sealed, key, nonce, [1, 2].flipping(bit)) }
        expectNotAuthentic(algorithm, sealed, key, nonce, [])
        expectNotAuthentic(algorithm, sealed, key, nonce, [1, 2, 0])
    }

    @Test(arguments: algorithms)
    func truncationAndMutationNeverOpen(_ algorithm: AEADAlgorithm) throws {
        let key = [UInt8](repeating: 7, count: algorithm.keySize)
        let nonce = [UInt8](repeating: 9, count: algorithm.nonceSize)
        let sealed = try algorithm.sealCombined(Array("some longer plaintext".utf8), key: key, nonce: nonce)
        for length in 0..<sealed.count {
            let expected: CryptoError.Code = length < algorithm.tagSize ? .invalidLength : .authenticationFailure
            let error = #expect(throws: CryptoError.self) {
                try algorithm.openCombined(sealed.prefix(length), key: key, nonce: nonce)
            }
            #expect(error?.code == expected)
        }
        var mutator = Mutator(seed: 1)
        for _ in 0..<500 {
            let mutated = mutator.mutate(sealed)
            guard mutated != sealed else { continue }
            #expect(throws: CryptoError.self) { try algorithm.openCombined(mutated, key: key, nonce: nonce) }
        }
    }

    @Test(arguments: algorithms)
    func sizesAreExact(_ algorithm: AEADAlgorithm) throws {
        let key = [UInt8](repeating: 0, count: algorithm.keySize)
        let nonce = [UInt8](repeating: 0, count: algorithm.nonceSize)
        let tag = [UInt8](repeating: 0, count: algorithm.tagSize)
        for wrong in [[], Array(key.dropLast()), key + [0]] {
            expect(.invalidLength) { _ = try algorithm.seal([1], key: wrong, nonce: nonce) }
            expect(.invalidLength) { _ = try algorithm.sealCombined([1], key: wrong, nonce: nonce) }
            expect(.invalidLength) { _ = try algorithm.open([1], tag: tag, key: wrong, nonce: nonce) }
        }
        for wrong in [[], Array(nonce.dropLast()), nonce + [0]] {
            expect(.invalidLength) { _ = try algorithm.seal([1], key: key, nonce: wrong) }
            expect(.invalidLength) { _ = try algorithm.openCombined(tag, key: key, nonce: wrong) }
        }
        for wrong in [[], Array(tag.dropLast()), tag + [0]] {
            expect(.invalidLength) { _ = try algorithm.open([1], tag: wrong, key: key, nonce: nonce) }
        }
    }

    @Test(arguments: [
        (17, 13, 8), (0, 13, 8), (16, 6, 8), (16, 14, 8), (16, 13, 3), (16, 13, 2), (16, 13, 7), (16, 13, 18),
    ])
    func otherCCMParametersAreRefused(_ keySize: Int, _ nonceSize: Int, _ tagSize: Int) {
        expect(.invalidParameter) {
            _ = try AEADAlgorithm.aesCCM(keySize: keySize, nonceSize: nonceSize, tagSize: tagSize)
        }
    }

    @Test(arguments: [(15, 12), (16, 11), (16, 0), (16, -1), (0, 12)])
    func otherGCMParametersAreRefused(_ keySize: Int, _ nonceSize: Int) {
        expect(.invalidParameter) { _ = try AEADAlgorithm.aesGCM(keySize: keySize, nonceSize: nonceSize) }
    }

    @Test func gcmByItsParametersIsTheNamedOne() throws {
        #expect(try AEADAlgorithm.aesGCM(keySize: 24, nonceSize: 12) == .aes192GCM)
        #expect(try AEADAlgorithm.aesGCM(keySize: 16, nonceSize: 16) != .aes128GCM)
    }

    @Test func ccmByItsParametersIsTheNamedOne() throws {
        #expect(try AEADAlgorithm.aesCCM(keySize: 16, nonceSize: 13, tagSize: 8) == .aesCCM_16_64_128)
        #expect(try AEADAlgorithm.aesCCM(keySize: 32, nonceSize: 7, tagSize: 16) == .aesCCM_64_128_256)
    }

    @Test(.enabled(if: AEADAlgorithm.aesCCM_16_64_128.isSupported))
    func ccmRefusesWhatItsLengthFieldCannotHold() throws {
        let algorithm = AEADAlgorithm.aesCCM_16_64_128
        let key = algorithm.generateKey()
        let nonce = algorithm.generateNonce()
        let longest = [UInt8](repeating: 0, count: 65_535)
        let sealed = try algorithm.sealCombined(longest, key: key, nonce: nonce)
        #expect(try algorithm.openCombined(sealed, key: key, nonce: nonce) == longest)
        expect(.invalidLength) { _ = try algorithm.sealCombined(longest + [0], key: key, nonce: nonce) }
        expect(.invalidLength) { _ = try algorithm.openCombined(sealed + [0], key: key, nonce: nonce) }
    }

    #if !OpenSSL
    @Test func ccmNeedsTheTrait() {
        let algorithm = AEADAlgorithm.aesCCM_16_64_128
        let (key, nonce) = (algorithm.generateKey(), algorithm.generateNonce())
        #expect(!algorithm.isSupported)
        expect(.unsupported) { _ = try algorithm.sealCombined([1], key: key, nonce: nonce) }
        expect(.unsupported) { _ = try algorithm.openCombined([UInt8](0..<9), key: key, nonce: nonce) }
    }
    #endif

    @Test func generatedNoncesFollowTheSource() {
        let source = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 5))
        let same = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 5))
        #expect(
            AEADAlgorithm.aes128GCM.generateNonce(using: source) == AEADAlgorithm.aes128GCM.generateNonce(using: same)
        )
        #expect(AEADAlgorithm.aes256GCM.generateKey().count == 32)
        #expect(AEADAlgorithm.aes256GCM.generateNonce() != AEADAlgorithm.aes256GCM.generateNonce())
    }

    private func expectNotAuthentic(
        _ algorithm: AEADAlgorithm,
        _ sealed: [UInt8],
        _ key: [UInt8],
        _ nonce: [UInt8],
        _ additionalData: [UInt8]
    ) {
        expect(.authenticationFailure) {
            _ = try algorithm.openCombined(sealed, key: key, nonce: nonce, additionalData: additionalData)
        }
    }
}
