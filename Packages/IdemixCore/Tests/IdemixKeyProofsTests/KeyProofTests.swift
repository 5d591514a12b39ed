import CryptoCore
import Foundation
import IdemixCore
import Synchronization
import Testing

@testable import IdemixKeyProofs

/// Proofs of a whole key, made and verified.
@Suite struct KeyProofTests {
    @Test func verifiesWhatItProvesAndReportsItsProgress() async throws {
        let statement = try ToyKey.statement()
        let seen = Mutex<[KeyProofProgress]>([])
        let answer = try await ToyKey.proof.value.verify(statement, at: ToyKey.time, concurrency: 3) { progress in
            seen.withLock { $0.append(progress) }
        }
        #expect(answer.verified == statement, "\(answer.checks)")
        #expect(answer.checks.map(\.check) == KeyProof.checks)
        #expect(answer.checks.allSatisfy { $0.outcome == .passed })
        #expect(answer.deviations.isEmpty)
        let steps = seen.withLock(\.self)
        #expect(Set(steps.map(\.step)) == Set(KeyProofProgress.Step.allCases))
        let counts = steps.filter { $0.step == .commitments }
        let total = try #require(counts.first?.partCount)
        #expect(counts.map(\.partsDone).sorted() == Array(0...total))
    }

    @Test func readsWhatItWrites() async throws {
        let text = ToyKey.text(try await ToyKey.proof.value)
        #expect(text.last == UInt8(ascii: "\n"))
        let proof = try ToyKey.read(text, pieces: 1_000)
        #expect(ToyKey.text(proof) == text)
    }

    @Test func provesBothValuesOfAPower() async throws {
        // The power of a is 1 or −1 by chance: both occur among a few proofs.
        var alternatives: Set<Bool> = []
        for seed in 3..<40 where alternatives.count < 2 {
            let group = try ToyGroup()
            let source = ToyKey.source(UInt64(seed))
            let prime = Opening(of: group.prover.scalar(ToyKey.p.shiftedRight(by: 1)), group.prover, using: source)
            let prover = try PrimalityProof.Prover(prime, bits: 16, group.prover, using: source)
            // The challenge of the alternative that is simulated is not zero.
            alternatives.insert(prover.proof.plusOne.challenge.isZero)
        }
        #expect(alternatives.count == 2)
    }

    @Test func endsWhenItsTaskIsCancelled() async throws {
        let statement = try ToyKey.statement()
        let proof = try await ToyKey.proof.value
        let cancelled = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let proving = await Result { try await KeyProof.prove(statement, p: ToyKey.p, q: ToyKey.q) }
            let verifying = await Result { try await proof.verify(statement, at: ToyKey.time) }
            return (proving, verifying)
        }.value
        #expect(throws: IdemixError.self) { _ = try cancelled.0.get() }
        #expect(throws: CancellationError.self) { _ = try cancelled.1.get() }
    }

    @Test(arguments: [
        // One composite; one unsafe; both 7 modulo 8; one with a half that is 1 modulo 8.
        (46_347, 46_559), (46_411, 46_559), (46_559, 46_679), (46_643, 46_559),
    ])
    func provesNothingOfOtherPrimes(p: Int, q: Int) async throws {
        let statement = try KeyStatement(n: BigInteger(p) * BigInteger(q), bases: [4])
        let error = await #expect(throws: IdemixError.self) {
            try await KeyProof.prove(statement, p: BigInteger(p), q: BigInteger(q), using: ToyKey.source())
        }
        #expect(error?.code == .unprovableStatement)
    }

    @Test func provesNothingOfOthersFactors() async throws {
        let error = await #expect(throws: IdemixError.self) {
            try await KeyProof.prove(ToyKey.statement(), p: ToyKey.p, q: ToyKey.p, using: ToyKey.source())
        }
        #expect(error?.code == .unprovableStatement)
    }

    @Test func provesNoBaseThatIsNoSquare() async throws {
        // −1 is no square modulo primes that are 3 modulo 4.
        let n = ToyKey.p * ToyKey.q
        let statement = try KeyStatement(n: n, bases: [4, n - 1])
        let error = await #expect(throws: IdemixError.self) {
            try await KeyProof.prove(statement, p: ToyKey.p, q: ToyKey.q, using: ToyKey.source())
        }
        #expect(error?.code == .unprovableStatement)
        #expect(error?.path == ["bases[1]"])
    }

    @Test(arguments: [(0, 1), (16, 1), (1 << 30 + 1, 1), (1 << 33 + 1, 0), (1 << 33 + 1, 1 << 34)])
    func statesNothingAboutImpossibleNumbers(n: Int, base: Int) {
        let error = #expect(throws: IdemixError.self) {
            try KeyStatement(n: BigInteger(n), bases: [BigInteger(base)])
        }
        #expect(error?.code == .invalidKey)
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
