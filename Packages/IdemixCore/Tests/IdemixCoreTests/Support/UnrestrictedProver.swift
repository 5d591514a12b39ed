import CryptoCore
import IdemixCore
import TestSupport

/// A prover whose proofs fulfill the equations, with any structure and numbers of any size.
struct UnrestrictedProver {
    let world: TestWorld
    let credential: IdemixCredential

    /// The order of the group, p'·q'.
    var order: BigInteger { Self.order(of: world.keys) }

    static func order(of keys: IdemixIssuerKeyPair) -> BigInteger {
        let (p, q) = keys.privateKey.factors
        return half(p) * half(q)
    }

    private static func half(_ prime: BigInteger) -> BigInteger {
        let two = BigInteger(2)
        // For an odd prime, (prime − 1)/2 is −1/2 modulo the prime.
        return (prime - (two.inverse(modulo: prime) ?? 0)).modulo(prime)
    }

    private var publicKey: IdemixIssuerPublicKey { world.publicKey }
    private var n: BigInteger { publicKey.elements.n }

    /// A proof with any sets of indices: for each base the disclosed and the hidden integer together make up the
    /// credential's.
    ///
    /// - Parameter changingA: The change of A' before it is hashed; its remainder modulo n must stay the same.
    func prove(
        disclosed: [Int: BigInteger],
        hidden: [Int: BigInteger],
        nonce: BigInteger = 42,
        changingA: (BigInteger) -> BigInteger = { $0 }
    ) -> IdemixDisclosureProof {
        let parameters = publicKey.parameters
        let (signature, randomness) = (credential.signature, world.randomness)
        let r = BigInteger.random(bits: parameters.signatureRandomizer, using: randomness)
        let A = changingA((signature.A * power(publicKey.elements.S, r)).modulo(n))
        let eRandomizer = BigInteger.random(bits: parameters.eCommitment, using: randomness)
        let vRandomizer = BigInteger.random(bits: parameters.vCommitment, using: randomness)
        let randomizers = hidden.mapValues { _ in
            BigInteger.random(bits: parameters.attributeCommitment, using: randomness)
        }
        var commitment = power(A, eRandomizer) * power(publicKey.elements.S, vRandomizer)
        for (index, randomizer) in randomizers {
            commitment = (commitment * power(publicKey.elements.R[index], randomizer)).modulo(n)
        }
        let c = IdemixChallenge(nonce: nonce).hash(of: [A, commitment.modulo(n)])
        return IdemixDisclosureProof(
            challenge: c,
            A: A,
            eResponse: eRandomizer + c * (signature.e - .powerOfTwo(parameters.e - 1)),
            vResponse: vRandomizer + c * (signature.v - signature.e * r),
            attributeResponses: hidden.reduce(into: [:]) { $0[$1.key] = (randomizers[$1.key] ?? 0) + c * $1.value },
            disclosedAttributes: disclosed
        )
    }

    /// Returns `true` if the proof is right but for the rules: its challenge is the hash of
    /// Z^(−c) · A^(e^ + c·2^(l_e − 1)) · S^(v^) · ∏ R_i^(a_i^) · ∏ R_i^(c·a_i).
    func equationHolds(_ proof: IdemixDisclosureProof, nonce: BigInteger = 42) -> Bool {
        let (c, elements) = (proof.challenge, publicKey.elements)
        var product = power(elements.Z, -c)
        product = product * power(proof.A, proof.eResponse + c * .powerOfTwo(publicKey.parameters.e - 1))
        product = product * power(elements.S, proof.vResponse)
        for (index, response) in proof.attributeResponses { product = product * power(elements.R[index], response) }
        for (index, attribute) in proof.disclosedAttributes {
            product = product * power(elements.R[index], c * attribute)
        }
        let contributions = [proof.A, product.modulo(n)]
        return c == IdemixChallenge(nonce: nonce).hash(of: contributions)
    }

    /// The same for the proof about a commitment: U^(−c) · S^(v'^) · R_0^(s^) · ∏ R_i^(m'_i^).
    func equationHolds(_ proof: IssuanceCommitmentProof, nonce: BigInteger = 42) -> Bool {
        let elements = publicKey.elements
        var product = power(proof.U, -proof.challenge) * power(elements.S, proof.vPrimeResponse)
        product = product * power(elements.R[0], proof.secretKeyResponse)
        for (index, response) in proof.attributeResponses { product = product * power(elements.R[index], response) }
        let contributions = [proof.U, product.modulo(n)]
        let hash = IdemixChallenge(nonce: nonce).hash(of: contributions)
        return proof.challenge == hash
    }

    /// base^exponent mod n for an exponent of either sign; zero where there is no inverse.
    private func power(_ base: BigInteger, _ exponent: BigInteger) -> BigInteger {
        guard exponent.isNegative else { return base.power(exponent, modulo: n) }
        return base.inverse(modulo: n)?.power(-exponent, modulo: n) ?? 0
    }
}
