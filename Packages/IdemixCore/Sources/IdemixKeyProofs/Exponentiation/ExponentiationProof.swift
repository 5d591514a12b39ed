import CryptoCore
import IdemixCore

/// A proof that a^e = r modulo m for numbers in commitments, bit by bit of e.
struct ExponentiationProof: Sendable {
    /// The bits e_i.
    var bits: [PedersenProof] = []
    /// The response for the exponent that hides Σ e_i·2^i − e.
    var bitSumResponse = BigInteger.zero
    /// The powers a^(2^i).
    var powers: [PedersenProof] = []
    var powerIntervals: [IntervalProof] = []
    /// a^(2^0) = 1·a, and a^(2^i) = a^(2^(i − 1)) squared.
    var powerRelations: [MultiplicationProof] = []
    /// The number 1.
    var start = PedersenProof()
    /// The results after every bit but the last one.
    var results: [PedersenProof] = []
    var resultIntervals: [IntervalProof] = []
    var steps: [ExponentStepProof] = []

    /// The names of the secrets in the JSON.
    struct Name {
        private let base: String
        private let modulus: String
        private let result: String
        private let own: String
        private let bitCount: Int

        init(base: String, exponent: String, modulus: String, result: String, bitCount: Int) {
            self.base = base
            self.modulus = modulus
            self.result = result
            self.bitCount = bitCount
            own = "\(base)_\(exponent)_\(modulus)_\(result)_exp"
        }

        func power(_ position: Int) -> String { "\(own)_base_\(position)" }

        /// The result after a bit.
        func result(_ position: Int) -> String {
            position < 0 ? start : position < bitCount - 1 ? "\(own)_inter_\(position)" : result
        }

        private var start: String { "\(own)_start" }

        func powerRelation(_ position: Int) -> MultiplicationProof.Name {
            let factors = position == 0 ? (start, base) : (power(position - 1), power(position - 1))
            return .init(factors.0, factors.1, modulus: modulus, result: power(position))
        }

        func step(_ position: Int) -> MultiplicationProof.Name {
            .init(power(position), result(position - 1), modulus: modulus, result: result(position))
        }
    }
}

/// The commitments that an ``ExponentiationProof`` is about.
struct Exponentiation {
    let base: BigInteger
    let exponent: BigInteger
    let modulus: BigInteger
    let result: BigInteger
}

// The commitments.
extension ExponentiationProof {
    /// The parts of the hash, in their order, each of which can be computed for itself.
    func parts(
        _ statement: Exponentiation,
        bits: Int,
        _ group: ProofGroup,
        _ challenge: BigInteger
    ) -> [HashJob] {
        let bounds = LimbBuffer(challenge, bits: ProofGroup.challengeBits)
        func interval(_ proof: IntervalProof, _ commitment: BigInteger) -> HashJob {
            let interval = Interval(base: .g, commitment: commitment, bits: bits)
            return HashJob { proof.append(to: &$0, interval, group, bounds) }
        }
        var jobs = (self.bits + powers + [start] + results).map { proof in
            HashJob { proof.append(to: &$0, group, challenge) }
        }
        jobs.append(HashJob { $0.append(bitSum(statement, group, challenge)) })
        jobs += zip(powerIntervals, powers).map { interval($0, $1.commitment) }
        jobs += powerRelations.indices.map { position in
            HashJob { appendPowerRelation(position, to: &$0, statement, bits: bits, group, challenge) }
        }
        jobs.append(HashJob { $0.append(startRelation(group, challenge)) })
        jobs += zip(resultIntervals, results).map { interval($0, $1.commitment) }
        jobs += steps.indices.map { position in
            HashJob { steps[position].append(to: &$0, step(position, statement), bits: bits, group) }
        }
        return jobs
    }

    /// E^-1·∏ E_i^(2^i) = h^y.
    private func bitSum(_ statement: Exponentiation, _ group: ProofGroup, _ challenge: BigInteger) -> BigInteger {
        let product = bits.reversed().reduce(BigInteger.one) { product, bit in
            group.quotient([product, product, bit.commitment])
        }
        let left = group.quotient([product], [statement.exponent])
        return group.commitment(left, challenge, [(.h, bitSumResponse)])
    }

    /// Start·g^-1 = h^y.
    private func startRelation(_ group: ProofGroup, _ challenge: BigInteger) -> BigInteger {
        let left = group.quotient([start.commitment], [group.powerOfG(1)])
        return group.commitment(left, challenge, [(.h, start.hiderResponse)])
    }

    private func appendPowerRelation(
        _ position: Int,
        to part: inout FiatShamirPart,
        _ statement: Exponentiation,
        bits: Int,
        _ group: ProofGroup,
        _ challenge: BigInteger
    ) {
        powerRelations[position].append(
            to: &part,
            factorResponse: position == 0 ? start.valueResponse : powers[position - 1].valueResponse,
            base: position == 0 ? statement.base : powers[position - 1].commitment,
            modulus: statement.modulus,
            result: powers[position].commitment,
            bits: bits,
            group,
            challenge
        )
    }

