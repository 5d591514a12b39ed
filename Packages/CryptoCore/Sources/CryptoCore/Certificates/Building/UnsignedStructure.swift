/// A structure of the form SEQUENCE { to be signed, algorithm, signature } on its way to being signed: certificates,
/// revocation lists and certificate requests share it.
struct UnsignedStructure: Sendable {
    /// The DER that the signature covers.
    let bytesToSign: [UInt8]
    let algorithm: SignatureAlgorithm
    /// The key that the signature must verify with.
    let key: PublicKey

    /// - Throws: ``CryptoError`` with the code `keyMismatch` where algorithm and key do not go together.
    init(_ members: [DERValue], algorithm: SignatureAlgorithm, key: PublicKey) throws(CryptoError) {
        guard algorithm.supports(key) else {
            throw CryptoError(.keyMismatch, "\(algorithm.name) does not go with \(key)")
        }
        bytesToSign = DERValue.sequence(members).encoded
        self.algorithm = algorithm
        self.key = key
    }

    /// The signed structure; a signature that does not verify is refused, so that a faulty signer is noticed here.
    ///
    /// - Parameter signature: As a ``Signer`` gives it: for ECDSA r‖s.
    func completed(with signature: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard key.isValidSignature(signature, for: bytesToSign, algorithm: algorithm) else {
            throw CryptoError(.invalidSignature, "the signature does not verify with the signer's public key")
        }
        var encoded = signature
        if let curve = key.curve, curve.family == .weierstrass {
            encoded = try ECDSASignature(rawRepresentation: signature, curve: curve).derRepresentation
        }
        return DERValue.sequence([
            .encoded(bytesToSign), .encoded(algorithm.algorithmIdentifier), .bitString(encoded),
        ]).encoded
    }
}

/// A certificate that lacks only its signature, for signers that work elsewhere.
public struct UnsignedCertificate: Sendable {
    private let structure: UnsignedStructure

    init(_ structure: UnsignedStructure) {
        self.structure = structure
    }

    /// TBSCertificate: the bytes to sign.
    public var bytesToSign: [UInt8] { structure.bytesToSign }

    /// The algorithm to sign with.
    public var algorithm: SignatureAlgorithm { structure.algorithm }

    /// The certificate.
    ///
    /// - Parameter signature: The signature over ``bytesToSign``; for ECDSA r‖s.
    /// - Throws: ``CryptoError`` with the code ``CryptoError/Code/invalidSignature`` if it does not verify, and for a
    ///   certificate that cannot be read back.
    public func completed(with signature: [UInt8]) throws(CryptoError) -> Certificate {
        let certificate = try Certificate(der: structure.completed(with: signature))
        // These are read when asked for, and a name that cannot be written should be noticed here.
        _ = try certificate.subjectAlternativeName
        _ = try certificate.issuerAlternativeName
        _ = try certificate.crlDistributionPoints
        _ = try certificate.nameConstraints
        return certificate
    }
}

/// A revocation list that lacks only its signature, for signers that work elsewhere.
public struct UnsignedRevocationList: Sendable {
    private let structure: UnsignedStructure

    init(_ structure: UnsignedStructure) {
        self.structure = structure
    }

    /// TBSCertList: the bytes to sign.
    public var bytesToSign: [UInt8] { structure.bytesToSign }

    /// The algorithm to sign with.
    public var algorithm: SignatureAlgorithm { structure.algorithm }

    /// The list.
    ///
    /// - Parameter signature: The signature over ``bytesToSign``; for ECDSA r‖s.
    /// - Throws: ``CryptoError`` with the code ``CryptoError/Code/invalidSignature`` if it does not verify, and for a
    ///   list that cannot be read back.
    public func completed(with signature: [UInt8]) throws(CryptoError) -> CertificateRevocationList {
        let der = try structure.completed(with: signature)
        return try CertificateRevocationList(der: der, maximumSize: .max)
    }
}
