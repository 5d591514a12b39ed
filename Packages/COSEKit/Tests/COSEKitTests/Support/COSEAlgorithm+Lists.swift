import COSEKit

extension COSEAlgorithm {
    /// Every signature algorithm that is implemented, the broken one left out.
    static let signatures: [COSEAlgorithm] =
        [
            .es256, .es384, .es512, .edDSA, .esp256, .esp384, .esp512, .ed25519,
            .ps256, .ps384, .ps512, .rs256, .rs384, .rs512,
        ] + libcryptoSignatures

    /// The signature algorithms that swift-crypto lacks; none where the build has no libcrypto.
    static let libcryptoSignatures: [COSEAlgorithm] =
        EngineCoverage.isWhole ? [.es256K, .esb256, .esb320, .esb384, .esb512, .ed448] : []

    /// Every authentication code, with its key length in bytes.
    static let macs: [(COSEAlgorithm, keyLength: Int)] = [
        (.hmac256_64, 32), (.hmac256_256, 32), (.hmac384_384, 48), (.hmac512_512, 64),
        (.aesMAC128_64, 16), (.aesMAC256_64, 32), (.aesMAC128_128, 16), (.aesMAC256_128, 32),
    ]

    /// Every content encryption algorithm, with its key length in bytes.
    static let encryptions: [(COSEAlgorithm, keyLength: Int)] = [
        (.a128GCM, 16), (.a192GCM, 24), (.a256GCM, 32), (.chaCha20Poly1305, 32),
        (.aesCCM_16_64_128, 16), (.aesCCM_16_64_256, 32), (.aesCCM_64_64_128, 16), (.aesCCM_64_64_256, 32),
        (.aesCCM_16_128_128, 16), (.aesCCM_16_128_256, 32), (.aesCCM_64_128_128, 16), (.aesCCM_64_128_256, 32),
    ]
}