    private func step(_ position: Int, _ statement: Exponentiation) -> ExponentStep {
        ExponentStep(
            bit: bits[position].commitment,
            before: position == 0 ? start.commitment : results[position - 1].commitment,
            after: position == steps.count - 1 ? statement.result : results[position].commitment,
            factor: powers[position].commitment,
            modulus: statement.modulus
        )
    }

    /// Refuses numbers that no honest prover sends.
    func validate(_ challenge: BigInteger, bits: Int, _ group: ProofGroup) throws(CheckFault) {
        try group.validate(scalars: [bitSumResponse])
        for proof in self.bits + powers + [start] + results { try proof.validate(group) }
        for proof in powerIntervals + resultIntervals { try proof.validate(bits: bits, group) }
        for proof in powerRelations { try proof.validate(bits: bits, group) }
        for proof in steps { try proof.validate(challenge, bits: bits, group) }
    }

    /// The number of steps whose factor is in another commitment than the power of the base.
    var unboundStepCount: Int {
        zip(steps, powers).count { $0.multiplying.factor.commitment != $1.commitment }
    }
}

// On the wire.
extension ExponentiationProof {
    init(reading reader: inout ProofReader, _ shape: KeyProofShape, _ name: Name) throws(IdemixError) {
        let bits = shape.primeBits
        var proof = ExponentiationProof()
        func openings(_ reader: inout ProofReader, _ count: Int) throws(IdemixError) -> [PedersenProof] {
            try reader.array(count: count) { reader, _ throws(IdemixError) in
                try PedersenProof(reading: &reader, shape)
            }
        }
        func intervals(
            _ reader: inout ProofReader,
            _ count: Int,
            _ name: (Int) -> String
        ) throws(IdemixError) -> [IntervalProof] {
            try reader.array(count: count) { reader, position throws(IdemixError) in
                try IntervalProof(reading: &reader, shape, of: name(position), bits: bits)
            }
        }
        try reader.object(Self.members) { reader, member throws(IdemixError) in
            switch member {
            case 0: proof.bits = try openings(&reader, bits)
            case 1: proof.bitSumResponse = try reader.result(bits: shape.groupBits)
            case 2: proof.powers = try openings(&reader, bits)
            case 3: proof.powerIntervals = try intervals(&reader, bits, name.power)
            case 4:
                proof.powerRelations = try reader.array(count: bits) { reader, position throws(IdemixError) in
                    try MultiplicationProof(reading: &reader, shape, name.powerRelation(position), bits: bits)
                }
            case 5: proof.start = try PedersenProof(reading: &reader, shape)
            case 6: proof.results = try openings(&reader, bits - 1)
            case 7: proof.resultIntervals = try intervals(&reader, bits - 1, name.result)
            default:
                proof.steps = try reader.array(count: bits) { reader, position throws(IdemixError) in
                    try ExponentStepProof(reading: &reader, shape, name.step(position))
                }
            }
        }
        self = proof
    }

    private static let members = [
        "ExpBitProofs", "ExpBitEqHider", "BasePowProofs", "BasePowRangeProofs", "BasePowRelProofs", "StartProof",
        "InterResProofs", "InterResRangeProofs", "InterStepsProofs",
    ]

    func write<Failure>(to writer: inout ProofWriter<Failure>, _ name: Name) throws(Failure) {
        func openings(_ writer: inout ProofWriter<Failure>, _ member: String, _ proofs: [PedersenProof]) throws(Failure)
        {
            try writer.name(member)
            try writer.array(proofs) { writer, _, proof throws(Failure) in try proof.write(to: &writer) }
        }
        try writer.object { writer throws(Failure) in
            try openings(&writer, "ExpBitProofs", bits)
            try writer.result("ExpBitEqHider", bitSumResponse)
            try openings(&writer, "BasePowProofs", powers)
            try writer.name("BasePowRangeProofs")
            try writer.array(powerIntervals) { writer, position, proof throws(Failure) in
                try proof.write(to: &writer, of: name.power(position))
            }
            try writer.name("BasePowRelProofs")
            try writer.array(powerRelations) { writer, position, proof throws(Failure) in
                try proof.write(to: &writer, name.powerRelation(position))
            }
            try writer.name("StartProof")
            try start.write(to: &writer)
            try openings(&writer, "InterResProofs", results)
            try writer.name("InterResRangeProofs")
            try writer.array(resultIntervals) { writer, position, proof throws(Failure) in
                try proof.write(to: &writer, of: name.result(position))
            }
            try writer.name("InterStepsProofs")
            try writer.array(steps) { writer, position, proof throws(Failure) in
                try proof.write(to: &writer, name.step(position))
            }
        }
    }
}
