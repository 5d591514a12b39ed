import CryptoCore
import IdemixCore

/// A proof that the numbers of four commitments satisfy a·b = c modulo m, with a quotient that is not too long.
///
/// With the quotient k in a commitment of its own it proves C = B^a·M^(−k)·h^y.
struct MultiplicationProof: Sendable {
    /// The commitment to k.
    var quotient = PedersenProof()
    /// The response for y.
    var hiderResponse = BigInteger.zero
    /// The interval of k.
    var interval = IntervalProof()

    /// The secrets of a prover.
    struct Secrets: Sendable {
        let quotient: Opening
        let hider: Scalar
    }

    /// The names of the secrets in the JSON.
    struct Name {
        /// The name of k.
        let quotient: String

        /// The name for a proof about four names.
        init(_ a: String, _ b: String, modulus: String, result: String) {
            quotient = "\(a)_\(b)_\(modulus)_\(result)_mul_mod"
        }
    }
}

extension MultiplicationProof.Secrets {
    /// Computes y of a·b = c + k·m, given k.
    init(
        _ a: Opening,
        _ b: Opening,
        modulus: Opening,
        result: Opening,
        quotient: LimbBuffer,
        _ group: ProofGroup,
        using randomness: some RandomSource
    ) {
        self.quotient = Opening(of: quotient, group, using: randomness)
        let difference = group.difference(result.hider, group.product(a.value, b.hider))
        hider = group.sum(difference, group.product(self.quotient.value, modulus.hider))
    }
}

extension MultiplicationProof {
    /// Draws the randomizers.
    init(_ secrets: Secrets, bits: Int, _ group: ProofGroup, using randomness: some RandomSource) {
        quotient = PedersenProof(secrets.quotient, group, using: randomness)
        hiderResponse = .random(below: group.order, using: randomness)
        interval = IntervalProof(randomizing: bits, group, using: randomness)
    }

    /// The proof with responses in the place of its randomizers.
    func responding(to challenge: LimbBuffer, _ secrets: Secrets, bits: Int, _ group: ProofGroup) -> Self {
        MultiplicationProof(
            quotient: quotient.responding(to: challenge, secrets.quotient, group),
            hiderResponse: group.response(hiderResponse, challenge, secrets.hider),
            interval: interval.responding(to: challenge, secrets.quotient, bits: bits, group)
        )
    }

    /// Appends the commitments, given the response for a and the commitments to b, m and c.
    func append(
        to part: inout FiatShamirPart,
        factorResponse: BigInteger,
        base: BigInteger,
        modulus: BigInteger,
        result: BigInteger,
        bits: Int,
        _ group: ProofGroup,
        _ challenge: BigInteger
    ) {
        quotient.append(to: &part, group, challenge)
        part.append(
            group.commitment(
                result,
                challenge,
                [
                    (.element(base), factorResponse),
                    (.element(modulus), group.negative(quotient.valueResponse)),
                    (.h, hiderResponse),
                ]
            )
        )
        interval.append(
            to: &part,
            Interval(base: .g, commitment: quotient.commitment, bits: bits),
            group,
            LimbBuffer(challenge, bits: ProofGroup.challengeBits)
        )
    }

    /// Refuses numbers that no honest prover sends.
    func validate(bits: Int, _ group: ProofGroup) throws(CheckFault) {
        try quotient.validate(group)
        try group.validate(scalars: [hiderResponse])
        try interval.validate(bits: bits, group)
    }
}

// On the wire.
extension MultiplicationProof {
    init(reading reader: inout ProofReader, _ shape: KeyProofShape, _ name: Name, bits: Int) throws(IdemixError) {
        var proof = MultiplicationProof()
        try reader.object(["ModMultProof", "Hider", "RangeProof"]) { reader, member throws(IdemixError) in
            switch member {
            case 0: proof.quotient = try PedersenProof(reading: &reader, shape)
            case 1: proof.hiderResponse = try reader.result(bits: shape.groupBits)
            default: proof.interval = try IntervalProof(reading: &reader, shape, of: name.quotient, bits: bits)
            }
        }
        self = proof
    }

    func write<Failure>(to writer: inout ProofWriter<Failure>, _ name: Name) throws(Failure) {
        try writer.object { writer throws(Failure) in
            try writer.name("ModMultProof")
            try quotient.write(to: &writer)
            try writer.result("Hider", hiderResponse)
            try writer.name("RangeProof")
            try interval.write(to: &writer, of: name.quotient)
        }
    }
}
