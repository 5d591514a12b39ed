public import CryptoCore

/// A holder's state between its commitment and the issuer's signature.
public struct PendingIdemixCredential: Sendable {
    /// The key of the issuer.
    public let publicKey: IdemixIssuerPublicKey
    /// The base indices of the random-blind attributes.
    public var blindIndices: Set<Int> { Set(shares.keys) }
    private let secretKey: IdemixHolderSecretKey
    let vPrime: BigInteger
    /// The holder's shares m' of the random-blind attributes, by base index.
    let shares: [Int: BigInteger]
    let keyshareP: BigInteger?

    init(_ secrets: IssuanceSecrets, keyshareP: BigInteger?) {
        publicKey = secrets.publicKey
        secretKey = secrets.secretKey
        vPrime = secrets.vPrime
        shares = secrets.shares
        self.keyshareP = keyshareP
    }

    /// The state as it was stored.
    ///
    /// - Throws: ``IdemixError/Code/outOfRange`` or ``IdemixError/Code/notInvertible`` for numbers that no commitment has.
    init(
        publicKey: IdemixIssuerPublicKey,
        secretKey: IdemixHolderSecretKey,
        vPrime: BigInteger,
        shares: [Int: BigInteger],
        keyshareP: BigInteger?
    ) throws(IdemixError) {
        let parameters = publicKey.parameters
        guard vPrime.bitCount <= parameters.vPrime else {
            throw IdemixError(.outOfRange, "v' is out of its range", path: ["v'"])
        }
        guard shares.values.allSatisfy({ $0.bitCount < parameters.attribute }) else {
            throw IdemixError(.outOfRange, "a share of a random-blind attribute is out of its range", path: ["m'"])
        }
        if let keyshareP { try publicKey.requireUnit(keyshareP, "P") }
        self.publicKey = publicKey
        self.secretKey = secretKey
        self.vPrime = vPrime
        self.shares = shares
        self.keyshareP = keyshareP
    }

    /// Checks the issuer's message and makes the credential.
    ///
    /// - Parameters:
    ///   - issued: The issuer's message.
    ///   - attributes: The integers m_1 (the metadata), m_2 and so on that the holder agreed to, zero at the places of
    ///     random-blind attributes. At the place of a revocation attribute the witness's prime is put in. If the issuer
    ///     computed the metadata on the other side of a week's end, that of ``MetadataAttribute/neighboringWeeks`` takes
    ///     the place of the first one.
    ///   - revocationIndex: The base index of the revocation attribute, where the issuer announced one.
    ///   - context: The context of the session.
    ///   - nonce: The nonce n_2 that the holder sent.
    ///   - randomness: The source of the Miller–Rabin bases that e is tested with; by default the system's.
    /// - Throws: ``IdemixError/Code/outOfRange``, ``IdemixError/Code/notInvertible``,
    ///   ``IdemixError/Code/invalidIndices``, ``IdemixError/Code/invalidWitness``,
    ///   ``IdemixError/Code/invalidIssuerProof`` or ``IdemixError/Code/invalidSignature``.
    public func finish(
        with issued: IssuedCLSignature,
        attributes: [BigInteger],
        revocationIndex: Int? = nil,
        context: BigInteger = 1,
        nonce: BigInteger,
        using randomness: some RandomSource = .system
    ) throws(IdemixError) -> IdemixCredential {
        let received = issued.signature
        guard !received.v.isNegative, received.v.bitCount <= publicKey.parameters.v else {
            throw IdemixError(.outOfRange, "v is out of its range", path: ["v"])
        }
        try issued.proof.checkRanges(publicKey: publicKey)
        let (witness, attributes) = try complete(attributes, with: issued, revocationIndex: revocationIndex)
        let signature = CLSignature(A: received.A, e: received.e, v: received.v + vPrime, keyshareP: keyshareP)
        let integers = [secretKey.value] + attributes
        try signature.checkNumbers(attributes: integers, publicKey: publicKey, using: randomness)
        // Q = A^e serves both checks.
        var Q = GroupProduct(publicKey.group, timing: .variable)
        Q.multiply(signature.A, to: signature.e)
        let powerOfA = Q.value()
        try issued.proof.requireEquation(
            A: signature.A,
            powerOfA: powerOfA,
            context: context,
            nonce: nonce,
            publicKey: publicKey
        )
        let signed = try signedAttributes(attributes, signature: signature, powerOfA: powerOfA)
        return try IdemixCredential(
            verified: signature,
            publicKey: publicKey,
            secretKey: secretKey,
            attributes: signed,
            witness: witness
        )
    }

    /// The attributes that were signed: the expected ones, or those with the metadata of a neighboring week.
    private func signedAttributes(
        _ attributes: [BigInteger],
        signature: CLSignature,
        powerOfA: BigInteger
    ) throws(IdemixError) -> [BigInteger] {
        func requireSignature(over attributes: [BigInteger]) throws(IdemixError) {
            let integers = [secretKey.value] + attributes
            try signature.requireEquation(powerOfA: powerOfA, attributes: integers, publicKey: publicKey)
        }
        do throws(IdemixError) {
            try requireSignature(over: attributes)
            return attributes
        } catch {
            for week in neighboringWeeks(of: attributes) {
                let other = [week.integer] + attributes.dropFirst()
                do throws(IdemixError) {
                    try requireSignature(over: other)
                    return other
                } catch {
                    continue
                }
            }
            throw error
        }
    }

    /// The metadata that an issuer's clock on the other side of a week's end computes.
    private func neighboringWeeks(of attributes: [BigInteger]) -> [MetadataAttribute] {
        do throws(IdemixError) {
            return try attributes.first.map { integer throws(IdemixError) in
                try MetadataAttribute(integer: integer).neighboringWeeks
            } ?? []
        } catch {
            // Integers that are no metadata have no neighbors.
            return []
        }
    }

    /// The attributes with both parties' shares added and the witness's prime at its place.
    private func complete(
        _ attributes: [BigInteger],
        with issued: IssuedCLSignature,
        revocationIndex: Int?
    ) throws(IdemixError) -> (RevocationWitness?, [BigInteger]) {
        guard Set(issued.issuerShares.keys) == blindIndices, blindIndices.allSatisfy({ $0 <= attributes.count }) else {
            throw IdemixError(.invalidIndices, "the issuer's shares are not those of the random-blind attributes")
        }
        var attributes = attributes
        for (index, share) in issued.issuerShares {
            guard !share.isNegative, share.bitCount < publicKey.parameters.attribute, attributes[index - 1].isZero
            else {
                throw IdemixError(.outOfRange, "the issuer's share is out of its range", path: ["m_issuer[\(index)]"])
            }
            attributes[index - 1] = share + (shares[index] ?? .zero)
        }
        guard (issued.witness == nil) == (revocationIndex == nil) else {
            throw IdemixError(.invalidWitness, "a witness came unannounced, or was announced and did not come")
        }
        guard let received = issued.witness, let revocationIndex else { return (nil, attributes) }
        guard revocationIndex >= 2, revocationIndex <= attributes.count, shares[revocationIndex] == nil else {
            throw IdemixError(.invalidIndices, "the revocation index is no attribute's")
        }
        let witness = try received.verified(by: publicKey)
        attributes[revocationIndex - 1] = witness.e
        return (witness, attributes)
    }
}
