extension COSEAlgorithm {
    /// The shared key is the content key (RFC 9053 section 6.1.1).
    public static let direct = COSEAlgorithm(rawValue: -6)
    /// A shared secret and HKDF with SHA-256 give the content key (RFC 9053 section 6.1.2).
    public static let directHKDFSHA256 = COSEAlgorithm(rawValue: -10)
    /// A shared secret and HKDF with SHA-512 give the content key (RFC 9053 section 6.1.2).
    public static let directHKDFSHA512 = COSEAlgorithm(rawValue: -11)
    /// A shared secret and the expand step of HKDF over AES-CBC-MAC-128 give the content key (RFC 9053 section 6.1.2).
    public static let directHKDFAES128 = COSEAlgorithm(rawValue: -12)
    /// A shared secret and the expand step of HKDF over AES-CBC-MAC-256 give the content key (RFC 9053 section 6.1.2).
    public static let directHKDFAES256 = COSEAlgorithm(rawValue: -13)

    /// AES Key Wrap with a 128-bit key (RFC 9053 section 6.2.1).
    public static let a128KW = COSEAlgorithm(rawValue: -3)
    /// AES Key Wrap with a 192-bit key (RFC 9053 section 6.2.1).
    public static let a192KW = COSEAlgorithm(rawValue: -4)
    /// AES Key Wrap with a 256-bit key (RFC 9053 section 6.2.1).
    public static let a256KW = COSEAlgorithm(rawValue: -5)

    /// RSAES-OAEP with SHA-1 (RFC 8230).
    public static let rsaOAEPSHA1 = COSEAlgorithm(rawValue: -40)
    /// RSAES-OAEP with SHA-256 (RFC 8230).
    public static let rsaOAEPSHA256 = COSEAlgorithm(rawValue: -41)
    /// RSAES-OAEP with SHA-512 (RFC 8230).
    public static let rsaOAEPSHA512 = COSEAlgorithm(rawValue: -42)

    /// ECDH with an ephemeral sender key; HKDF with SHA-256 gives the content key (RFC 9053 section 6.3.1).
    public static let ecdhESHKDF256 = COSEAlgorithm(rawValue: -25)
    /// ECDH with an ephemeral sender key; HKDF with SHA-512 gives the content key (RFC 9053 section 6.3.1).
    public static let ecdhESHKDF512 = COSEAlgorithm(rawValue: -26)
    /// ECDH with a static sender key; HKDF with SHA-256 gives the content key (RFC 9053 section 6.3.1).
    public static let ecdhSSHKDF256 = COSEAlgorithm(rawValue: -27)
    /// ECDH with a static sender key; HKDF with SHA-512 gives the content key (RFC 9053 section 6.3.1).
    public static let ecdhSSHKDF512 = COSEAlgorithm(rawValue: -28)

    /// ECDH with an ephemeral sender key, HKDF with SHA-256, AES Key Wrap of 128 bits (RFC 9053 section 6.4.1).
    public static let ecdhESA128KW = COSEAlgorithm(rawValue: -29)
    /// ECDH with an ephemeral sender key, HKDF with SHA-256, AES Key Wrap of 192 bits (RFC 9053 section 6.4.1).
    public static let ecdhESA192KW = COSEAlgorithm(rawValue: -30)
    /// ECDH with an ephemeral sender key, HKDF with SHA-256, AES Key Wrap of 256 bits (RFC 9053 section 6.4.1).
    public static let ecdhESA256KW = COSEAlgorithm(rawValue: -31)
    /// ECDH with a static sender key, HKDF with SHA-256, AES Key Wrap of 128 bits (RFC 9053 section 6.4.1).
    public static let ecdhSSA128KW = COSEAlgorithm(rawValue: -32)
    /// ECDH with a static sender key, HKDF with SHA-256, AES Key Wrap of 192 bits (RFC 9053 section 6.4.1).
    public static let ecdhSSA192KW = COSEAlgorithm(rawValue: -33)
    /// ECDH with a static sender key, HKDF with SHA-256, AES Key Wrap of 256 bits (RFC 9053 section 6.4.1).
    public static let ecdhSSA256KW = COSEAlgorithm(rawValue: -34)
}
