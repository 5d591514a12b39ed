public import CryptoCore

/// The recipient of a JWE, and the way in which it gets the content encryption key.
public struct JWEEncryptionKey: Sendable {
    let algorithm: JWEAlgorithm
    let primitive: JWEPrimitive
    let target: Target
    let keyID: String?

    enum Target: Sendable {
        case symmetric(SecretBytes)
        case password(SecretBytes, iterations: Int)
        case agreement(PublicKey, apu: [UInt8]?, apv: [UInt8]?)
        case rsa(PublicKey)
    }

    private init(
        _ algorithm: JWEAlgorithm,
        _ target: Target,
        keyID: String?,
        fits: (JWEPrimitive) -> Bool
    ) throws(JOSEError) {
        guard let primitive = algorithm.primitive else {
            throw JOSEError(.unsupportedAlgorithm, "\(algorithm) is not implemented", path: ["alg"])
        }
        guard fits(primitive) else {
            throw JOSEError(.keyMismatch, "\(algorithm) does not go with type or length of the key", path: ["alg"])
        }
        self.algorithm = algorithm
        self.primitive = primitive
        self.target = target
        self.keyID = keyID
    }

    /// A recipient with a public key: ECDH-ES, with or without key wrap, or RSA-OAEP.
    ///
    /// - Parameters:
    ///   - key: The recipient's key, which the caller trusts.
    ///   - algorithm: The algorithm.
    ///   - keyID: The key's identifier, put into the header (`kid`).
    ///   - partyUInfo: The sender's information for the key derivation (`apu`); for ECDH-ES only.
    ///   - partyVInfo: The recipient's information for the key derivation (`apv`); for ECDH-ES only.
    /// - Throws: ``JOSEError/Code/keyMismatch`` where algorithm and key do not go together, and for RSA1_5, which nothing
    ///   here encrypts with; ``JOSEError/Code/unsupportedAlgorithm``.
    public static func publicKey(
        _ key: PublicKey,
        _ algorithm: JWEAlgorithm,
        keyID: String? = nil,
        partyUInfo: [UInt8]? = nil,
        partyVInfo: [UInt8]? = nil
    ) throws(JOSEError) -> JWEEncryptionKey {
        let target: Target =
            key.type == .rsa ? .rsa(key) : .agreement(key, apu: partyUInfo, apv: partyVInfo)
        return try JWEEncryptionKey(algorithm, target, keyID: keyID) { primitive in
            switch primitive {
            case .agreement, .agreementWithKeyWrap: key.canAgree
            case .rsaOAEP: key.type == .rsa && partyUInfo == nil && partyVInfo == nil
            default: false
            }
        }
    }

    /// A recipient with the same shared key: direct use, AES Key Wrap or AES-GCM key encryption.
    ///
    /// - Parameters:
    ///   - key: The shared key, of exactly the algorithm's length.
    ///   - algorithm: The algorithm.
    ///   - keyID: The key's identifier, put into the header (`kid`).
    /// - Throws: ``JOSEError/Code/keyMismatch`` where algorithm and key do not go together,
    ///   ``JOSEError/Code/unsupportedAlgorithm``.
    public static func symmetric(
        _ key: SecretBytes,
        _ algorithm: JWEAlgorithm,
        keyID: String? = nil
    ) throws(JOSEError) -> JWEEncryptionKey {
        try JWEEncryptionKey(algorithm, .symmetric(key), keyID: keyID) { primitive in
            switch primitive {
            case .direct: true
            case .keyWrap(let size), .gcmKeyWrap(let size): key.count == size
            default: false
            }
        }
    }

    /// Recipients with a password.
    ///
    /// - Parameters:
    ///   - password: The password in UTF-8.
    ///   - algorithm: An algorithm of PBES2.
    ///   - iterations: The number of iterations, at least 1000: it sets the cost of an attacker's guess and of every
    ///     decryption. Recipients refuse counts over a limit of theirs.
    ///   - keyID: The key's identifier, put into the header (`kid`).
    /// - Throws: ``JOSEError/Code/keyMismatch`` for another algorithm, ``JOSEError/Code/unsupportedAlgorithm``.
    public static func password(
        _ password: SecretBytes,
        _ algorithm: JWEAlgorithm,
        iterations: Int,
        keyID: String? = nil
    ) throws(JOSEError) -> JWEEncryptionKey {
        try JWEEncryptionKey(algorithm, .password(password, iterations: iterations), keyID: keyID) { primitive in
            if case .password = primitive { true } else { false }
        }
    }

    /// A recipient with a public or symmetric JWK, whose own `use`, `key_ops` and `alg` are enforced and whose `kid` is put
    /// into the header.
    ///
    /// - Parameters:
    ///   - key: The recipient's key.
    ///   - algorithm: The algorithm; by default the key's own.
    ///   - encryption: The content encryption that will be used; a key for direct use may be restricted to one.
    ///   - partyUInfo: The sender's information for the key derivation (`apu`); for ECDH-ES only.
    ///   - partyVInfo: The recipient's information for the key derivation (`apv`); for ECDH-ES only.
    /// - Throws: As for the key itself; ``JOSEError/Code/missingAlgorithm``, ``JOSEError/Code/keyRestricted``,
    ///   ``JOSEError/Code/privateMembers``.
    public static func jwk(
        _ key: JWK,
        _ algorithm: JWEAlgorithm? = nil,
        for encryption: JWEEncryption,
        partyUInfo: [UInt8]? = nil,
        partyVInfo: [UInt8]? = nil
    ) throws(JOSEError) -> JWEEncryptionKey {
        guard let algorithm = algorithm ?? key.algorithm.map({ JWEAlgorithm(rawValue: $0) }) else {
            throw JOSEError(.missingAlgorithm, "neither the caller nor the key names one", path: ["JWK", "alg"])
        }
        if let primitive = algorithm.primitive {
            try key.requireEncryption(decrypting: false, with: algorithm, primitive, encryption)
        }
        if case .symmetric(let secret) = key.material {
            return try .symmetric(secret, algorithm, keyID: key.keyID)
        }
        return try .publicKey(
            key.publicKey(),
            algorithm,
            keyID: key.keyID,
            partyUInfo: partyUInfo,
            partyVInfo: partyVInfo
        )
    }
}

extension PublicKey {
    /// Indicates that JOSE has a key agreement with keys on the curve.
    fileprivate var canAgree: Bool {
        guard let curve else { return false }
        return [.p256, .p384, .p521, .x25519, .x448].contains(curve)
    }
}
