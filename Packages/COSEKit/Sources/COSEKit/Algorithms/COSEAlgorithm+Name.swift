extension COSEAlgorithm {
    /// The algorithm's name in the IANA registry "COSE Algorithms", or nil if this library knows none.
    ///
    /// Some names belong to algorithms that this library does not implement, so that a refusal can name them.
    public var name: String? {
        signatureName ?? macName ?? contentEncryptionName ?? keyDistributionName ?? keyAgreementName
            ?? otherName
    }

    private var signatureName: String? {
        switch self {
        case .es256: "ES256"
        case .es384: "ES384"
        case .es512: "ES512"
        case .es256K: "ES256K"
        case .edDSA: "EdDSA"
        case .esp256: "ESP256"
        case .esp384: "ESP384"
        case .esp512: "ESP512"
        case .esb256: "ESB256"
        case .esb320: "ESB320"
        case .esb384: "ESB384"
        case .esb512: "ESB512"
        case .ed25519: "Ed25519"
        case .ed448: "Ed448"
        case .ps256: "PS256"
        case .ps384: "PS384"
        case .ps512: "PS512"
        case .rs256: "RS256"
        case .rs384: "RS384"
        case .rs512: "RS512"
        case Insecure.rs1: "RS1"
        default: nil
        }
    }

    private var macName: String? {
        switch self {
        case .hmac256_64: "HMAC 256/64"
        case .hmac256_256: "HMAC 256/256"
        case .hmac384_384: "HMAC 384/384"
        case .hmac512_512: "HMAC 512/512"
        case .aesMAC128_64: "AES-MAC 128/64"
        case .aesMAC256_64: "AES-MAC 256/64"
        case .aesMAC128_128: "AES-MAC 128/128"
        case .aesMAC256_128: "AES-MAC 256/128"
        default: nil
        }
    }

    private var contentEncryptionName: String? {
        switch self {
        case .a128GCM: "A128GCM"
        case .a192GCM: "A192GCM"
        case .a256GCM: "A256GCM"
        case .aesCCM_16_64_128: "AES-CCM-16-64-128"
        case .aesCCM_16_64_256: "AES-CCM-16-64-256"
        case .aesCCM_64_64_128: "AES-CCM-64-64-128"
        case .aesCCM_64_64_256: "AES-CCM-64-64-256"
        case .aesCCM_16_128_128: "AES-CCM-16-128-128"
        case .aesCCM_16_128_256: "AES-CCM-16-128-256"
        case .aesCCM_64_128_128: "AES-CCM-64-128-128"
        case .aesCCM_64_128_256: "AES-CCM-64-128-256"
        case .chaCha20Poly1305: "ChaCha20/Poly1305"
        default: nil
        }
    }

    private var keyDistributionName: String? {
        switch self {
        case .direct: "direct"
        case .directHKDFSHA256: "direct+HKDF-SHA-256"
        case .directHKDFSHA512: "direct+HKDF-SHA-512"
        case .directHKDFAES128: "direct+HKDF-AES-128"
        case .directHKDFAES256: "direct+HKDF-AES-256"
        case .a128KW: "A128KW"
        case .a192KW: "A192KW"
        case .a256KW: "A256KW"
        case .rsaOAEPSHA1: "RSAES-OAEP w/ SHA-1"
        case .rsaOAEPSHA256: "RSAES-OAEP w/ SHA-256"
        case .rsaOAEPSHA512: "RSAES-OAEP w/ SHA-512"
        default: nil
        }
    }

    private var keyAgreementName: String? {
        switch self {
        case .ecdhESHKDF256: "ECDH-ES + HKDF-256"
        case .ecdhESHKDF512: "ECDH-ES + HKDF-512"
        case .ecdhSSHKDF256: "ECDH-SS + HKDF-256"
        case .ecdhSSHKDF512: "ECDH-SS + HKDF-512"
        case .ecdhESA128KW: "ECDH-ES + A128KW"
        case .ecdhESA192KW: "ECDH-ES + A192KW"
        case .ecdhESA256KW: "ECDH-ES + A256KW"
        case .ecdhSSA128KW: "ECDH-SS + A128KW"
        case .ecdhSSA192KW: "ECDH-SS + A192KW"
        case .ecdhSSA256KW: "ECDH-SS + A256KW"
        default: nil
        }
    }

    private var otherName: String? {
        switch rawValue {
        case -14: "SHA-1"
        case -15: "SHA-256/64"
        case -16: "SHA-256"
        case -17: "SHA-512/256"
        case -18: "SHAKE128"
        case -43: "SHA-384"
        case -44: "SHA-512"
        case -45: "SHAKE256"
        case -46: "HSS-LMS"
        case -48: "ML-DSA-44"
        case -49: "ML-DSA-65"
        case -50: "ML-DSA-87"
        case -260: "WalnutDSA"
        default: nil
        }
    }
}
