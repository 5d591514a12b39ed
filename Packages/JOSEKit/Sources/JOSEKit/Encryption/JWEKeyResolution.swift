import CryptoCore

/// The keys that a recipient's content encryption key may be had with, of those that the caller has.
struct JWEKeyResolution {
    let recipient: JWERecipient
    let algorithm: JWEAlgorithm
    let primitive: JWEPrimitive
    let encryption: JWEEncryption
    let contentKeySize: Int

    /// A key in the form that a primitive takes.
    enum Secret {
        case symmetric(SecretBytes)
        case password(SecretBytes)
        case agreement(any KeyAgreement, with: PublicKey)
        case rsa(PrivateKey)
    }

    /// The keys that fit, at least one.
    func secrets(_ key: JWEKey) throws(JOSEError) -> [Secret] {
        switch key.kind {
        case .symmetric(let key): [try fitting(.symmetric(key))]
        case .password(let password): [try fitting(.password(password))]
        case .agreement(let key): [try agreement(key)]
        case .rsa(let key): [try fitting(.rsa(key))]
        case .jwk(let key): [try secret(key)]
        case .jwkSet(let keys): try secrets(keys)
        }
    }

    private func secrets(_ keys: JWKSet) throws(JOSEError) -> [Secret] {
        var candidates = keys.keys
        if let keyID = try recipient.header.keyID() { candidates = keys.keys(withID: keyID) }
        guard !candidates.isEmpty else { throw noKey("the set has no key with this identifier") }
        // A single candidate reports its own error.
        guard candidates.count > 1 else { return [try secret(candidates[0])] }
        var secrets: [Secret] = []
        var reason: JOSEError?
        for candidate in candidates {
            do throws(JOSEError) {
                secrets.append(try secret(candidate))
            } catch {
                reason = reason ?? error
            }
        }
        guard !secrets.isEmpty else { throw noKey("no key of the set may be used with \(algorithm)", cause: reason) }
        return secrets
    }

    private func secret(_ jwk: JWK) throws(JOSEError) -> Secret {
        try jwk.requireEncryption(decrypting: true, with: algorithm, primitive, encryption)
        switch jwk.material {
        case .symmetric(let key): return try fitting(isPassword(jwk) ? .password(key) : .symmetric(key))
        case .privateKey(let key): return try key.curve == nil ? fitting(.rsa(key)) : agreement(key)
        case .publicKey: throw JOSEError(.notPrivate, "the key has no private part", path: ["JWK"])
        }
    }

    /// A key whose own `alg` is of PBES2 is a password; any other must not be guessed at through a weaker algorithm.
    private func isPassword(_ jwk: JWK) -> Bool {
        guard case .password = primitive, let name = jwk.algorithm else { return false }
        return JWEAlgorithm(rawValue: name) == algorithm
    }

    private func agreement(_ key: any KeyAgreement) throws(JOSEError) -> Secret {
        switch primitive {
        case .agreement, .agreementWithKeyWrap: break
        default: throw mismatch
        }
        guard let ephemeral = try recipient.header.ephemeralPublicKey() else {
            throw JOSEError(.invalidHeader, "the sender's ephemeral key is not there", path: ["epk"])
        }
        let publicKey = try ephemeral.publicKey()
        guard publicKey.curve == key.publicKey.curve else {
            throw JOSEError(.keyMismatch, "the ephemeral key is not on the curve of the recipient's", path: ["epk"])
        }
        return .agreement(key, with: publicKey)
    }

    private func fitting(_ secret: Secret) throws(JOSEError) -> Secret {
        let fits =
            switch (primitive, secret) {
            case (.direct, .symmetric(let key)): key.count == contentKeySize
            case (.keyWrap(let size), .symmetric(let key)), (.gcmKeyWrap(let size), .symmetric(let key)):
                key.count == size
            case (.rsaOAEP, .rsa), (.rsaPKCS1, .rsa), (.password, .password): true
            default: false
            }
        guard fits else { throw mismatch }
        return secret
    }

    private var mismatch: JOSEError {
        JOSEError(.keyMismatch, "\(algorithm) does not go with type or length of the key", path: ["alg"])
    }

    private func noKey(_ message: String, cause: JOSEError? = nil) -> JOSEError {
        JOSEError(.noKey, message, path: ["kid"], cause: cause)
    }
}

extension JWK {
    /// Refuses a use of the key for encryption that its own `use`, `key_ops` or `alg` forbids.
    func requireEncryption(
        decrypting: Bool,
        with algorithm: JWEAlgorithm,
        _ primitive: JWEPrimitive,
        _ encryption: JWEEncryption
    ) throws(JOSEError) {
        if !decrypting, primitive.agrees, keyOperations?.isEmpty == true {
            try require(.encryption)
        } else {
            try require(.encryption, anyOf: primitive.operations(decrypting: decrypting))
        }
        guard let own = self.algorithm, !own.hasSameBytes(as: algorithm.rawValue) else { return }
        let isAllowed =
            switch primitive {
            // A key for direct use may be restricted to the content encryption (RFC 7520, section 5.6.1).
            case .direct: own.hasSameBytes(as: encryption.rawValue)
            // The key of an agreement does the same whether or not its result wraps another key.
            case .agreementWithKeyWrap: own.hasSameBytes(as: JWEAlgorithm.ecdhES.rawValue)
            default: false
            }
        guard isAllowed else { throw restricted("the key is for \(own), not for \(algorithm)", "alg") }
    }
}
