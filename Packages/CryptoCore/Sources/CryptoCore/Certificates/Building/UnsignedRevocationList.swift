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
    /// - Throws: ``CryptoError`` with the code ``CryptoError/Code/invalidSignature`` where it does not verify, and for
    ///   a list that cannot be read back.
    public func completed(with signature: [UInt8]) throws(CryptoError) -> CertificateRevocationList {
        let der = try structure.completed(with: signature)
        return try CertificateRevocationList(der: der, maximumSize: .max)
    }
}
