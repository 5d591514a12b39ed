import CryptoCore

/// The first half of a disclosure proof: the commitments, and the secrets that answer one challenge.
struct DisclosureSecrets: Sendable {
    private(set) var request: IdemixDisclosureRequest
    /// A' = A·S^r.
    let A: BigInteger
    /// The commitment Z~ without the secret key's factor R_0^(m~_0).
    let commitmentWithoutKey: BigInteger
    /// R_0^(m~_0) with the secret key's randomizer m~_0.
    private(set) var keyCommitment: KeyCommitment
    private(set) var nonRevocation: NonRevocationCommitment?
    let ranges: [(index: Int, commitment: RangeCommitment)]
    /// v' + K = v + K − e·r, with K = 2^(l_v + 3), which moves the difference above zero.
    private let movedVPrime: LimbBuffer
    private let eRandomizer: BigInteger
    private let vRandomizer: BigInteger
    private let attributeRandomizers: [Int: BigInteger]

    init(
        _ request: IdemixDisclosureRequest,
        keyCommitment: KeyCommitment,
        using randomness: some RandomSource
    ) throws(IdemixError) {
        let (publicKey, signature) = (request.credential.publicKey, request.credential.signature)
        let (group, parameters) = (publicKey.group, publicKey.parameters)
        let r = BigInteger.random(bits: parameters.signatureRandomizer, using: randomness)
        let eRandomizer = BigInteger.random(bits: parameters.eCommitment, using: randomness)
        let vRandomizer = BigInteger.random(bits: parameters.vCommitment, using: randomness)
        var nonRevocation: NonRevocationCommitment?
        if request.provesNonRevocation, let witness = request.credential.witness {
            nonRevocation = try NonRevocationCommitment(witness: witness, publicKey: publicKey, using: randomness)
        }
        let randomizers = Self.randomizers(request, nonRevocation: nonRevocation, using: randomness)

        // A' = A·S^r, v' = v − e·r
        var randomized = GroupProduct(group, timing: .constant)
        randomized.multiply(.s, to: r, bits: parameters.signatureRandomizer)
        randomized.multiply(by: signature.A)
        // Z~ = A'^(e~) · S^(v~) · ∏ R_i^(m_i~), with A'^(e~) = A^(e~) · S^(r·e~)
        var commitment = GroupProduct(group, timing: .constant)
        commitment.multiply(request.credential.base, to: eRandomizer, bits: parameters.eCommitment)
        commitment.multiply(.s, to: vRandomizer + r * eRandomizer, bits: parameters.vCommitment + 1)
        for (index, randomizer) in randomizers {
            try commitment.multiply(.r(index), to: randomizer, bits: parameters.attributeCommitment)
        }

        self.request = request
        A = randomized.value()
        commitmentWithoutKey = commitment.value()
        self.keyCommitment = keyCommitment
        self.nonRevocation = nonRevocation
        ranges = try Self.ranges(request, randomizers: randomizers, using: randomness)
        movedVPrime =
            LimbBuffer(
                signature.v + BigInteger.powerOfTwo(Self.offsetBits(parameters)),
                bits: Self.offsetBits(parameters) + 1
            ) - LimbBuffer(signature.e, bits: parameters.e)
            * LimbBuffer(r, bits: parameters.signatureRandomizer)
        (self.eRandomizer, self.vRandomizer) = (eRandomizer, vRandomizer)
        attributeRandomizers = randomizers
    }

    /// The same secrets with the secret key's randomizer of the list.
    func adopting(_ keyCommitment: KeyCommitment) -> DisclosureSecrets {
        var secrets = self
        secrets.keyCommitment = keyCommitment
        return secrets
    }

    /// The same secrets for a newer witness; of the two only one may ever answer a challenge.
    func moved(to witness: RevocationWitness) throws(IdemixError) -> DisclosureSecrets {
        var secrets = self
        secrets.request = try request.updatingWitness(witness)
        secrets.nonRevocation = nonRevocation?.moved(to: witness, publicKey: request.credential.publicKey)
        return secrets
    }

