import CryptoCore
import IdemixCore

/// A proof that public numbers are squares modulo n, with their roots in commitments.
struct SquaresProof: Sendable {
    /// The commitment to n.
    var modulus = PedersenProof()
    /// The commitments to the numbers.
    var squares: [PedersenProof] = []
    /// The commitments to the roots.
    var roots: [PedersenProof] = []
    var rootIntervals: [IntervalProof] = []
    /// root·root = square modulo n.
    var relations: [MultiplicationProof] = []

    /// The names of the secrets in the JSON.
    enum Name {
        static func root(_ position: Int) -> String { "r_\(position)" }

        static func relation(_ position: Int) -> MultiplicationProof.Name {
            .init(root(position), root(position), modulus: "N", result: "s_\(position)")
        }
    }
}

// The commitments.
extension SquaresProof {
    /// The parts of the hash, in their order.
    func parts(_ statement: KeyStatement, _ group: ProofGroup, _ challenge: BigInteger) -> [HashJob] {
        let bits = statement.n.bitCount
        let bounds = LimbBuffer(challenge, bits: ProofGroup.challengeBits)
        var jobs = (squares + roots + [modulus]).map { proof in
            HashJob { proof.append(to: &$0, group, challenge) }
        }
        jobs.append(HashJob { appendValues(to: &$0, statement, group, challenge) })
        jobs += zip(rootIntervals, roots).map { proof, root in
            let interval = Interval(base: .g, commitment: root.commitment, bits: bits)
            return HashJob { proof.append(to: &$0, interval, group, bounds) }
        }
        jobs += relations.indices.map { position in
            HashJob {
                relations[position].append(
                    to: &$0,
                    factorResponse: roots[position].valueResponse,
                    base: roots[position].commitment,
                    modulus: modulus.commitment,
                    result: squares[position].commitment,
                    bits: bits,
                    group,
                    challenge
                )
            }
        }
        return jobs
    }

    /// The numbers, and the relations that they are committed to: X^-1·g^x = h^-y.
    private func appendValues(
        to part: inout FiatShamirPart,
        _ statement: KeyStatement,
        _ group: ProofGroup,
        _ challenge: BigInteger
    ) {
        part.append(statement.n)
        for base in statement.bases { part.append(base) }
        for (proof, number) in zip([modulus] + squares, [statement.n] + statement.bases) {
            let left = group.quotient([group.powerOfG(number)], [proof.commitment])
            part.append(group.commitment(left, challenge, [(.h, group.negative(proof.hiderResponse))]))
        }
    }

    /// Refuses numbers that no honest prover sends.
    func validate(bits: Int, _ group: ProofGroup) throws(CheckFault) {
        for proof in [modulus] + squares + roots { try proof.validate(group) }
        for proof in rootIntervals { try proof.validate(bits: bits, group) }
        for proof in relations { try proof.validate(bits: bits, group) }
    }
}

// Proving.
extension SquaresProof {
    /// The secrets of a prover, and the proof with the randomizers in the place of responses.
    struct Prover: Sendable {
        private let bits: Int
        private let modulus: Opening
        private let squares: [Opening]
        private let roots: [Opening]
        private let relations: [MultiplicationProof.Secrets]
        /// The proof before its challenge is known.
        let proof: SquaresProof
    }
}

