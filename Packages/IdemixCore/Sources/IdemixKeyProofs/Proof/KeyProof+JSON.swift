public import IdemixCore

extension KeyProof {
    private static let members = [
        "PProof", "QProof", "PprimeProof", "QprimeProof", "PQNRel", "Challenge", "GroupPrime", "PprimeIsPrimeProof",
        "QprimeIsPrimeProof", "QSPPproof", "BasesValidProof",
    ]

    /// Reads a proof from JSON with the names of the reference, which comes in pieces.
    ///
    /// The key determines the length of every array and number, so that no text takes more memory than an honest one:
    /// hundreds of megabytes at 2048 bits. Names and numbers are without escapes, members in any order.
    ///
    /// - Parameters:
    ///   - statement: The statement of the proof.
    ///   - source: Gives the next piece of the text, of any length but zero; an empty piece is the end.
    /// - Throws: `IdemixError.Code.malformedJSON` for other text, `IdemixError.Code.limitExceeded` and
    ///   `IdemixError.Code.outOfRange` for a number that is too long, `IdemixError.Code.invalidNumber` for text that is
    ///   none, `IdemixError.Code.sourceFailed` with the source's own error as the cause.
    public init(
        for statement: KeyStatement,
        reading source: @escaping () throws -> [UInt8]
    ) throws(IdemixError) {
        let shape = statement.shape
        var reader = ProofReader(source)
        var proof = KeyProof(shape: shape)
        try reader.object(Self.members) { reader, member throws(IdemixError) in
            switch member {
            case 0: proof.p = try PedersenProof(reading: &reader, shape)
            case 1: proof.q = try PedersenProof(reading: &reader, shape)
            case 2: proof.pPrime = try PedersenProof(reading: &reader, shape)
            case 3: proof.qPrime = try PedersenProof(reading: &reader, shape)
            case 4: proof.productResponse = try reader.result(bits: shape.groupBits)
            case 5: proof.challenge = try reader.number(bits: ProofGroup.challengeBits)
            case 6: proof.groupPrime = try reader.number(bits: shape.groupBits)
            case 7: proof.pPrimePrimality = try PrimalityProof(reading: &reader, shape, Self.pPrimeName(shape))
            case 8: proof.qPrimePrimality = try PrimalityProof(reading: &reader, shape, Self.qPrimeName(shape))
            case 9: proof.modulus = try ModulusProof(reading: &reader, shape)
            default: proof.squares = try SquaresProof(reading: &reader, shape)
            }
        }
        try reader.end()
        self = proof
    }

    /// Writes the proof as JSON, in pieces, byte for byte as the reference does.
    ///
    /// - Parameter sink: Takes the next piece of the text.
    /// - Throws: What the sink throws.
    public func write<Failure>(to sink: @escaping (_ piece: [UInt8]) throws(Failure) -> Void) throws(Failure) {
        var writer = ProofWriter(sink)
        try writer.object { writer throws(Failure) in
            for (member, opening) in zip(Self.members, [p, q, pPrime, qPrime]) {
                try writer.name(member)
                try opening.write(to: &writer)
            }
            try writer.result("PQNRel", productResponse)
            try writer.member("Challenge", challenge)
            try writer.member("GroupPrime", groupPrime)
            try writer.name("PprimeIsPrimeProof")
            try pPrimePrimality.write(to: &writer, Self.pPrimeName(shape))
            try writer.name("QprimeIsPrimeProof")
            try qPrimePrimality.write(to: &writer, Self.qPrimeName(shape))
            try writer.name("QSPPproof")
            try modulus.write(to: &writer)
            try writer.name("BasesValidProof")
            try squares.write(to: &writer)
        }
        try writer.end()
    }

    private static func pPrimeName(_ shape: KeyProofShape) -> PrimalityProof.Name {
        .init(of: "pprime", bitCount: shape.primeBits)
    }

    private static func qPrimeName(_ shape: KeyProofShape) -> PrimalityProof.Name {
        .init(of: "qprime", bitCount: shape.primeBits)
    }
}
