import IdemixCore

/// A proof that an issuer's public key is well formed: its modulus n is the product of two safe primes p = 2p' + 1 and
/// q = 2q' + 1, and its bases are squares modulo n.
///
/// It reveals nothing else about p and q. A verified proof rules out a key that was made to trace holders. The proof takes
/// no part in any session; it is published beside the key.
///
/// The proof is that of Camenisch and Michels, "Proving in zero-knowledge that a number is the product of two safe primes"
/// (section 5.2), with the proofs of Gennaro, Micciancio and Rabin for the modulus, as the Go library gabi makes it.
public struct KeyProof: Sendable {
    /// The lengths of the key that the proof was made or read for.
    let shape: KeyProofShape
    /// The prime Γ of the group of the commitments.
    var groupPrime = BigInteger.zero
    /// The hash of all commitments.
    var challenge = BigInteger.zero
    var pPrime = PedersenProof()
    var qPrime = PedersenProof()
    var p = PedersenProof()
    var q = PedersenProof()
    /// The response for the exponent that hides in n = p·q.
    var productResponse = BigInteger.zero
    var pPrimePrimality = PrimalityProof()
    var qPrimePrimality = PrimalityProof()
    var modulus = ModulusProof()
    var squares = SquaresProof()
}

// The commitments.
extension KeyProof {
    /// The parts of the hash, in their order.
    ///
    /// - Parameters:
    ///   - statement: The statement, of the proof's shape.
    ///   - group: The group, with the proof's prime.
    ///   - challenge: The challenge; zero for the prover, whose proof has randomizers in place of responses.
    func parts(_ statement: KeyStatement, _ group: ProofGroup, _ challenge: BigInteger) -> [HashJob] {
        let bits = shape.primeBits
        var jobs = [pPrime, qPrime, p, q].map { proof in
            HashJob { proof.append(to: &$0, group, challenge) }
        }
        jobs.append(HashJob { appendRelations(to: &$0, statement, group, challenge) })
        jobs += pPrimePrimality.parts(pPrime, bits: bits, group, challenge)
        jobs += qPrimePrimality.parts(qPrime, bits: bits, group, challenge)
        jobs.append(HashJob { part in for commitment in modulus.commitments { part.append(commitment) } })
        return jobs + squares.parts(statement, group, challenge)
    }

    /// Γ and n, and the relations p = 2p' + 1, q = 2q' + 1 and n = p·q.
    private func appendRelations(
        to part: inout FiatShamirPart,
        _ statement: KeyStatement,
        _ group: ProofGroup,
        _ challenge: BigInteger
    ) {
        part.append(groupPrime)
        part.append(statement.n)
        for (prime, half) in [(p, pPrime), (q, qPrime)] {
            // P·P'^-2·g^-1 = h^(y_P − 2·y_P').
            let left = group.quotient(
                [prime.commitment],
                [half.commitment, half.commitment, group.powerOfG(1)]
            )
            let right = [prime.hiderResponse, group.negative(half.hiderResponse, times: 2)]
            part.append(group.commitment(left, challenge, right.map { (.h, $0) }))
        }
        // g^n = P^q·h^-y.
        part.append(
            group.commitment(
                group.powerOfG(statement.n),
                challenge,
                [(.element(p.commitment), q.valueResponse), (.h, group.negative(productResponse))]
            )
        )
    }
}
