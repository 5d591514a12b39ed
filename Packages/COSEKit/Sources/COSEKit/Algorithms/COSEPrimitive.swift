import CryptoCore

/// The operation of CryptoCore behind an algorithm identifier, with its parameters.
enum COSEPrimitive {
    /// A signature, in COSE_Sign1, COSE_Sign and countersignatures.
    case signature(SignaturePrimitive)
    /// A message authentication code, in COSE_Mac0 and COSE_Mac.
    case mac(MACAlgorithm)
    /// An AEAD, in COSE_Encrypt0 and COSE_Encrypt, and for keys in COSE_recipient.
    case aead(AEADAlgorithm)
    /// A way to bring a key to a recipient, in COSE_recipient.
    case keyDistribution(KeyDistributionPrimitive)
    /// An identifier that is known by name at most.
    case nameOnly
}

extension COSEAlgorithm {
    /// The operation that the identifier stands for.
    var primitive: COSEPrimitive {
        if let primitive = signaturePrimitive { return .signature(primitive) }
        if let algorithm = macAlgorithm { return .mac(algorithm) }
        if let algorithm = aeadAlgorithm { return .aead(algorithm) }
        if let primitive = keyDistributionPrimitive { return .keyDistribution(primitive) }
        return .nameOnly
    }

    /// The message authentication code of RFC 9053 section 3, or nil for an identifier of another kind.
    var macAlgorithm: MACAlgorithm? {
        switch self {
        case .hmac256_64: .hmac256_64
        case .hmac256_256: .hmac256_256
        case .hmac384_384: .hmac384_384
        case .hmac512_512: .hmac512_512
        case .aesMAC128_64: .aesMAC128_64
        case .aesMAC256_64: .aesMAC256_64
        case .aesMAC128_128: .aesMAC128_128
        case .aesMAC256_128: .aesMAC256_128
        default: nil
        }
    }

    /// The content encryption algorithm of RFC 9053 section 4, or nil for an identifier of another kind.
    var aeadAlgorithm: AEADAlgorithm? {
        switch self {
        case .a128GCM: .aes128GCM
        case .a192GCM: .aes192GCM
        case .a256GCM: .aes256GCM
        case .aesCCM_16_64_128: .aesCCM_16_64_128
        case .aesCCM_16_64_256: .aesCCM_16_64_256
        case .aesCCM_64_64_128: .aesCCM_64_64_128
        case .aesCCM_64_64_256: .aesCCM_64_64_256
        case .aesCCM_16_128_128: .aesCCM_16_128_128
        case .aesCCM_16_128_256: .aesCCM_16_128_256
        case .aesCCM_64_128_128: .aesCCM_64_128_128
        case .aesCCM_64_128_256: .aesCCM_64_128_256
        case .chaCha20Poly1305: .chaCha20Poly1305
        default: nil
        }
    }

    /// The refusal of an algorithm that CryptoCore has an engine for in other builds only.
    func refusalWithoutEngine(cause: CryptoError? = nil) -> COSEError {
        COSEError(.unsupportedAlgorithm, "this build has no engine for \(self)", path: ["alg"], cause: cause)
    }

    /// The reason that an algorithm of another kind is refused.
    func refusal(expecting kind: String) -> COSEError {
        guard isSupported else {
            return COSEError(.unsupportedAlgorithm, "\(self) is not supported", path: ["alg"])
        }
        return COSEError(.unsuitableAlgorithm, "\(self) is no \(kind)", path: ["alg"])
    }
}
