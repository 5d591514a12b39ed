import CredentialTesting
import CryptoCore
import IdemixCore
import TestSupport

/// A wallet that computes and sends its disclosures as the Go wallet does.
///
/// It follows the equations and does not use this module's prover, for states that no recorded session reaches.
struct PeerWallet {
    let publicKey: IdemixIssuerPublicKey
    let credential: IdemixCredential
    let secretKey: IdemixHolderSecretKey
    let randomness: GeneratorRandomSource<RepeatableRandomNumberGenerator>

    private var n: BigInteger { publicKey.elements.n }

    /// A commitment about revocation that was prepared ahead of a session.
    struct Prepared {
        fileprivate let r2, r3, alpha, beta, delta, epsilon, zeta: BigInteger
        /// C_r, C_u, ν and the commitments to the three relations.
        fileprivate(set) var contributions: [BigInteger]
        fileprivate var witness: ReceivedWitness

        /// C_u as it is sent.
        var Cu: BigInteger { contributions[1] }
    }

    /// Commits for the credential's witness, with C_u reduced modulo n.
    func prepare(_ witness: RevocationWitness) -> Prepared {
        // A random number below a quarter of n, or longer than that by `bits` bits.
        func random(_ bits: Int) -> BigInteger { .random(bits: n.bitCount - 3 + bits, using: randomness) }
        let (r2, r3) = (random(0), random(0))
        let (beta, delta, epsilon, zeta) = (random(579), random(579), random(384), random(384))
        let alpha = BigInteger.random(bits: 579, using: randomness)
        let Cr = product([(g, r2), (h, r3)])
        var prepared = Prepared(
            r2: r2,
            r3: r3,
            alpha: alpha,
            beta: beta,
            delta: delta,
            epsilon: epsilon,
            zeta: zeta,
            contributions: [
                Cr, 0, 0, product([(g, epsilon), (h, zeta)]), 0, product([(Cr, alpha), (g, -beta), (h, -delta)]),
            ],
            witness: witness.message
        )
        adopt(witness, Cu: (witness.message.u * power(h, r2)).modulo(n), in: &prepared)
        return prepared
    }

    /// Moves a prepared commitment to a newer accumulator: C_u is the product u·H^r2, not reduced.
    func move(_ prepared: inout Prepared, to witness: RevocationWitness) {
        adopt(witness, Cu: witness.message.u * power(h, prepared.r2), in: &prepared)
    }

    /// Takes over an accumulator that was only signed again: the commitments stay, with C_u among them.
    func redate(_ prepared: inout Prepared, to witness: RevocationWitness) {
        prepared.witness = witness.message
    }

    private func adopt(_ witness: RevocationWitness, Cu: BigInteger, in prepared: inout Prepared) {
        prepared.witness = witness.message
        prepared.contributions[1] = Cu
        prepared.contributions[2] = witness.accumulator.value
        prepared.contributions[4] = product([(Cu, prepared.alpha), (h, -prepared.beta)])
    }

    /// Shows the metadata and proves that the credential, with the revocation attribute at an index, is not revoked.
    ///
    /// - Parameters:
    ///   - keyshareCommitment: The keyshare server's R_0^ρ, if it takes part.
    ///   - challenge: The challenge of the contributions: by default their hash with the nonce 42.
    func prove(
        _ prepared: Prepared,
        revocationIndex: Int,
        keyshareCommitment: BigInteger = 1,
        challenge: ([BigInteger]) -> BigInteger = {
            IdemixChallenge(nonce: 42).hash(of: $0)
        }
    ) -> IdemixDisclosureProof {
        let (parameters, signature) = (publicKey.parameters, credential.signature)
        func random(_ bits: Int) -> BigInteger { .random(bits: bits, using: randomness) }
        let r = random(parameters.signatureRandomizer)
        let A = product([(signature.A, 1), (publicKey.elements.S, r)])
        let (e, v) = (random(parameters.eCommitment), random(parameters.vCommitment))
        var randomizers = [0: random(IdemixSystemParameters.Common.secretKeyRandomizer)]
        for index in 2...credential.attributes.count { randomizers[index] = random(parameters.attributeCommitment) }
        randomizers[revocationIndex] = prepared.alpha
        let factors = randomizers.map { (publicKey.elements.R[$0.key], $0.value) }
        let Z = product([(A, e), (publicKey.elements.S, v), (keyshareCommitment, 1)] + factors)
        let c = challenge([A, Z] + prepared.contributions)
        var responses: [Int: BigInteger] = [:]
        for (index, randomizer) in randomizers {
            let value = index == 0 ? secretKey.secretInteger : credential.attributes[index - 1]
            responses[index] = randomizer + c * value
        }
        let prime = prepared.witness.e
        return IdemixDisclosureProof(
            challenge: c,
            A: A,
            eResponse: e + c * (signature.e - .powerOfTwo(parameters.e - 1)),
            vResponse: v + c * (signature.v - signature.e * r),
            attributeResponses: responses,
            disclosedAttributes: [1: credential.attributes[0]],
            nonRevocation: NonRevocationProof(
                Cr: prepared.contributions[0],
                Cu: prepared.Cu,
                responses: NonRevocationProof.Responses(
                    beta: prepared.beta + c * prime * prepared.r2,
                    delta: prepared.delta + c * prime * prepared.r3,
                    epsilon: prepared.epsilon + c * prepared.r2,
                    zeta: prepared.zeta + c * prepared.r3
                ),
                signedAccumulator: prepared.witness.signedAccumulator
            )
        )
    }

    private var g: BigInteger { publicKey.elements.G ?? 0 }
    private var h: BigInteger { publicKey.elements.H ?? 0 }

    private func product(_ factors: [(base: BigInteger, exponent: BigInteger)]) -> BigInteger {
        factors.reduce(1) { ($0 * power($1.base, $1.exponent)).modulo(n) }
    }

    /// base^exponent mod n for an exponent of either sign; zero without an inverse.
    private func power(_ base: BigInteger, _ exponent: BigInteger) -> BigInteger {
        guard exponent.isNegative else { return base.power(exponent, modulo: n) }
        return base.inverse(modulo: n)?.power(-exponent, modulo: n) ?? 0
    }
}
