public import CryptoCore

/// A signed credential in its holder's hands.
///
/// The signature has been checked: by
/// ``PendingIdemixCredential/finish(with:attributes:revocationIndex:context:nonce:using:)`` when it was issued, or by the
/// initialiser when it is read from where the holder keeps it.
public struct IdemixCredential: Sendable {
    /// The key of the issuer.
    public let publicKey: IdemixIssuerPublicKey
    /// The signature; its v is the complete one.
    public let signature: CLSignature
    /// The integers m_1 (the metadata), m_2 and so on, as they are disclosed.
    public let attributes: [BigInteger]
    /// The witness for proving that the credential is not revoked, where it can be.
    public let witness: RevocationWitness?
    let secretKey: IdemixHolderSecretKey
    /// The integers that are signed and proved, one for each attribute.
    ///
    /// All have the same length and memory of their own: the time to fetch one tells nothing about it.
    let exponents: [LimbBuffer]
    /// The base index of the revocation attribute: the one whose value is the witness's prime.
    let revocationIndex: Int?
    /// A with its table, which lives as long as the last copy of the credential.
    package let base: OwnedBase

    /// Puts a credential together and checks its signature.
    ///
    /// - Throws: The errors of ``CLSignature/verify(attributes:publicKey:using:)``; ``IdemixError/Code/invalidWitness``
    ///   if the prime of the witness is not among the attributes.
    public init(
        publicKey: IdemixIssuerPublicKey,
        signature: CLSignature,
        secretKey: IdemixHolderSecretKey,
        attributes: [BigInteger],
        witness: RevocationWitness? = nil,
        using randomness: some RandomSource = .system
    ) throws(IdemixError) {
        _ = try signature.verify(attributes: [secretKey.value] + attributes, publicKey: publicKey, using: randomness)
        try self.init(
            verified: signature,
            publicKey: publicKey,
            secretKey: secretKey,
            attributes: attributes,
            witness: witness
        )
    }

    init(
        verified signature: CLSignature,
        publicKey: IdemixIssuerPublicKey,
        secretKey: IdemixHolderSecretKey,
        attributes: [BigInteger],
        witness: RevocationWitness?,
        base: OwnedBase? = nil
    ) throws(IdemixError) {
        guard !attributes.isEmpty else {
            throw IdemixError(.invalidAttributeCount, "a credential has a metadata attribute")
        }
        if let witness, !attributes.dropFirst().contains(witness.e) {
            throw IdemixError(.invalidWitness, "the prime of the witness is not among the attributes")
        }
        self.publicKey = publicKey
        self.signature = signature
        self.secretKey = secretKey
        self.attributes = attributes
        self.witness = witness
        revocationIndex = witness.flatMap { witness in
            attributes.indices.dropFirst().first { attributes[$0] == witness.e }.map { $0 + 1 }
        }
        self.base = base ?? OwnedBase(signature.A)
        let parameters = publicKey.parameters
        exponents = attributes.map { LimbBuffer(parameters.exponent(ofAttribute: $0), bits: parameters.attribute) }
    }

    /// The same credential with a newer witness.
    ///
    /// - Throws: ``IdemixError/Code/invalidWitness`` if the witness belongs to another credential.
    public func updatingWitness(_ witness: RevocationWitness) throws(IdemixError) -> IdemixCredential {
        guard witness.e == self.witness?.e else {
            throw IdemixError(.invalidWitness, "the witness belongs to another credential")
        }
        return try IdemixCredential(
            verified: signature,
            publicKey: publicKey,
            secretKey: secretKey,
            attributes: attributes,
            witness: witness,
            base: base
        )
    }

    /// The same credential with integers of zero behind its own, which stand for absent attributes.
    ///
    /// A credential type may gain attributes after an issuance. The signature holds for the longer list, too: a base with the
    /// exponent zero changes no product. A holder keeps the credential as it was issued, and pads it for a disclosure.
    ///
    /// - Parameter count: The number of integers, the metadata's among them; one that is not above the present number changes
    ///   nothing.
    /// - Throws: ``IdemixError/Code/invalidAttributeCount`` for more integers than the key can sign.
    public func padded(to count: Int) throws(IdemixError) -> IdemixCredential {
        guard count > attributes.count else { return self }
        let capacity = publicKey.attributeCapacity + 1
        guard count <= capacity else {
            throw IdemixError(.invalidAttributeCount, "\(count) integers for a key that signs \(capacity)")
        }
        return try IdemixCredential(
            verified: signature,
            publicKey: publicKey,
            secretKey: secretKey,
            attributes: attributes + Array(repeating: .zero, count: count - attributes.count),
            witness: witness,
            base: base
        )
    }

    /// The content of the metadata attribute.
    public func metadata() throws(IdemixError) -> MetadataAttribute {
        try MetadataAttribute(integer: attributes[0])
    }

    /// The local identity of a credential: the SHA-256 of the bytes of all integers except the secret key.
    public var hash: [UInt8] {
        HashAlgorithm.sha256.digest(of: attributes.flatMap(\.bytes))
    }

    /// The integer at a base index.
    func integer(at index: Int) -> BigInteger {
        index == 0 ? secretKey.value : attributes[index - 1]
    }
}
