extension COSEAlgorithm {
    /// HMAC with SHA-256, the tag cut to 64 bits (RFC 9053 section 3.1).
    public static let hmac256_64 = COSEAlgorithm(rawValue: 4)
    /// HMAC with SHA-256 (RFC 9053 section 3.1).
    public static let hmac256_256 = COSEAlgorithm(rawValue: 5)
    /// HMAC with SHA-384 (RFC 9053 section 3.1).
    public static let hmac384_384 = COSEAlgorithm(rawValue: 6)
    /// HMAC with SHA-512 (RFC 9053 section 3.1).
    public static let hmac512_512 = COSEAlgorithm(rawValue: 7)
    /// AES-CBC-MAC with a 128-bit key and a 64-bit tag (RFC 9053 section 3.2).
    public static let aesMAC128_64 = COSEAlgorithm(rawValue: 14)
    /// AES-CBC-MAC with a 256-bit key and a 64-bit tag (RFC 9053 section 3.2).
    public static let aesMAC256_64 = COSEAlgorithm(rawValue: 15)
    /// AES-CBC-MAC with a 128-bit key and a 128-bit tag (RFC 9053 section 3.2).
    public static let aesMAC128_128 = COSEAlgorithm(rawValue: 25)
    /// AES-CBC-MAC with a 256-bit key and a 128-bit tag (RFC 9053 section 3.2).
    public static let aesMAC256_128 = COSEAlgorithm(rawValue: 26)

    /// AES-GCM with a 128-bit key (RFC 9053 section 4.1).
    public static let a128GCM = COSEAlgorithm(rawValue: 1)
    /// AES-GCM with a 192-bit key (RFC 9053 section 4.1).
    public static let a192GCM = COSEAlgorithm(rawValue: 2)
    /// AES-GCM with a 256-bit key (RFC 9053 section 4.1).
    public static let a256GCM = COSEAlgorithm(rawValue: 3)
    /// AES-CCM with a 128-bit key, a 64-bit tag and a 13-byte nonce (RFC 9053 section 4.2).
    public static let aesCCM_16_64_128 = COSEAlgorithm(rawValue: 10)
    /// AES-CCM with a 256-bit key, a 64-bit tag and a 13-byte nonce (RFC 9053 section 4.2).
    public static let aesCCM_16_64_256 = COSEAlgorithm(rawValue: 11)
    /// AES-CCM with a 128-bit key, a 64-bit tag and a 7-byte nonce (RFC 9053 section 4.2).
    public static let aesCCM_64_64_128 = COSEAlgorithm(rawValue: 12)
    /// AES-CCM with a 256-bit key, a 64-bit tag and a 7-byte nonce (RFC 9053 section 4.2).
    public static let aesCCM_64_64_256 = COSEAlgorithm(rawValue: 13)
    /// AES-CCM with a 128-bit key, a 128-bit tag and a 13-byte nonce (RFC 9053 section 4.2).
    public static let aesCCM_16_128_128 = COSEAlgorithm(rawValue: 30)
    /// AES-CCM with a 256-bit key, a 128-bit tag and a 13-byte nonce (RFC 9053 section 4.2).
    public static let aesCCM_16_128_256 = COSEAlgorithm(rawValue: 31)
    /// AES-CCM with a 128-bit key, a 128-bit tag and a 7-byte nonce (RFC 9053 section 4.2).
    public static let aesCCM_64_128_128 = COSEAlgorithm(rawValue: 32)
    /// AES-CCM with a 256-bit key, a 128-bit tag and a 7-byte nonce (RFC 9053 section 4.2).
    public static let aesCCM_64_128_256 = COSEAlgorithm(rawValue: 33)
    /// ChaCha20-Poly1305 (RFC 9053 section 4.3).
    public static let chaCha20Poly1305 = COSEAlgorithm(rawValue: 24)
}