    /// A', Z~, and what the parts about revocation and ranges add.
    var contributions: IdemixProofContributions {
        IdemixProofContributions(
            value: A,
            commitment: request.credential.publicKey.group.modulus.product(commitmentWithoutKey, keyCommitment.power),
            others: (nonRevocation?.contributions ?? []) + ranges.flatMap(\.commitment.contributions)
        )
    }

    /// The responses: e^ = e~ + c·(e − 2^(l_e − 1)), v^ = v~ + c·v', m_i^ = m_i~ + c·m_i.
    func proof(challenge c: BigInteger) -> IdemixDisclosureProof {
        let credential = request.credential
        let parameters = credential.publicKey.parameters
        var responses = [0: keyCommitment.response(challenge: c, secretKey: credential.secretKey)]
        for (index, randomizer) in attributeRandomizers {
            responses[index] = .response(
                randomizer: randomizer,
                challenge: c,
                secret: credential.exponents[index - 1]
            )
        }
        var disclosed: [Int: BigInteger] = [:]
        for index in request.disclosed { disclosed[index] = credential.integer(at: index) }
        let movedVResponse = BigInteger.response(randomizer: vRandomizer, challenge: c, secret: movedVPrime)
        return IdemixDisclosureProof(
            challenge: c,
            A: A,
            eResponse: .response(
                randomizer: eRandomizer,
                challenge: c,
                secret: credential.signature.e - BigInteger.powerOfTwo(parameters.e - 1),
                bits: parameters.ePrime
            ),
            vResponse: movedVResponse - c.shiftedLeft(by: Self.offsetBits(parameters)),
            attributeResponses: responses,
            disclosedAttributes: disclosed,
            nonRevocation: nonRevocation?.proof(challenge: c),
            rangeProofs: Dictionary(grouping: ranges, by: \.index).mapValues {
                $0.map { $0.commitment.proof(challenge: c) }
            }
        )
    }

    /// The bit length of K = 2^k, which moves v' above zero: more than v and e·r have.
    private static func offsetBits(_ parameters: IdemixSystemParameters) -> Int { parameters.v + 3 }

    /// The randomizers of the hidden attributes; the revocation attribute's comes from the proof of non-revocation.
    private static func randomizers(
        _ request: IdemixDisclosureRequest,
        nonRevocation: NonRevocationCommitment?,
        using randomness: some RandomSource
    ) -> [Int: BigInteger] {
        let bits = request.credential.publicKey.parameters.attributeCommitment
        let smallest = nonRevocation == nil ? BigInteger.zero : RevocationParameters.smallestOtherRandomizer
        var randomizers: [Int: BigInteger] = [:]
        for index in request.hidden.dropFirst() {
            randomizers[index] = BigInteger.random(bits: bits, atLeast: smallest, using: randomness)
        }
        if let nonRevocation, let index = request.credential.revocationIndex {
            randomizers[index] = nonRevocation.alphaRandomizer
        }
        return randomizers
    }

    /// The commitments of the range proofs: by ascending index, within an index in the order of the statements.
    private static func ranges(
        _ request: IdemixDisclosureRequest,
        randomizers: [Int: BigInteger],
        using randomness: some RandomSource
    ) throws(IdemixError) -> [(index: Int, commitment: RangeCommitment)] {
        var ranges: [(index: Int, commitment: RangeCommitment)] = []
        for (index, statements) in request.statements.sorted(by: { $0.key < $1.key }) {
            for statement in statements {
                let commitment = try RangeCommitment(
                    statement,
                    squares: request.squares,
                    index: index,
                    attribute: request.credential.integer(at: index),
                    randomizer: randomizers[index] ?? .zero,
                    publicKey: request.credential.publicKey,
                    using: randomness
                )
                ranges.append((index, commitment))
            }
        }
        return ranges
    }
}
