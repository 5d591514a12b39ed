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
    /// - Throws: ``CryptoError`` with the code ``CryptoError/Code/invalidSignature`` where it does not verify, and for
    ///   a certificate that cannot be read back.
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
