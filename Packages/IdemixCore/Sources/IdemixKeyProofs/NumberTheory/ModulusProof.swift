import IdemixCore

/// A proof that n = (2p' + 1)·(2q' + 1) for powers p' and q' of primes, by roots of numbers that the hash chooses
/// (Gennaro, Micciancio and Rabin).
struct ModulusProof: Sendable {
    /// The rounds of the proofs of a square-free number and of different primes; a false one passes with 1/1024 each.
    static let rootRounds = 8
    /// The rounds of the proof of two prime powers; a false one passes with 1/2 each.
    static let primePowerRounds = 80
    /// The rounds of the proof of almost safe primes; a false one passes with 4/5 each.
    static let almostSafeRounds = 250
    /// No prime below this bound divides n.
    static let leastFactor = 1_024

    /// The kinds of challenges, as the hash counts them.
    enum Topic: Int {
        case squareFree
        case primePowers
        case disjointPrimes
        case almostSafePrimes
    }

    /// x^(1/n) for 8 challenges x: n has no common factor with φ(n), so that it is free of squares.
    var squareFree: [BigInteger] = []
    /// Roots of ±x or ±2x for 80 challenges x: no more than two primes divide n.
    var primePowers: [BigInteger] = []
    /// x^(1/d) for 8 challenges x and the odd part d of n − 1: two different primes divide n.
    var disjointPrimes: [BigInteger] = []
    /// The number that the bases of the last proof are derived from.
    var nonce = BigInteger.zero
    /// Random powers of the bases.
    var commitments: [BigInteger] = []
    /// Roots modulo p'·q' of ±x or ±x/2, for x the logarithm of the commitment plus a challenge.
    var responses: [BigInteger] = []

    /// The challenge of a round: a number below n.
    static func challenge(_ challenge: BigInteger, _ topic: Topic, _ round: Int, n: BigInteger) -> BigInteger {
        HashNumber.number(of: [challenge, BigInteger(topic.rawValue)], index: round, bits: n.bitCount).modulo(n)
    }

    /// The exponent of a round of the last proof.
    static func exponent(_ challenge: BigInteger, _ round: Int, n: BigInteger) -> BigInteger {
        let topic = BigInteger(Topic.almostSafePrimes.rawValue)
        return HashNumber.number(of: [challenge, topic], index: round, bits: 2 * n.bitCount)
    }

    /// The base of a round of the last proof.
    static func base(_ nonce: BigInteger, _ round: Int, n: BigInteger) -> BigInteger {
        HashNumber.number(of: [nonce], index: round, bits: n.bitCount).modulo(n)
    }

    /// The odd part of n − 1.
    static func oddPart(ofPredecessorOf n: BigInteger) -> BigInteger {
        var d = n - 1
        while !d.isOdd, !d.isZero { d = d.shiftedRight(by: 1) }
        return d
    }
}

// On the wire.
extension ModulusProof {
    init(reading reader: inout ProofReader, _ shape: KeyProofShape) throws(IdemixError) {
        var proof = ModulusProof()
        func numbers(_ reader: inout ProofReader, _ count: Int) throws(IdemixError) -> [BigInteger] {
            try reader.numbers(count: count, bits: shape.modulusBits)
        }
        func responses(_ reader: inout ProofReader, _ count: Int) throws(IdemixError) -> [BigInteger] {
            var responses: [BigInteger] = []
            try reader.object(["Responses"]) { reader, _ throws(IdemixError) in
                responses = try numbers(&reader, count)
            }
            return responses
        }
        try reader.object(["SFproof", "PPPproof", "DPPproof", "ASPPproof"]) { reader, member throws(IdemixError) in
            switch member {
            case 0: proof.squareFree = try responses(&reader, Self.rootRounds)
            case 1: proof.primePowers = try responses(&reader, Self.primePowerRounds)
            case 2: proof.disjointPrimes = try responses(&reader, Self.rootRounds)
            default:
                try reader.object(["Nonce", "Commitments", "Responses"]) { reader, member throws(IdemixError) in
                    switch member {
                    case 0: proof.nonce = try reader.number(bits: Self.nonceBits)
                    case 1: proof.commitments = try numbers(&reader, Self.almostSafeRounds)
                    default: proof.responses = try numbers(&reader, Self.almostSafeRounds)
                    }
                }
            }
        }
        self = proof
    }

    /// The length of the nonce.
    static let nonceBits = 256

    func write<Failure>(to writer: inout ProofWriter<Failure>) throws(Failure) {
        try writer.object { writer throws(Failure) in
            for (member, responses) in [
                ("SFproof", squareFree), ("PPPproof", primePowers), ("DPPproof", disjointPrimes),
            ] {
                try writer.name(member)
                try writer.object { writer throws(Failure) in try writer.member("Responses", responses) }
            }
            try writer.name("ASPPproof")
            try writer.object { writer throws(Failure) in
                try writer.member("Nonce", nonce)
                try writer.member("Commitments", commitments)
                try writer.member("Responses", responses)
            }
        }
    }
}
