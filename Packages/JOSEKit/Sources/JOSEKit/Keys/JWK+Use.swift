public import CryptoCore
import JSONKit

extension JWK {
    /// Reads a key that has a public part and nothing else.
    ///
    /// The bytes of a symmetric key are not looked at.
    /// - Throws: As ``publicKey()``, and the errors for an invalid JWK.
    init(public json: JSONValue) throws(JOSEError) {
        guard json["kty"]?.stringValue != "oct" else { throw Self.hasNoPublicPart }
        try self.init(json: json)
        _ = try publicKey()
    }

    /// The public key.
    ///
    /// - Throws: ``JOSEError/Code/privateMembers`` for a key with a private part, which must not have come if a public
    ///   key belongs: ``publicJWK`` leaves it out. ``JOSEError/Code/keyMismatch`` for a symmetric key.
    public func publicKey() throws(JOSEError) -> PublicKey {
        switch material {
        case .publicKey(let key): return key
        case .privateKey: throw JOSEError(.privateMembers, "the key has private members", path: ["JWK"])
        case .symmetric: throw Self.hasNoPublicPart
        }
    }

    /// The private key.
    ///
    /// - Throws: ``JOSEError/Code/notPrivate`` for a public key, ``JOSEError/Code/keyMismatch`` for a symmetric one.
    public func privateKey() throws(JOSEError) -> PrivateKey {
        switch material {
        case .privateKey(let key): return key
        case .publicKey: throw JOSEError(.notPrivate, "the key has no private part", path: ["JWK"])
        case .symmetric: throw JOSEError(.keyMismatch, "a symmetric key is no private key", path: ["JWK", "kty"])
        }
    }

    /// The bytes of a symmetric key.
    ///
    /// - Throws: ``JOSEError/Code/keyMismatch`` for a key of another type.
    public func symmetricKey() throws(JOSEError) -> SecretBytes {
        guard case .symmetric(let key) = material else {
            throw JOSEError(.keyMismatch, "\(keyType) is no symmetric key", path: ["JWK", "kty"])
        }
        return key
    }

    /// A signer with the private key, if the key may be used for that.
    ///
    /// - Parameter algorithm: The algorithm to sign with; by default the key's own, or the one that its curve has, or for
    ///   RSA PS256.
    /// - Throws: As ``privateKey()``; ``JOSEError/Code/keyRestricted``, ``JOSEError/Code/keyMismatch``.
    public func signer(algorithm: JWSAlgorithm? = nil) throws(JOSEError) -> SoftwareSigner {
        let key = try privateKey()
        guard
            let algorithm = algorithm ?? self.algorithm.map({ JWSAlgorithm(rawValue: $0) })
                ?? .natural(for: key.publicKey)
        else { throw JOSEError(.keyMismatch, "keys of this kind do not sign", path: ["JWK"]) }
        try requireSignatures(.sign, with: algorithm)
        guard let signature = algorithm.signatureAlgorithm(for: key.publicKey) else {
            throw JOSEError(.keyMismatch, "\(algorithm) does not go with the key", path: ["JWK"])
        }
        do {
            return try SoftwareSigner(key, algorithm: signature)
        } catch {
            throw JOSEError(.keyMismatch, "\(algorithm) does not go with the key", path: ["JWK"], cause: error)
        }
    }

    /// The public part of a public or private key.
    func publicPart() throws(JOSEError) -> PublicKey {
        guard let openPart else { throw Self.hasNoPublicPart }
        return openPart
    }

    /// The public part of a public or private key; nil for a symmetric key.
    var openPart: PublicKey? {
        switch material {
        case .publicKey(let key): key
        case .privateKey(let key): key.publicKey
        case .symmetric: nil
        }
    }

    private static var hasNoPublicPart: JOSEError {
        JOSEError(.keyMismatch, "a symmetric key has no public part", path: ["JWK", "kty"])
    }
}

extension JWSAlgorithm {
    /// The algorithm that goes with a key where nothing else is said.
    fileprivate static func natural(for key: PublicKey) -> JWSAlgorithm? {
        [.es256, .es384, .es512, .es256K, .edDSA, .ps256].first { $0.signatureAlgorithm(for: key) != nil }
    }
}
