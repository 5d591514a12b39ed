import CryptoCore

/// A content key distribution method (RFC 9052 section 8.5) with its parameters.
enum KeyDistributionPrimitive {
    /// The shared key is the content key.
    case direct
    /// HKDF over a shared secret gives the content key.
    case directHKDF(HKDFFunction)
    /// The content key is wrapped under a symmetric key of this length in bytes.
    case keyWrap(keyLength: Int)
    /// The content key is encrypted to an RSA key.
    case keyTransport(HashAlgorithm)
    /// ECDH and HKDF give the content key, or the key that wraps it.
    case keyAgreement(KeyAgreementMethod)

    /// The functions that HKDF can be built on (RFC 9053 section 5.1).
    enum HKDFFunction {
        /// HMAC with a hash function, extract and expand.
        case hmac(HashAlgorithm)
        /// AES-CBC-MAC with a key of this length in bytes, expand only.
        case aesCBCMAC(keyLength: Int)

        /// Indicates that the salt reaches the key: it belongs to the extract step (RFC 9053 section 5.1).
        var usesSalt: Bool {
            switch self {
            case .hmac: true
            case .aesCBCMAC: false
            }
        }
    }

    /// The parameters in which the ECDH algorithms of RFC 9053 sections 6.3.1 and 6.4.1 differ.
    struct KeyAgreementMethod {
        /// Indicates that the sender's key is made for one message, else it is static.
        let usesEphemeralKey: Bool
        /// The hash function of HKDF.
        let hash: HashAlgorithm
        /// The key wrap algorithm that the derived key is for, or nil if it is the content key itself.
        let keyWrap: COSEAlgorithm?
    }

    /// Indicates that the method gives the content key itself.
    ///
    /// It must then be the only one of a message.
    var isDirect: Bool {
        switch self {
        case .direct, .directHKDF: true
        case .keyWrap, .keyTransport: false
        case .keyAgreement(let method): method.keyWrap == nil
        }
    }
}

extension COSEAlgorithm {
    var keyDistributionPrimitive: KeyDistributionPrimitive? {
        switch self {
        case .direct: .direct
        case .directHKDFSHA256: .directHKDF(.hmac(.sha256))
        case .directHKDFSHA512: .directHKDF(.hmac(.sha512))
        case .directHKDFAES128: .directHKDF(.aesCBCMAC(keyLength: 16))
        case .directHKDFAES256: .directHKDF(.aesCBCMAC(keyLength: 32))
        case .a128KW: .keyWrap(keyLength: 16)
        case .a192KW: .keyWrap(keyLength: 24)
        case .a256KW: .keyWrap(keyLength: 32)
        case .rsaOAEPSHA1: .keyTransport(.sha1)
        case .rsaOAEPSHA256: .keyTransport(.sha256)
        case .rsaOAEPSHA512: .keyTransport(.sha512)
        default: keyAgreementMethod.map { .keyAgreement($0) }
        }
    }

    private var keyAgreementMethod: KeyDistributionPrimitive.KeyAgreementMethod? {
        switch self {
        case .ecdhESHKDF256: .init(usesEphemeralKey: true, hash: .sha256, keyWrap: nil)
        case .ecdhESHKDF512: .init(usesEphemeralKey: true, hash: .sha512, keyWrap: nil)
        case .ecdhSSHKDF256: .init(usesEphemeralKey: false, hash: .sha256, keyWrap: nil)
        case .ecdhSSHKDF512: .init(usesEphemeralKey: false, hash: .sha512, keyWrap: nil)
        case .ecdhESA128KW: .init(usesEphemeralKey: true, hash: .sha256, keyWrap: .a128KW)
        case .ecdhESA192KW: .init(usesEphemeralKey: true, hash: .sha256, keyWrap: .a192KW)
        case .ecdhESA256KW: .init(usesEphemeralKey: true, hash: .sha256, keyWrap: .a256KW)
        case .ecdhSSA128KW: .init(usesEphemeralKey: false, hash: .sha256, keyWrap: .a128KW)
        case .ecdhSSA192KW: .init(usesEphemeralKey: false, hash: .sha256, keyWrap: .a192KW)
        case .ecdhSSA256KW: .init(usesEphemeralKey: false, hash: .sha256, keyWrap: .a256KW)
        default: nil
        }
    }
}
