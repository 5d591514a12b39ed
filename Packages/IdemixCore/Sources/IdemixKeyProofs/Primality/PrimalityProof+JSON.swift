import IdemixCore

extension PrimalityProof {
    private typealias Path<Value> = WritableKeyPath<PrimalityProof, Value>

    /// The members in their order, each with the place of its value.
    private enum Member {
        case opening(Path<PedersenProof>)
        case response(Path<BigInteger>)
        case challenge(Path<BigInteger>)
        case interval(Path<IntervalProof>, value: String, hider: String)
        case exponentiation(Path<ExponentiationProof>, ExponentiationProof.Name)
    }

    private static func members(_ name: Name) -> [(name: String, member: Member)] {
        [
            ("HalfPCommit", .opening(\.half)),
            ("PreaCommit", .opening(\.share)),
            ("ACommit", .opening(\.base)),
            ("AnegCommit", .opening(\.negativeBase)),
            ("AResCommit", .opening(\.power)),
            ("AnegResCommit", .opening(\.negativePower)),
            ("PreaMod", .response(\.quotientResponse)),
            ("PreaHider", .response(\.shareHiderResponse)),
            ("APlus1", .response(\.plusOne.response)),
            ("AMin1", .response(\.minusOne.response)),
            ("APlus1Challenge", .challenge(\.plusOne.challenge)),
            ("AMin1Challenge", .challenge(\.minusOne.challenge)),
            ("PreaRangeProof", .interval(\.shareInterval, value: name.share, hider: name.share + "_hider")),
            ("ARangeProof", .interval(\.baseInterval, value: name.base, hider: name.base + "_hider")),
            (
                "AnegRangeProof",
                .interval(\.negativeBaseInterval, value: name.negativeBase, hider: name.negativeBase + "_hider")
            ),
            ("PreaModRangeProof", .interval(\.quotientInterval, value: name.quotient, hider: name.shareHider)),
            ("AExpProof", .exponentiation(\.exponentiation, name.exponentiation)),
            ("AnegExpProof", .exponentiation(\.negativeExponentiation, name.negativeExponentiation)),
        ]
    }

    init(reading reader: inout ProofReader, _ shape: KeyProofShape, _ name: Name) throws(IdemixError) {
        let members = Self.members(name)
        var proof = PrimalityProof()
        try reader.object(members.map(\.name)) { reader, index throws(IdemixError) in
            switch members[index].member {
            case .opening(let path): proof[keyPath: path] = try PedersenProof(reading: &reader, shape)
            case .response(let path): proof[keyPath: path] = try reader.result(bits: shape.groupBits)
            // Go's prover draws the challenge that it simulates below the order of the group.
            case .challenge(let path): proof[keyPath: path] = try reader.number(bits: shape.groupBits)
            case .interval(let path, let value, let hider):
                proof[keyPath: path] = try IntervalProof(
                    reading: &reader,
                    shape,
                    value: value,
                    hider: hider,
                    bits: shape.primeBits
                )
            case .exponentiation(let path, let name):
                proof[keyPath: path] = try ExponentiationProof(reading: &reader, shape, name)
            }
        }
        self = proof
    }

    func write<Failure>(to writer: inout ProofWriter<Failure>, _ name: Name) throws(Failure) {
        try writer.object { writer throws(Failure) in
            for (name, member) in Self.members(name) {
                switch member {
                case .opening(let path):
                    try writer.name(name)
                    try self[keyPath: path].write(to: &writer)
                case .response(let path): try writer.result(name, self[keyPath: path])
                case .challenge(let path): try writer.member(name, self[keyPath: path])
                case .interval(let path, let value, let hider):
                    try writer.name(name)
                    try self[keyPath: path].write(to: &writer, value: value, hider: hider)
                case .exponentiation(let path, let secrets):
                    try writer.name(name)
                    try self[keyPath: path].write(to: &writer, secrets)
                }
            }
        }
    }
}
