import CryptoCore

/// The first half of a proof of non-revocation: the commitments, and the secrets that answer the challenge.
struct NonRevocationCommitment: Sendable {
    /// C_r, C_u, ν, and the commitments to the three relations.
    let contributions: [BigInteger]
    /// The randomizer of α, which is the revocation attribute's too.
    let alphaRandomizer: BigInteger
    private let witness: RevocationWitness
    /// H^r2, with which C_u hides u.
    private let hider: BigInteger
    /// H^(r2·α~ − β~), the part of the commitment to ν that is the same for every accumulator.
    private let commitmentWithoutWitness: BigInteger
    private let r2: BigInteger
    private let r3: BigInteger
    private let betaRandomizer: BigInteger
    private let deltaRandomizer: BigInteger
    private let epsilonRandomizer: BigInteger
    private let zetaRandomizer: BigInteger
    private let modulusBits: Int

    /// - Throws: ``IdemixError/Code/revocationNotSupported`` for a key without G and H.
    init(
        witness: RevocationWitness,
        publicKey: IdemixIssuerPublicKey,
        using randomness: some RandomSource
    ) throws(IdemixError) {
        let (group, modulusBits) = (publicKey.group, publicKey.parameters.modulus)
        let excess = RevocationParameters.randomizerExcess
        let alphaBits = Self.alphaBits
        let quarter = publicKey.elements.n.shiftedRight(by: 2)
        func random(_ bits: Int) -> BigInteger {
            BigInteger.random(below: quarter.shiftedLeft(by: bits), using: randomness)
        }
        let (r2, r3) = (random(0), random(0))
        let (epsilon, zeta) = (random(excess), random(excess))
        let (beta, delta) = (random(alphaBits), random(alphaBits))
        let alpha = BigInteger.random(bits: alphaBits, using: randomness)

        // C_r = G^r2 · H^r3
        var Cr = GroupProduct(group, timing: .constant)
        try Cr.multiply(.g, to: r2, bits: modulusBits - 2)
        try Cr.multiply(.h, to: r3, bits: modulusBits - 2)
        // H^r2
        var hider = GroupProduct(group, timing: .constant)
        try hider.multiply(.h, to: r2, bits: modulusBits - 2)
        // G^(ε~) · H^(ζ~)
        var cr = GroupProduct(group, timing: .constant)
        try cr.multiply(.g, to: epsilon, bits: modulusBits - 2 + excess)
        try cr.multiply(.h, to: zeta, bits: modulusBits - 2 + excess)
        // The exponents below are differences. Adding K keeps them above zero without a look at their sign; the factors
        // G^(−K) and H^(−K) are the key's and public.
        let K = BigInteger.powerOfTwo(KeyGroup.offsetBits(publicKey.parameters))
        let bits = KeyGroup.offsetBits(publicKey.parameters) + 1
        // H^(r2·α~ − β~)
        var nu = GroupProduct(group, timing: .constant)
        try nu.multiply(.h, to: r2 * alpha + K - beta, bits: bits)
        nu.multiply(by: try group.negativeOffsetPower(of: .h))
        // C_r^(α~) · G^(−β~) · H^(−δ~) = G^(r2·α~ − β~) · H^(r3·α~ − δ~)
        var one = GroupProduct(group, timing: .constant)
        try one.multiply(.g, to: r2 * alpha + K - beta, bits: bits)
        try one.multiply(.h, to: r3 * alpha + K - delta, bits: bits)
        one.multiply(by: try group.negativeOffsetPower(of: .g))
        one.multiply(by: try group.negativeOffsetPower(of: .h))

        self.init(
            witness: witness,
            alphaRandomizer: alpha,
            hider: hider.value(),
            commitmentWithoutWitness: nu.value(),
            Cr: Cr.value(),
            commitments: (cr: cr.value(), one: one.value()),
            secrets: (r2, r3),
            randomizers: (beta, delta, epsilon, zeta),
            group: group
        )
    }

    /// The same commitment for a newer witness: only C_u, ν and the commitment to ν differ.
    ///
    /// The secrets and their randomizers are the same, so that of the two only one may ever be answered.
    func moved(to witness: RevocationWitness, publicKey: IdemixIssuerPublicKey) -> NonRevocationCommitment {
        NonRevocationCommitment(
            witness: witness,
            alphaRandomizer: alphaRandomizer,
            hider: hider,
            commitmentWithoutWitness: commitmentWithoutWitness,
            Cr: contributions[0],
            commitments: (cr: contributions[3], one: contributions[5]),
            secrets: (r2, r3),
            randomizers: (betaRandomizer, deltaRandomizer, epsilonRandomizer, zetaRandomizer),
            group: publicKey.group
        )
    }

    private init(
        witness: RevocationWitness,
        alphaRandomizer: BigInteger,
        hider: BigInteger,
        commitmentWithoutWitness: BigInteger,
        Cr: BigInteger,
        commitments: (cr: BigInteger, one: BigInteger),
        secrets: (r2: BigInteger, r3: BigInteger),
        randomizers: (beta: BigInteger, delta: BigInteger, epsilon: BigInteger, zeta: BigInteger),
        group: KeyGroup
    ) {
        // C_u^(α~) · H^(−β~) = u^(α~) · H^(r2·α~ − β~), with C_u = u · H^r2
        var nu = GroupProduct(group, timing: .constant)
        nu.multiply(witness.base, to: alphaRandomizer, bits: Self.alphaBits)
        nu.multiply(by: commitmentWithoutWitness)
        contributions = [
            Cr, group.modulus.product(witness.u, hider), witness.accumulator.value, commitments.cr, nu.value(),
            commitments.one,
        ]
        self.witness = witness
        self.alphaRandomizer = alphaRandomizer
        self.hider = hider
        self.commitmentWithoutWitness = commitmentWithoutWitness
        (r2, r3) = secrets
        (betaRandomizer, deltaRandomizer, epsilonRandomizer, zetaRandomizer) = randomizers
        modulusBits = group.parameters.modulus
    }

    /// The bit length of α~: those of B·T.
    private static let alphaBits = RevocationParameters.randomizerExcess + RevocationParameters.attribute

    /// x^ = x~ + c·x for β = e·r2, δ = e·r3, ε = r2 and ζ = r3.
    func proof(challenge c: BigInteger) -> NonRevocationProof {
        let e = LimbBuffer(witness.e, bits: RevocationParameters.attribute + 1)
        let (r2, r3) = (LimbBuffer(r2, bits: modulusBits), LimbBuffer(r3, bits: modulusBits))
        return NonRevocationProof(
            Cr: contributions[0],
            Cu: contributions[1],
            responses: NonRevocationProof.Responses(
                beta: .response(randomizer: betaRandomizer, challenge: c, secret: e * r2),
                delta: .response(randomizer: deltaRandomizer, challenge: c, secret: e * r3),
                epsilon: .response(randomizer: epsilonRandomizer, challenge: c, secret: r2),
                zeta: .response(randomizer: zetaRandomizer, challenge: c, secret: r3)
            ),
            signedAccumulator: witness.signedAccumulator
        )
    }
}
