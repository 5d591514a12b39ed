public import CryptoCore

extension COSEKey {
    /// The public key.
    ///
    /// - Throws: ``COSEError/Code/unsupportedKey`` for a type or curve that is not implemented,
    ///   ``COSEError/Code/invalidKey`` for numbers that are not a key: coordinates of another width, a point off the
    ///   curve, a modulus that is too short.
    public func publicKey() throws(COSEError) -> PublicKey {
        try within("COSE_Key") { () throws(COSEError) in
            switch material {
            case .ec2(let material), .okp(let material): try publicKey(of: material)
            case .rsa(let material):
                try engineKey("n") { () throws(CryptoError) in
                    try PublicKey(rsaModulus: material.modulus, exponent: material.publicExponent)
                }
            case .symmetric: throw COSEError(.keyMismatch, "a symmetric key has no public part", path: ["kty"])
            case .unknown: throw unknownType
            }
        }
    }

    private func publicKey(of material: EllipticCurveMaterial) throws(COSEError) -> PublicKey {
        let curve = try material.curve(for: keyType)
        guard let x = material.x else {
            // RFC 9053 section 7.1.1 allows a private key without its public part.
            return try privateKey(of: material).publicKey
        }
        return try engineKey("x") { () throws(CryptoError) in
            switch material.y {
            case .full(let y): try PublicKey(curve: curve, x: x, y: y)
            case .isOdd(let isOdd): try PublicKey(curve: curve, x: x, yIsOdd: isOdd)
            case nil: try PublicKey(curve: curve, rawRepresentation: x)
            }
        }
    }

    /// The private key.
    ///
    /// - Throws: As ``publicKey()``; ``COSEError/Code/notPrivate`` if there is no private part,
    ///   ``COSEError/Code/invalidKey`` also for a public part that does not belong to the private one.
    public func privateKey() throws(COSEError) -> PrivateKey {
        try within("COSE_Key") { () throws(COSEError) in
            let key: PrivateKey
            switch material {
            case .ec2(let material), .okp(let material):
                key = try privateKey(of: material)
                try requirePublicPart(of: material, toBelongTo: key)
            case .rsa(let material): key = try privateKey(of: material)
            case .symmetric: throw COSEError(.notPrivate, "a symmetric key is no private key", path: ["kty"])
            case .unknown: throw unknownType
            }
            return key
        }
    }

    private func requirePublicPart(
        of material: EllipticCurveMaterial,
        toBelongTo key: PrivateKey
    ) throws(COSEError) {
        guard material.x != nil else { return }
        guard try publicKey(of: material) == key.publicKey else {
            throw COSEError(.invalidKey, "the public part does not belong to the private one", path: ["d"])
        }
    }

    private func privateKey(of material: EllipticCurveMaterial) throws(COSEError) -> PrivateKey {
        guard let privateKey = material.privateKey else { throw notPrivate("d") }
        let curve = try material.curve(for: keyType)
        return try engineKey("d") { () throws(CryptoError) in
            try PrivateKey(curve: curve, rawRepresentation: privateKey)
        }
    }

    private func privateKey(of material: RSAMaterial) throws(COSEError) -> PrivateKey {
        guard let numbers = material.privateNumbers else { throw notPrivate("d") }
        return try engineKey("d") { () throws(CryptoError) in try PrivateKey(rsaComponents: numbers) }
    }

    /// The bytes of a symmetric key (`k`).
    ///
    /// - Throws: ``COSEError/Code/keyMismatch`` for a key of another type.
    public func symmetricKey() throws(COSEError) -> SecretBytes {
        guard case .symmetric(let key) = material else {
            throw COSEError(.keyMismatch, "\(keyType) is no symmetric key", path: ["COSE_Key", "kty"])
        }
        return key
    }

    private var unknownType: COSEError {
        COSEError(.unsupportedKey, "key type \(keyType.rawValue) is not implemented", path: ["kty"])
    }

    private func notPrivate(_ field: String) -> COSEError {
        COSEError(.notPrivate, "the key has no private part", path: [field])
    }

    /// Makes a key of the engine, and sorts out why it refused.
    private func engineKey<Key>(_ field: String, _ make: () throws(CryptoError) -> Key) throws(COSEError) -> Key {
        do {
            return try make()
        } catch {
            let code: COSEError.Code = error.code == .unsupported ? .unsupportedKey : .invalidKey
            throw COSEError(code, error.message, path: [field], cause: error)
        }
    }
}
