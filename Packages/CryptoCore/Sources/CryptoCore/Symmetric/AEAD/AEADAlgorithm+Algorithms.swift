extension AEADAlgorithm {
    // MARK: AES-GCM (RFC 9053, section 4.1; RFC 7518, section 5.3)

    /// AES-GCM with a 128-bit key, a 96-bit nonce and a 128-bit tag.
    public static let aes128GCM = gcm("A128GCM", keySize: 16)
    /// AES-GCM with a 192-bit key, a 96-bit nonce and a 128-bit tag.
    public static let aes192GCM = gcm("A192GCM", keySize: 24)
    /// AES-GCM with a 256-bit key, a 96-bit nonce and a 128-bit tag.
    public static let aes256GCM = gcm("A256GCM", keySize: 32)

    /// AES-GCM with a longer nonce, which is hashed down to 96 bits (NIST SP 800-38D, section 7.1).
    ///
    /// - Parameters:
    ///   - keySize: 16, 24 or 32 bytes.
    ///   - nonceSize: 12 bytes or more.
    /// - Throws: ``CryptoError/Code/invalidParameter`` for any other size.
    public static func aesGCM(keySize: Int, nonceSize: Int) throws(CryptoError) -> AEADAlgorithm {
        guard [16, 24, 32].contains(keySize), nonceSize >= 12 else {
            throw CryptoError(.invalidParameter, "AES-GCM has no key of \(keySize) and nonce of \(nonceSize) bytes")
        }
        return gcm("A\(keySize * 8)GCM", keySize: keySize, nonceSize: nonceSize)
    }

    // MARK: ChaCha20-Poly1305

    /// ChaCha20-Poly1305 with a 96-bit nonce (RFC 8439; RFC 9053, section 4.3).
    public static let chaCha20Poly1305 = AEADAlgorithm(
        "ChaCha20/Poly1305",
        .chaCha20Poly1305,
        keySize: 32,
        nonceSize: 12,
        tagSize: 16
    )
    /// ChaCha20-Poly1305 with a 192-bit nonce (draft-irtf-cfrg-xchacha-03), which may be random for any number of messages.
    public static let xChaCha20Poly1305 = AEADAlgorithm(
        "XChaCha20/Poly1305",
        .xChaCha20Poly1305,
        keySize: 32,
        nonceSize: 24,
        tagSize: 16
    )

    // MARK: AES-CBC with HMAC (RFC 7518, section 5.2)

    /// AES-128-CBC with HMAC SHA-256; the key is the MAC key and then the encryption key, 16 bytes each.
    public static let aes128CBC_HS256 = cbcHMAC("A128CBC-HS256", .sha256, halfKeySize: 16)
    /// AES-192-CBC with HMAC SHA-384; the key is the MAC key and then the encryption key, 24 bytes each.
    public static let aes192CBC_HS384 = cbcHMAC("A192CBC-HS384", .sha384, halfKeySize: 24)
    /// AES-256-CBC with HMAC SHA-512; the key is the MAC key and then the encryption key, 32 bytes each.
    public static let aes256CBC_HS512 = cbcHMAC("A256CBC-HS512", .sha512, halfKeySize: 32)

    // MARK: AES-CCM (RFC 9053, section 4.2): bits of the length field, of the tag, of the key

    /// AES-CCM with a 13-byte nonce, an 8-byte tag and a 128-bit key (COSE 10).
    public static let aesCCM_16_64_128 = ccm("AES-CCM-16-64-128", keySize: 16, nonceSize: 13, tagSize: 8)
    /// AES-CCM with a 13-byte nonce, an 8-byte tag and a 256-bit key (COSE 11).
    public static let aesCCM_16_64_256 = ccm("AES-CCM-16-64-256", keySize: 32, nonceSize: 13, tagSize: 8)
    /// AES-CCM with a 7-byte nonce, an 8-byte tag and a 128-bit key (COSE 12).
    public static let aesCCM_64_64_128 = ccm("AES-CCM-64-64-128", keySize: 16, nonceSize: 7, tagSize: 8)
    /// AES-CCM with a 7-byte nonce, an 8-byte tag and a 256-bit key (COSE 13).
    public static let aesCCM_64_64_256 = ccm("AES-CCM-64-64-256", keySize: 32, nonceSize: 7, tagSize: 8)
    /// AES-CCM with a 13-byte nonce, a 16-byte tag and a 128-bit key (COSE 30).
    public static let aesCCM_16_128_128 = ccm("AES-CCM-16-128-128", keySize: 16, nonceSize: 13, tagSize: 16)
    /// AES-CCM with a 13-byte nonce, a 16-byte tag and a 256-bit key (COSE 31).
    public static let aesCCM_16_128_256 = ccm("AES-CCM-16-128-256", keySize: 32, nonceSize: 13, tagSize: 16)
    /// AES-CCM with a 7-byte nonce, a 16-byte tag and a 128-bit key (COSE 32).
    public static let aesCCM_64_128_128 = ccm("AES-CCM-64-128-128", keySize: 16, nonceSize: 7, tagSize: 16)
    /// AES-CCM with a 7-byte nonce, a 16-byte tag and a 256-bit key (COSE 33).
    public static let aesCCM_64_128_256 = ccm("AES-CCM-64-128-256", keySize: 32, nonceSize: 7, tagSize: 16)

    /// AES-CCM with other parameters (NIST SP 800-38C, section 5.4).
    ///
    /// - Parameters:
    ///   - keySize: 16, 24 or 32 bytes.
    ///   - nonceSize: 7 to 13 bytes. A message is then shorter than 2 to the power 8 · (15 − `nonceSize`) bytes.
    ///   - tagSize: 4, 6, 8, 10, 12, 14 or 16 bytes.
    /// - Throws: ``CryptoError/Code/invalidParameter`` for any other size.
    public static func aesCCM(keySize: Int, nonceSize: Int, tagSize: Int) throws(CryptoError) -> AEADAlgorithm {
        guard [16, 24, 32].contains(keySize), (7...13).contains(nonceSize), (4...16).contains(tagSize),
            tagSize.isMultiple(of: 2)
        else {
            throw CryptoError(
                .invalidParameter,
                "AES-CCM has no key of \(keySize), nonce of \(nonceSize) and tag of \(tagSize) bytes"
            )
        }
        let name = "AES-CCM-\((15 - nonceSize) * 8)-\(tagSize * 8)-\(keySize * 8)"
        return ccm(name, keySize: keySize, nonceSize: nonceSize, tagSize: tagSize)
    }

    private static func gcm(_ name: String, keySize: Int, nonceSize: Int = 12) -> AEADAlgorithm {
        AEADAlgorithm(name, .gcm, keySize: keySize, nonceSize: nonceSize, tagSize: 16)
    }

    private static func cbcHMAC(_ name: String, _ hash: HashAlgorithm, halfKeySize: Int) -> AEADAlgorithm {
        AEADAlgorithm(name, .cbcHMAC(hash), keySize: halfKeySize * 2, nonceSize: 16, tagSize: halfKeySize)
    }

    private static func ccm(_ name: String, keySize: Int, nonceSize: Int, tagSize: Int) -> AEADAlgorithm {
        AEADAlgorithm(name, .ccm, keySize: keySize, nonceSize: nonceSize, tagSize: tagSize)
    }
}
