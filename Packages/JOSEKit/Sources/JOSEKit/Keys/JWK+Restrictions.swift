public import CryptoCore

extension JWK {
    /// The public key, if the key's own `use`, `key_ops` and `alg` let it verify signatures of an algorithm.
    ///
    /// - Throws: ``JOSEError/Code/keyRestricted``, and the error for a key without a public part.
    public func publicKey(toVerify algorithm: JWSAlgorithm) throws(JOSEError) -> PublicKey {
        try requireSignatures(.verify, with: algorithm)
        return try publicKey()
    }

    /// Refuses a use of the key for signatures or MACs that its own `use`, `key_ops` or `alg` forbids.
    func requireSignatures(_ operation: JWKOperation, with algorithm: JWSAlgorithm) throws(JOSEError) {
        try require(.signature, anyOf: [operation])
        guard let name = self.algorithm else { return }
        let own = JWSAlgorithm(rawValue: name)
        let isSame = openPart.map { own.isEquivalent(to: algorithm, for: $0) } ?? (own == algorithm)
        guard isSame else { throw restricted("the key is for \(name), not for \(algorithm)", "alg") }
    }

    /// Refuses a use that the key's own `use` or `key_ops` forbids (RFC 7517, sections 4.2 and 4.3).
    ///
    /// - Parameters:
    ///   - use: The intended use of the key.
    ///   - operations: The operations of which one must be listed.
    func require(_ use: JWKUse, anyOf operations: @autoclosure () -> Set<JWKOperation>) throws(JOSEError) {
        try require(use)
        if let allowed = keyOperations, allowed.isDisjoint(with: operations()) {
            let names = operations().map(\.rawValue).sorted().joined(separator: " or ")
            throw restricted("the key is not for \(names)", "key_ops")
        }
    }

    /// Refuses a use that the key's own `use` forbids.
    func require(_ use: JWKUse) throws(JOSEError) {
        guard let only = self.use, only != use else { return }
        throw restricted("the key is for the use \(only.rawValue)", "use")
    }

    func restricted(_ message: String, _ member: String) -> JOSEError {
        JOSEError(.keyRestricted, message, path: ["JWK", member])
    }
}

extension JWEPrimitive {
    /// Indicates a key agreement, in which the public key of a recipient does nothing: browsers export it with an empty `key_ops`.
    var agrees: Bool {
        switch self {
        case .agreement, .agreementWithKeyWrap: true
        default: false
        }
    }

    /// The operations of a JWK of which one must be allowed: to encrypt, or to decrypt.
    func operations(decrypting: Bool) -> Set<JWKOperation> {
        switch self {
        case .direct: decrypting ? [.decrypt] : [.encrypt]
        case .agreement, .agreementWithKeyWrap: [.deriveKey, .deriveBits]
        case .password: [.deriveKey, .deriveBits, decrypting ? .unwrapKey : .wrapKey]
        case .keyWrap, .gcmKeyWrap, .rsaOAEP, .rsaPKCS1:
            decrypting ? [.unwrapKey, .decrypt] : [.wrapKey, .encrypt]
        }
    }
}
