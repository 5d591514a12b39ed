import CredentialTesting
import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

@testable import IdemixKeyProofs

/// A key far too short for use, whose proof takes some seconds in one task: two safe primes of 16 bits, 7 and 3 modulo 8.
enum ToyKey {
    static let p = BigInteger(56_807)
    static let q = BigInteger(53_147)
    static let bases: [BigInteger] = [4, 9, 123_454_321]

    static func statement() throws -> KeyStatement { try KeyStatement(n: p * q, bases: bases) }

    /// A repeatable source.
    static func source(_ seed: UInt64 = 1) -> GeneratorRandomSource<RepeatableRandomNumberGenerator> {
        GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: seed))
    }

    /// A proof that all tests share, the same in every run: a single task draws its random numbers in one order.
    ///
    /// Of two hundred proofs of this key one does not verify: a base in thirty thousand is a multiple of a prime that short.
    static let proof = Task { try await KeyProof.prove(statement(), p: p, q: q, using: source(), concurrency: 1) }

    static let time = Date(timeIntervalSince1970: 1_800_000_000)

    /// The text of a proof in one piece.
    static func text(_ proof: KeyProof) -> [UInt8] {
        let text = Collector()
        proof.write { text.bytes += $0 }
        return text.bytes
    }

    /// Reads a proof from a text in pieces of a size.
    static func read(_ text: [UInt8], pieces size: Int = 1 << 16) throws -> KeyProof {
        let rest = Collector()
        rest.bytes = text
        var position = 0
        return try KeyProof(for: statement()) {
            let piece = Array(rest.bytes[position..<min(position + size, rest.bytes.count)])
            position += piece.count
            return piece
        }
    }

    /// Bytes that closures share.
    final class Collector {
        var bytes: [UInt8] = []
    }
}

/// A group for the numbers of a test, and commitments in it.
struct ToyGroup {
    let prover: ProofGroup
    let verifier: ProofGroup
    let source = ToyKey.source(2)

    /// The length of secret numbers.
    static let bits = 16

    init() throws {
        let prime = try #require(GroupPrime.knownPrime(modulusBits: 200))
        prover = ProofGroup(prime: prime, timing: .constant)
        verifier = ProofGroup(prime: prime, timing: .variable)
    }

    func opening(_ number: BigInteger) -> Opening {
        Opening(of: prover.scalar(number.modulo(prover.order)), prover, using: source)
    }

    func commitment(_ opening: Opening) -> BigInteger { prover.commitment(opening.value, opening.hider) }

    let challenge = BigInteger(bytes: Array(1...32) as [UInt8])
    var challengeLimbs: LimbBuffer { LimbBuffer(challenge, bits: 256) }

    /// The hash of what a closure appends.
    static func hash(_ append: (inout FiatShamirPart) -> Void) -> BigInteger {
        var part = FiatShamirPart()
        append(&part)
        return FiatShamir.hash(joining: [part])
    }
}
