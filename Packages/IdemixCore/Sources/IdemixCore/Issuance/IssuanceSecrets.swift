import CryptoCore

/// The first half of an issuance: the commitment, and the secrets that answer one challenge.
struct IssuanceSecrets: Sendable {
    let publicKey: IdemixIssuerPublicKey
    let secretKey: IdemixHolderSecretKey
    /// U, with the keyshare server's P multiplied in.
    let U: BigInteger
    let vPrime: BigInteger
    /// The holder's shares m' of the random-blind attributes, by base index.
    let shares: [Int: BigInteger]
    private let commitmentWithoutKey: BigInteger
    private(set) var keyCommitment: KeyCommitment
    private let vPrimeRandomizer: BigInteger
    private let shareRandomizers: [Int: BigInteger]

    init(
        publicKey: IdemixIssuerPublicKey,
        secretKey: IdemixHolderSecretKey,
        blindIndices: Set<Int>,
        keyshareP: BigInteger?,
        keyCommitment: KeyCommitment,
        using randomness: some RandomSource
    ) throws(IdemixError) {
        guard blindIndices.allSatisfy({ $0 >= 2 && $0 < publicKey.elements.R.count }) else {
            throw IdemixError(.invalidIndices, "a blind index is no attribute's")
        }
        if let keyshareP { try publicKey.requireUnit(keyshareP, "P") }
        let (group, parameters) = (publicKey.group, publicKey.parameters)
        func shares(_ bits: Int) -> [Int: BigInteger] {
            Dictionary(
                uniqueKeysWithValues: blindIndices.map { ($0, BigInteger.random(bits: bits, using: randomness)) }
            )
        }
        let vPrime = BigInteger.random(bits: parameters.vPrime, using: randomness)
        let vPrimeRandomizer = BigInteger.random(bits: parameters.vPrimeCommitment, using: randomness)
        let (holderShares, randomizers) = (shares(parameters.attribute - 1), shares(parameters.attributeCommitment))

        // U = S^v' · R_0^sk · ∏ R_i^(m'_i) · P
        var U = GroupProduct(group, timing: .constant)
        U.multiply(.s, to: vPrime, bits: parameters.vPrime)
        U.multiply(.secretKey, to: secretKey.value, bits: IdemixSystemParameters.Common.secretKey + 1)
        for (index, share) in holderShares { try U.multiply(.r(index), to: share, bits: parameters.attribute) }
        if let keyshareP { U.multiply(by: keyshareP) }
        // U~ = S^v'~ · R_0^sk~ · ∏ R_i^(m'_i~)
        var commitment = GroupProduct(group, timing: .constant)
        commitment.multiply(.s, to: vPrimeRandomizer, bits: parameters.vPrimeCommitment)
        for (index, randomizer) in randomizers {
            try commitment.multiply(.r(index), to: randomizer, bits: parameters.attributeCommitment)
        }

        self.publicKey = publicKey
        self.secretKey = secretKey
        self.U = U.value()
        self.vPrime = vPrime
        self.shares = holderShares
        commitmentWithoutKey = commitment.value()
        self.keyCommitment = keyCommitment
        self.vPrimeRandomizer = vPrimeRandomizer
        shareRandomizers = randomizers
    }

    /// U and U~.
    var contributions: IdemixProofContributions {
        IdemixProofContributions(
            value: U,
            commitment: publicKey.group.modulus.product(commitmentWithoutKey, keyCommitment.power),
            others: []
        )
    }

    /// The responses: v'^ = v'~ + c·v', s^ = sk~ + c·sk, m'_i^ = m'_i~ + c·m'_i.
    func proof(challenge c: BigInteger) -> IssuanceCommitmentProof {
        let parameters = publicKey.parameters
        var responses: [Int: BigInteger] = [:]
        for (index, randomizer) in shareRandomizers {
            let share = shares[index] ?? .zero
            responses[index] = .response(
                randomizer: randomizer,
                challenge: c,
                secret: share,
                bits: parameters.attribute
            )
        }
        return IssuanceCommitmentProof(
            challenge: c,
            U: U,
            vPrimeResponse: .response(
                randomizer: vPrimeRandomizer,
                challenge: c,
                secret: vPrime,
                bits: parameters.vPrime
            ),
            secretKeyResponse: keyCommitment.response(challenge: c, secretKey: secretKey),
            attributeResponses: responses
        )
    }
}
