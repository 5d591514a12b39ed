import CryptoCore

/// The first half of a proof of non-revocation: the commitments, and the secrets that answer the challenge.
struct NonRevocationCommitment: Sendable {
    /// C_r, C_u, ν, and the commitments to the three relations.
    let contributions: [BigInteger]
    /// The randomizer of α, which is the revocation attribute's too.
    let alphaRandomizer: BigInteger
    private let witness: RevocationWitness
    private let r2: BigInteger
    private let r3: BigInteger
    private let betaRandomizer: BigInteger
    private let deltaRandomizer: BigInteger
    private let epsilonRandomizer: BigInteger
    private let zetaRandomizer: BigInteger

    init(witness: RevocationWitness, publicKey: IssuerPublicKey, from randomness: some RandomSource) {
        let (group, modulusBits) = (publicKey.group, publicKey.parameters.modulus)
        let excess = RevocationParameters.randomizerExcess
        let alphaBits = excess + RevocationParameters.attribute
        let quarter = publicKey.elements.n.shiftedRight(by: 2)
        func random(_ bits: Int) -> BigInteger {
            BigInteger.random(below: quarter.shiftedLeft(by: bits), from: randomness)
        }
        let (r2, r3) = (random(0), random(0))
        let (epsilon, zeta) = (random(excess), random(excess))
        let (beta, delta) = (random(alphaBits), random(alphaBits))
        let alpha = BigInteger.random(bits: alphaBits, from: randomness)

        // C_r = G^r2 · H^r3
        var Cr = GroupProduct(group, timing: .constant)
        Cr.multiply(.g, to: r2, bits: modulusBits - 2)
        Cr.multiply(.h, to: r3, bits: modulusBits - 2)
        // C_u = u · H^r2
        var Cu = GroupProduct(group, timing: .constant)
        Cu.multiply(.h, to: r2, bits: modulusBits - 2)
        Cu.multiply(by: witness.u)
        // G^(ε~) · H^(ζ~)
        var cr = GroupProduct(group, timing: .constant)
        cr.multiply(.g, to: epsilon, bits: modulusBits - 2 + excess)
        cr.multiply(.h, to: zeta, bits: modulusBits - 2 + excess)
        // The exponents below are differences. Adding K keeps them above zero without a look at their sign; the factors
        // G^(−K) and H^(−K) are the key's and public.
        let K = BigInteger.powerOfTwo(KeyGroup.offsetBits(publicKey.parameters))
        let bits = KeyGroup.offsetBits(publicKey.parameters) + 1
        // C_u^(α~) · H^(−β~) = u^(α~) · H^(r2·α~ − β~)
        var nu = GroupProduct(group, timing: .constant)
        nu.multiply(fixed: witness.u, to: alpha, bits: alphaBits)
        nu.multiply(.h, to: r2 * alpha - beta + K, bits: bits)
        nu.multiply(by: group.negativeOffsetPower(of: .h))
        // C_r^(α~) · G^(−β~) · H^(−δ~) = G^(r2·α~ − β~) · H^(r3·α~ − δ~)
        var one = GroupProduct(group, timing: .constant)
        one.multiply(.g, to: r2 * alpha - beta + K, bits: bits)
        one.multiply(.h, to: r3 * alpha - delta + K, bits: bits)
        one.multiply(by: group.negativeOffsetPower(of: .g))
        one.multiply(by: group.negativeOffsetPower(of: .h))

        contributions = [
            Cr.value(), Cu.value(), witness.accumulator.value, cr.value(), nu.value(), one.value(),
        ]
        alphaRandomizer = alpha
        self.witness = witness
        (self.r2, self.r3) = (r2, r3)
        (betaRandomizer, deltaRandomizer) = (beta, delta)
        (epsilonRandomizer, zetaRandomizer) = (epsilon, zeta)
    }

    /// x^ = x~ + c·x for β = e·r2, δ = e·r3, ε = r2 and ζ = r3.
    func proof(challenge c: BigInteger) -> NonRevocationProof {
        NonRevocationProof(
            Cr: contributions[0],
            Cu: contributions[1],
            responses: NonRevocationProof.Responses(
                beta: betaRandomizer + c * witness.e * r2,
                delta: deltaRandomizer + c * witness.e * r3,
                epsilon: epsilonRandomizer + c * r2,
                zeta: zetaRandomizer + c * r3
            ),
            signedAccumulator: witness.signedAccumulator
        )
    }
}
