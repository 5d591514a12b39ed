import CryptoCore
import IdemixCore

/// A proof that the secret x in X = b^x·h^y is not much longer than a number of bits, where b is g or a commitment.
///
/// Each of 80 rounds has one bit of the challenge. The answer of a round is r for a bit of 0 and r + 1 − x for 1, with
/// 2^(l + 257) added, for a random r of −2^(l + 256) ..< 2^(l + 256).
struct IntervalProof: Sendable {
    /// The number of rounds.
    static let rounds = 80

    /// The answers for x.
    var values = NumberRow()
    /// The answers for y.
    var hiders = NumberRow()
}

/// The statement of an ``IntervalProof``: its base, its commitment, and the length of the secret.
struct Interval {
    /// The base b of the secret number.
    let base: ProofGroup.Base
    /// The commitment X.
    let commitment: BigInteger
    /// The length l of the secret number.
    let bits: Int

    /// The length of an answer for a secret number.
    static func answerBits(_ bits: Int) -> Int { bits + GroupPrime.hidingBits + 2 }

    /// The number that is added to an answer for a secret number.
    fileprivate var offset: BigInteger { .powerOfTwo(bits + GroupPrime.hidingBits + 1) }
}

extension IntervalProof {
    /// Draws the randomizers of all rounds; they look like the answers.
    init(randomizing bits: Int, _ group: ProofGroup, using randomness: some RandomSource) {
        let least = BigInteger.powerOfTwo(bits + GroupPrime.hidingBits)
        let answerBits = Interval.answerBits(bits)
        values = NumberRow(
            (0..<Self.rounds).map { _ in
                LimbBuffer(least + .random(bits: answerBits - 1, using: randomness), bits: answerBits)
            },
            bits: answerBits
        )
        hiders = NumberRow(
            (0..<Self.rounds).map { _ in group.randomScalar(using: randomness) },
            bits: group.orderBits
        )
    }

    /// The proof with answers in the place of its randomizers.
    func responding(to challenge: LimbBuffer, _ opening: Opening, bits: Int, _ group: ProofGroup) -> IntervalProof {
        let one = group.scalar(.one)
        let (value, hider) = (group.difference(one, opening.value), group.negated(opening.hider))
        func answers(_ randomizers: NumberRow, _ addend: Scalar, bits: Int) -> NumberRow {
            let answers = (0..<Self.rounds).map { round in
                // Modulo o, which is above every answer.
                let addend = LimbBuffer(challenge.bit(round) * addend, count: group.limbCount)
                return group.sum(LimbBuffer(randomizers[round], count: group.limbCount), addend)
            }
            return NumberRow(answers, bits: bits)
        }
        return IntervalProof(
            values: answers(values, value, bits: Interval.answerBits(bits)),
            hiders: answers(hiders, hider, bits: group.orderBits)
        )
    }

    /// Appends the commitment of each round: X^bit·b^(answer − 2^(l + 257) − bit)·h^answer.
    func append(
        to part: inout FiatShamirPart,
        _ interval: Interval,
        _ group: ProofGroup,
        _ challenge: LimbBuffer
    ) {
        let answerBits = Interval.answerBits(interval.bits)
        let factors = roundFactors(interval, group)
        for round in 0..<Self.rounds {
            var product = PowerProduct(group.modulus, timing: group.timing)
            product.multiply(oneOf: factors, second: challenge.bit(round))
            group.multiply(&product, interval.base, values[round].number, bits: answerBits)
            group.multiply(&product, .h, hiders[round].number, bits: group.orderBits)
            part.append(product.value())
        }
    }

    /// The factors that all rounds with the same bit share: b^(−2^(l + 257)), and X·b^(−2^(l + 257) − 1).
    private func roundFactors(_ interval: Interval, _ group: ProofGroup) -> ResiduePair {
        func power(_ exponent: BigInteger) -> BigInteger {
            var product = PowerProduct(group.modulus, timing: .variable)
            group.multiply(&product, interval.base, exponent.modulo(group.order), bits: group.orderBits)
            return product.value()
        }
        let first = power(.zero - interval.offset)
        let second = group.quotient([interval.commitment, power(.zero - interval.offset - 1)])
        return ResiduePair(
            group.modulus.residue(of: first),
            group.modulus.residue(of: second),
            modulus: group.modulus
        )
    }

    /// Refuses answers that are too long; those for x were measured when they were read.
    func validate(bits: Int, _ group: ProofGroup) throws(CheckFault) {
        guard values.count == Self.rounds, hiders.count == Self.rounds,
            values.numbers.allSatisfy({ $0.bitCount <= Interval.answerBits(bits) })
        else { throw .failed(.invalidProof, "an answer about an interval is out of its range") }
        try group.validate(scalars: hiders.numbers)
    }
}

// On the wire: an object by the names of the secrets.
extension IntervalProof {
    init(
        reading reader: inout ProofReader,
        _ shape: KeyProofShape,
        value: String,
        hider: String,
        bits: Int
    ) throws(IdemixError) {
        var proof = IntervalProof()
        try reader.object(["Results"]) { reader, _ throws(IdemixError) in
            try reader.object([value, hider]) { reader, member throws(IdemixError) in
                switch member {
                case 0: proof.values = try reader.row(count: Self.rounds, bits: Interval.answerBits(bits))
                default: proof.hiders = try reader.row(count: Self.rounds, bits: shape.groupBits)
                }
            }
        }
        self = proof
    }

    /// Reads the proof about the number of a commitment with a name.
    init(
        reading reader: inout ProofReader,
        _ shape: KeyProofShape,
        of name: String,
        bits: Int
    ) throws(IdemixError) {
        try self.init(reading: &reader, shape, value: name, hider: name + "_hider", bits: bits)
    }

    /// The names are written in the order of their bytes, as Go does.
    func write<Failure>(
        to writer: inout ProofWriter<Failure>,
        value: String,
        hider: String
    ) throws(Failure) {
        try writer.object { writer throws(Failure) in
            try writer.name("Results")
            try writer.object { writer throws(Failure) in
                let members = [(value, values), (hider, hiders)]
                for (name, row) in value < hider ? members : members.reversed() {
                    try writer.member(name, row.numbers)
                }
            }
        }
    }

    func write<Failure>(to writer: inout ProofWriter<Failure>, of name: String) throws(Failure) {
        try write(to: &writer, value: name, hider: name + "_hider")
    }
}
