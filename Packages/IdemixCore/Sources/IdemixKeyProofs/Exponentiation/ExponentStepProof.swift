import CryptoCore
import IdemixCore

/// A proof about one bit of an exponentiation: either it is 0 and the result stays, or it is 1 and the result is
/// multiplied by a power of the base.
///
/// The prover knows the secrets of one alternative and simulates the other. The challenges of both combine to the challenge of
/// the whole by exclusive or.
struct ExponentStepProof: Sendable {
    /// The alternative of a bit that is 0.
    struct Copying: Sendable {
        var challenge = BigInteger.zero
        /// The response for the exponent that hides the bit.
        var bitResponse = BigInteger.zero
        /// The response for the difference of the exponents that hide the results.
        var hiderResponse = BigInteger.zero
    }

    /// The alternative of a bit that is 1.
    struct Multiplying: Sendable {
        var challenge = BigInteger.zero
        /// The commitment to the factor once more, with responses of this alternative.
        var factor = PedersenProof()
        /// The response for the exponent that hides the bit.
        var bitResponse = BigInteger.zero
        var multiplication = MultiplicationProof()
    }

    var copying = Copying()
    var multiplying = Multiplying()

    /// The secrets of a prover.
    struct Secrets: Sendable {
        let bit: Opening
        /// The difference of the exponents that hide the results before and after.
        let resultHider: Scalar
        let factor: Opening
        let multiplication: MultiplicationProof.Secrets
        /// The challenge of the simulated alternative.
        let simulated: LimbBuffer

        /// 1 if the result stays.
        private var isCopying: LimbBuffer { LimbBuffer(bit.value, count: 1) ^ LimbBuffer(.one, count: 1) }
        private var isMultiplying: LimbBuffer { LimbBuffer(bit.value, count: 1) }

        /// The challenges under which the randomizers are committed to: zero for the known alternative.
        fileprivate var firstChallenges: (copying: LimbBuffer, multiplying: LimbBuffer) {
            (isMultiplying * simulated, isCopying * simulated)
        }

        /// The challenges of the alternatives under that of the whole.
        fileprivate func challenges(_ challenge: LimbBuffer) -> (copying: LimbBuffer, multiplying: LimbBuffer) {
            (simulated ^ (isCopying * challenge), simulated ^ (isMultiplying * challenge))
        }

        /// The challenges to respond to: zero for the simulated alternative, whose responses are the randomizers.
        fileprivate func openChallenges(_ challenge: LimbBuffer) -> (copying: LimbBuffer, multiplying: LimbBuffer) {
            let open = simulated ^ challenge
            return (isCopying * open, isMultiplying * open)
        }
    }
}

/// The commitments that a step is about.
struct ExponentStep {
    /// The commitment to the bit.
    let bit: BigInteger
    /// The commitment to the result before the step.
    let before: BigInteger
    /// The commitment to the result after the step.
    let after: BigInteger
    /// The commitment to the power of the base.
    let factor: BigInteger
    /// The commitment to the modulus.
    let modulus: BigInteger
}

extension ExponentStepProof {
    /// Draws the randomizers of both alternatives, which look like responses.
    init(
        _ secrets: Secrets,
        factor: BigInteger,
        bits: Int,
        _ group: ProofGroup,
        using randomness: some RandomSource
    ) {
        let first = secrets.firstChallenges
        copying = Copying(
            challenge: first.copying.number,
            bitResponse: .random(below: group.order, using: randomness),
            hiderResponse: .random(below: group.order, using: randomness)
        )
        multiplying = Multiplying(
            challenge: first.multiplying.number,
            // The same commitment whatever the bit is: another one would tell which alternative is simulated.
            factor: PedersenProof(commitment: factor, randomizedBy: group, using: randomness),
            bitResponse: .random(below: group.order, using: randomness),
            multiplication: MultiplicationProof(secrets.multiplication, bits: bits, group, using: randomness)
        )
    }

    /// The proof with responses in the place of the randomizers of the known alternative.
    func responding(to challenge: LimbBuffer, _ secrets: Secrets, bits: Int, _ group: ProofGroup) -> Self {
        let (challenges, open) = (secrets.challenges(challenge), secrets.openChallenges(challenge))
        var proof = self
        proof.copying = Copying(
            challenge: challenges.copying.number,
            bitResponse: group.response(copying.bitResponse, open.copying, secrets.bit.hider),
            hiderResponse: group.response(copying.hiderResponse, open.copying, secrets.resultHider)
        )
        proof.multiplying = Multiplying(
            challenge: challenges.multiplying.number,
            factor: multiplying.factor.responding(to: open.multiplying, secrets.factor, group),
            bitResponse: group.response(multiplying.bitResponse, open.multiplying, secrets.bit.hider),
            multiplication: multiplying.multiplication.responding(
                to: open.multiplying,
                secrets.multiplication,
                bits: bits,
                group
            )
        )
        return proof
    }