extension SquaresProof.Prover {
    /// Hides the roots of a key's bases.
    ///
    /// - Throws: `IdemixError.Code.unprovableStatement` for a base that is no square.
    init(
        _ statement: KeyStatement,
        _ factors: FactoredGroup,
        _ group: ProofGroup,
        using randomness: some RandomSource
    ) throws(IdemixError) {
        func opening(_ number: LimbBuffer) -> Opening { Opening(of: number, group, using: randomness) }
        bits = statement.n.bitCount
        let n = LimbBuffer(statement.n, bits: bits)
        modulus = opening(n)
        squares = statement.bases.map { opening(LimbBuffer($0, count: n.count)) }
        let none = LimbBuffer(.zero, count: 1)
        var roots: [Opening] = []
        var relations: [MultiplicationProof.Secrets] = []
        for (position, base) in statement.bases.enumerated() {
            guard let root = factors.squareRoot(of: base, times: [.one], negates: (none, none)) else {
                throw IdemixError(.unprovableStatement, "the base is no square", path: ["bases[\(position)]"])
            }
            let limbs = LimbBuffer(root, count: n.count)
            let opening = opening(limbs)
            roots.append(opening)
            relations.append(
                MultiplicationProof.Secrets(
                    opening,
                    opening,
                    modulus: modulus,
                    result: squares[position],
                    quotient: (limbs * limbs).divided(by: n).quotient,
                    group,
                    using: randomness
                )
            )
        }
        (self.roots, self.relations) = (roots, relations)
        func proof(_ opening: Opening) -> PedersenProof { PedersenProof(opening, group, using: randomness) }
        let bits = bits
        self.proof = SquaresProof(
            modulus: proof(modulus),
            squares: squares.map(proof),
            roots: roots.map(proof),
            rootIntervals: roots.map { _ in IntervalProof(randomizing: bits, group, using: randomness) },
            relations: relations.map { MultiplicationProof($0, bits: bits, group, using: randomness) }
        )
    }

    /// The proof with responses in the place of its randomizers.
    func responding(to challenge: LimbBuffer, _ group: ProofGroup) -> SquaresProof {
        SquaresProof(
            modulus: proof.modulus.responding(to: challenge, modulus, group),
            squares: zip(proof.squares, squares).map { $0.responding(to: challenge, $1, group) },
            roots: zip(proof.roots, roots).map { $0.responding(to: challenge, $1, group) },
            rootIntervals: zip(proof.rootIntervals, roots).map {
                $0.responding(to: challenge, $1, bits: bits, group)
            },
            relations: zip(proof.relations, relations).map {
                $0.responding(to: challenge, $1, bits: bits, group)
            }
        )
    }
}

// On the wire.
extension SquaresProof {
    init(reading reader: inout ProofReader, _ shape: KeyProofShape) throws(IdemixError) {
        var proof = SquaresProof()
        let count = shape.baseCount
        func openings(_ reader: inout ProofReader) throws(IdemixError) -> [PedersenProof] {
            try reader.array(count: count) { reader, _ throws(IdemixError) in
                try PedersenProof(reading: &reader, shape)
            }
        }
        let members = ["NProof", "SquaresProof", "RootsProof", "RootsRangeProof", "RootsValidProof"]
        try reader.object(members) { reader, member throws(IdemixError) in
            switch member {
            case 0: proof.modulus = try PedersenProof(reading: &reader, shape)
            case 1: proof.squares = try openings(&reader)
            case 2: proof.roots = try openings(&reader)
            case 3:
                proof.rootIntervals = try reader.array(count: count) { reader, position throws(IdemixError) in
                    try IntervalProof(reading: &reader, shape, of: Name.root(position), bits: shape.modulusBits)
                }
            default:
                proof.relations = try reader.array(count: count) { reader, position throws(IdemixError) in
                    try MultiplicationProof(
                        reading: &reader,
                        shape,
                        Name.relation(position),
                        bits: shape.modulusBits
                    )
                }
            }
        }
        self = proof
    }

    func write<Failure>(to writer: inout ProofWriter<Failure>) throws(Failure) {
        try writer.object { writer throws(Failure) in
            try writer.name("NProof")
            try modulus.write(to: &writer)
            for (member, proofs) in [("SquaresProof", squares), ("RootsProof", roots)] {
                try writer.name(member)
                try writer.array(proofs) { writer, _, proof throws(Failure) in try proof.write(to: &writer) }
            }
            try writer.name("RootsRangeProof")
            try writer.array(rootIntervals) { writer, position, proof throws(Failure) in
                try proof.write(to: &writer, of: Name.root(position))
            }
            try writer.name("RootsValidProof")
            try writer.array(relations) { writer, position, proof throws(Failure) in
                try proof.write(to: &writer, Name.relation(position))
            }
        }
    }
}
