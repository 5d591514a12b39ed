import CryptoCore
import TestSupport
import Testing

@Suite struct HKDFTests {
    /// RFC 5869, appendix A.1 to A.3 with SHA-256, A.4 with SHA-1.
    @Test(arguments: [
        HKDFExample(
            hash: .sha256,
            inputKeyMaterial: [UInt8](repeating: 0x0b, count: 22),
            salt: [UInt8](0...0x0c),
            info: [UInt8](0xf0...0xf9),
            pseudorandomKey: "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
            key: "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        ),
        HKDFExample(
            hash: .sha256,
            inputKeyMaterial: [UInt8](0...0x4f),
            salt: [UInt8](0x60...0xaf),
            info: [UInt8](0xb0...0xff),
            pseudorandomKey: "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
            key: """
                b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c
                59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71
                cc30c58179ec3e87c14c01d5c1f3434f1d87
                """
        ),
        HKDFExample(
            hash: .sha256,
            inputKeyMaterial: [UInt8](repeating: 0x0b, count: 22),
            salt: [],
            info: [],
            pseudorandomKey: "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
            key: "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        ),
        HKDFExample(
            hash: .sha1,
            inputKeyMaterial: [UInt8](repeating: 0x0b, count: 11),
            salt: [UInt8](0...0x0c),
            info: [UInt8](0xf0...0xf9),
            pseudorandomKey: "9b6c18c432a7bf8f0e71c8eb88f4b30baa2ba243",
            key: "085a01ea1b10f36933068b56efa5ad81a4f14b822f5b091568a9cdd4f155fda2c22e422478d305f3f896"
        ),
    ])
    func printedExamples(_ example: HKDFExample) throws {
        let key = try #require([UInt8](hex: example.key))
        let pseudorandomKey = try #require([UInt8](hex: example.pseudorandomKey))
        let extracted = HKDF.extract(
            hash: example.hash,
            inputKeyMaterial: example.inputKeyMaterial,
            salt: example.salt
        )
        #expect(extracted == SecretBytes(pseudorandomKey))
        let expanded = try HKDF.expand(
            hash: example.hash,
            pseudorandomKey: extracted,
            info: example.info,
            length: key.count
        )
        #expect(expanded == SecretBytes(key))
        let derived = try HKDF.deriveKey(
            hash: example.hash,
            inputKeyMaterial: example.inputKeyMaterial,
            salt: example.salt,
            info: example.info,
            length: key.count
        )
        #expect(derived == expanded)
    }

    @Test(arguments: [HashAlgorithm.sha1, .sha256, .sha384, .sha512])
    func lengthsEndAt255Digests(_ hash: HashAlgorithm) throws {
        let longest = 255 * hash.digestSize
        let key = try HKDF.deriveKey(hash: hash, inputKeyMaterial: [1], length: longest)
        #expect(key.count == longest)
        let start = try HKDF.deriveKey(hash: hash, inputKeyMaterial: [1], length: 1)
        #expect(key.withUnsafeBytes { $0.first } == start.withUnsafeBytes { $0.first })
        for length in [longest + 1, Int.max, 0, -1, Int.min] {
            expect(.invalidParameter) { _ = try HKDF.deriveKey(hash: hash, inputKeyMaterial: [1], length: length) }
            expect(.invalidParameter) { _ = try HKDF.expand(hash: hash, pseudorandomKey: [1], length: length) }
        }
    }
}

/// A derivation that RFC 5869 prints.
struct HKDFExample: Sendable {
    let hash: HashAlgorithm
    let inputKeyMaterial: [UInt8]
    let salt: [UInt8]
    let info: [UInt8]
    let pseudorandomKey: String
    let key: String
}