    /// Appends the commitments of both alternatives.
    func append(to part: inout FiatShamirPart, _ step: ExponentStep, bits: Int, _ group: ProofGroup) {
        let generator = group.powerOfG(1)
        part.append(group.commitment(step.bit, copying.challenge, [(.h, copying.bitResponse)]))
        let equality = group.quotient([step.before], [step.after])
        part.append(group.commitment(equality, copying.challenge, [(.h, copying.hiderResponse)]))
        multiplying.factor.append(to: &part, group, multiplying.challenge)
        let bitMinusOne = group.quotient([step.bit], [generator])
        part.append(group.commitment(bitMinusOne, multiplying.challenge, [(.h, multiplying.bitResponse)]))
        multiplying.multiplication.append(
            to: &part,
            factorResponse: multiplying.factor.valueResponse,
            base: step.before,
            modulus: step.modulus,
            result: step.after,
            bits: bits,
            group,
            multiplying.challenge
        )
    }

    /// Refuses numbers that no honest prover sends, and challenges that do not combine to the challenge of the whole.
    func validate(_ challenge: BigInteger, bits: Int, _ group: ProofGroup) throws(CheckFault) {
        try requireCombination(copying.challenge, multiplying.challenge, challenge)
        try group.validate(scalars: [copying.bitResponse, copying.hiderResponse, multiplying.bitResponse])
        try multiplying.factor.validate(group)
        try multiplying.multiplication.validate(bits: bits, group)
    }
}

/// Refuses the challenges of two alternatives that do not combine to the challenge of the whole.
func requireCombination(_ one: BigInteger, _ other: BigInteger, _ whole: BigInteger) throws(CheckFault) {
    let bits = max(one.bitCount, other.bitCount, whole.bitCount, 1)
    guard (LimbBuffer(one, bits: bits) ^ LimbBuffer(other, bits: bits)).number == whole else {
        throw .failed(.invalidProof, "the challenges of two alternatives do not combine to the challenge")
    }
}

// On the wire.
extension ExponentStepProof {
    init(
        reading reader: inout ProofReader,
        _ shape: KeyProofShape,
        _ name: MultiplicationProof.Name
    ) throws(IdemixError) {
        var proof = ExponentStepProof()
        let members = ["Achallenge", "Aproof", "Bchallenge", "Bproof"]
        try reader.object(members) { reader, member throws(IdemixError) in
            switch member {
            case 0: proof.copying.challenge = try reader.number(bits: ProofGroup.challengeBits)
            case 1: try proof.copying.read(&reader, shape)
            case 2: proof.multiplying.challenge = try reader.number(bits: ProofGroup.challengeBits)
            default: try proof.multiplying.read(&reader, shape, name)
            }
        }
        self = proof
    }

    func write<Failure>(to writer: inout ProofWriter<Failure>, _ name: MultiplicationProof.Name) throws(Failure) {
        try writer.object { writer throws(Failure) in
            try writer.member("Achallenge", copying.challenge)
            try writer.name("Aproof")
            try writer.object { writer throws(Failure) in
                try writer.result("Bit", copying.bitResponse)
                try writer.result("EqualityHider", copying.hiderResponse)
            }
            try writer.member("Bchallenge", multiplying.challenge)
            try writer.name("Bproof")
            try writer.object { writer throws(Failure) in
                try writer.name("Mul")
                try multiplying.factor.write(to: &writer)
                try writer.result("Bit", multiplying.bitResponse)
                try writer.name("MultiplicationProof")
                try multiplying.multiplication.write(to: &writer, name)
            }
        }
    }
}

extension ExponentStepProof.Copying {
    fileprivate mutating func read(_ reader: inout ProofReader, _ shape: KeyProofShape) throws(IdemixError) {
        var proof = self
        try reader.object(["Bit", "EqualityHider"]) { reader, member throws(IdemixError) in
            switch member {
            case 0: proof.bitResponse = try reader.result(bits: shape.groupBits)
            default: proof.hiderResponse = try reader.result(bits: shape.groupBits)
            }
        }
        self = proof
    }
}

extension ExponentStepProof.Multiplying {
    fileprivate mutating func read(
        _ reader: inout ProofReader,
        _ shape: KeyProofShape,
        _ name: MultiplicationProof.Name
    ) throws(IdemixError) {
        var proof = self
        try reader.object(["Mul", "Bit", "MultiplicationProof"]) { reader, member throws(IdemixError) in
            switch member {
            case 0: proof.factor = try PedersenProof(reading: &reader, shape)
            case 1: proof.bitResponse = try reader.result(bits: shape.groupBits)
            default:
                proof.multiplication = try MultiplicationProof(reading: &reader, shape, name, bits: shape.primeBits)
            }
        }
        self = proof
    }
}
