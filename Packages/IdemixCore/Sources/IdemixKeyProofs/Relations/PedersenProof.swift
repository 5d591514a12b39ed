import CryptoCore
import IdemixCore

/// A secret number x and the exponent y that hides it in the commitment X = g^x·h^y; negative numbers are modulo o.
struct Opening: Sendable {
    let value: Scalar
    let hider: Scalar
}

/// A commitment X = g^x·h^y with a proof of knowledge of x and y.
///
/// Before the challenge is known, randomizers stand in the place of the responses.
struct PedersenProof: Sendable {
    /// X.
    var commitment = BigInteger.zero
    /// The response for x.
    var valueResponse = BigInteger.zero
    /// The response for y.
    var hiderResponse = BigInteger.zero
}

extension PedersenProof {
    /// Draws the randomizers for an opening.
    init(_ opening: Opening, _ group: ProofGroup, using randomness: some RandomSource) {
        self.init(
            commitment: group.commitment(opening.value, opening.hider),
            randomizedBy: group,
            using: randomness
        )
    }

    /// Draws the randomizers for a commitment that is known already.
    init(commitment: BigInteger, randomizedBy group: ProofGroup, using randomness: some RandomSource) {
        self.commitment = commitment
        valueResponse = .random(below: group.order, using: randomness)
        hiderResponse = .random(below: group.order, using: randomness)
    }

    /// The proof with responses in the place of its randomizers.
    func responding(to challenge: LimbBuffer, _ opening: Opening, _ group: ProofGroup) -> PedersenProof {
        PedersenProof(
            commitment: commitment,
            valueResponse: group.response(valueResponse, challenge, opening.value),
            hiderResponse: group.response(hiderResponse, challenge, opening.hider)
        )
    }

    /// Appends X and its randomized twin.
    func append(to part: inout FiatShamirPart, _ group: ProofGroup, _ challenge: BigInteger) {
        part.append(commitment)
        part.append(group.commitment(commitment, challenge, [(.g, valueResponse), (.h, hiderResponse)]))
    }

    /// Refuses numbers outside the group and its exponents.
    func validate(_ group: ProofGroup) throws(CheckFault) {
        try group.validate(elements: [commitment])
        try group.validate(scalars: [valueResponse, hiderResponse])
    }
}

extension Opening {
    /// Hides a number with a random exponent.
    init(of value: LimbBuffer, _ group: ProofGroup, using randomness: some RandomSource) {
        self.value = LimbBuffer(value, count: group.limbCount)
        hider = group.randomScalar(using: randomness)
    }
}

extension ProofGroup {
    /// Refuses numbers that are no elements of the group.
    func validate(elements: [BigInteger]) throws(CheckFault) {
        guard elements.allSatisfy(contains) else {
            throw .failed(.invalidProof, "a commitment is no element of the group")
        }
    }

    /// Refuses responses that are not reduced.
    func validate(scalars: [BigInteger]) throws(CheckFault) {
        guard scalars.allSatisfy(isScalar) else {
            throw .failed(.invalidProof, "a response is not below the order of the group")
        }
    }
}

// On the wire.
extension PedersenProof {
    init(reading reader: inout ProofReader, _ shape: KeyProofShape) throws(IdemixError) {
        var proof = PedersenProof()
        try reader.object(["Commit", "Sresult", "Hresult"]) { reader, member throws(IdemixError) in
            switch member {
            case 0: proof.commitment = try reader.number(bits: shape.groupBits)
            case 1: proof.valueResponse = try reader.result(bits: shape.groupBits)
            default: proof.hiderResponse = try reader.result(bits: shape.groupBits)
            }
        }
        self = proof
    }

    func write<Failure>(to writer: inout ProofWriter<Failure>) throws(Failure) {
        try writer.object { writer throws(Failure) in
            try writer.member("Commit", commitment)
            try writer.result("Sresult", valueResponse)
            try writer.result("Hresult", hiderResponse)
        }
    }
}
