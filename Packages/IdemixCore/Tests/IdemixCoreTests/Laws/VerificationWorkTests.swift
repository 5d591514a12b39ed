import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

/// The cost of a verification, in powers and in multiplications.
@Suite struct VerificationWorkTests {
    let world: TestWorld
    let authority: RevocationAuthority
    /// Five attributes besides the metadata; the one at index 6 is the revocation attribute.
    let credential: IdemixCredential

    init() throws {
        world = try TestWorld()
        authority = try RevocationAuthority(keys: world.keys, at: world.publicKey.expiryDate, using: world.randomness)
        credential = try world.issue([try TestWorld.attributes([])[0], 1_000, 1, 1, 1], authority: authority)
    }

    private func prove(
        revocation: Bool = false,
        _ statements: [RangeStatement] = [],
        squares: RangeStatement.Squares = .four
    ) throws -> IdemixProofList {
        let builder = IdemixProofListBuilder(using: world.randomness)
        try builder.add(
            IdemixDisclosureRequest(
                credential,
                disclosing: [],
                provingNonRevocation: revocation,
                statements: statements.isEmpty ? [:] : [2: statements],
                squares: squares
            )
        )
        return try builder.prove(nonce: 42)
    }

    private func verify(
        _ list: IdemixProofList,
        revocation: Bool = false,
        _ statements: [RangeStatement] = [],
        limits: IdemixProofList.Limits = IdemixProofList.Limits()
    ) -> (failedCheck: Check?, powers: Int, multiplications: Int) {
        let expectation = IdemixDisclosureExpectation(
            publicKey: world.publicKey,
            nonRevocation: revocation ? .required(index: 6) : .absent,
            statements: statements.isEmpty ? [:] : [2: statements]
        )
        let expectations = list.proofs.map { _ in IdemixProofExpectation.disclosure(expectation) }
        let count = PowerCount()
        let verdict = count.during { list.verify(expecting: expectations, nonce: 42, limits: limits) }
        return (verdict.failedCheck, count.powers, count.work.multiplications)
    }

    /// The smallest limit under which a list passes.
    private func smallestLimit(
        _ list: IdemixProofList,
        revocation: Bool = false,
        _ statements: [RangeStatement] = []
    ) -> Int {
        var bounds = 0...1_000_000
        while bounds.lowerBound < bounds.upperBound {
            let middle = (bounds.lowerBound + bounds.upperBound) / 2
            var limits = IdemixProofList.Limits()
            limits.multiplications = middle
            let check = verify(list, revocation: revocation, statements, limits: limits).failedCheck
            bounds = check == .limits ? (middle + 1)...bounds.upperBound : bounds.lowerBound...middle
        }
        return bounds.lowerBound
    }

    private let statement = RangeStatement(.atLeast, 900)

    /// Z, A', S and one for each attribute, with index 0 and 1; 9 more for a proof of non-revocation, 18 for a range
    /// proof with four squares, 14 for one with three.
    @Test func computesOnePowerForEachFactorOfTheEquations() throws {
        #expect(verify(try prove()).powers == 10)
        #expect(verify(try prove(revocation: true), revocation: true).powers == 19)
        #expect(verify(try prove([statement]), [statement]).powers == 28)
        #expect(verify(try prove([statement], squares: .three), [statement]).powers == 24)
    }

    @Test func refusesUnrequestedProofsBeforeAnyPower() throws {
        let many = [RangeStatement](repeating: statement, count: 64)
        for list in [try prove(revocation: true), try prove([statement]), try prove(many)] {
            let refused = verify(list)
            #expect(refused.failedCheck == .unrequestedProofs)
            #expect(refused.powers == 0)
        }
        let more = verify(try prove([statement, statement]), [statement])
        #expect(more.failedCheck == .unrequestedProofs)
        #expect(more.powers == 0)
    }

    @Test func refusesListsBeyondTheWorkLimitBeforeAnyPower() throws {
        let many = [RangeStatement](repeating: statement, count: 64)
        let refused = verify(try prove(many), many)
        #expect(refused.failedCheck == .limits)
        #expect(refused.powers == 0)
    }

    /// The counted work is an upper bound of the actual work, and close to it.
    @Test func countsTheWorkThatIsDone() throws {
        let cases: [(revocation: Bool, statements: [RangeStatement])] = [
            (false, []), (true, []), (false, [statement]), (true, [statement, statement]),
        ]
        for (revocation, statements) in cases {
            let list = try prove(revocation: revocation, statements)
            let limit = smallestLimit(list, revocation: revocation, statements)
            let done = verify(list, revocation: revocation, statements)
            #expect(done.failedCheck == nil)
            #expect(limit * 9 <= done.multiplications * 10, "\(done.multiplications) of \(limit)")
            #expect(done.multiplications <= limit, "\(done.multiplications) of \(limit)")
        }
    }

    /// The dearest list within the default limit costs less than fifty disclosures of this credential, since no list
    /// does more work than is counted.
    @Test(arguments: IdemixSystemParameters.all)
    func admitsLessThanFiftyDisclosuresByDefault(parameters: IdemixSystemParameters) throws {
        let world = try TestWorld(parameters)
        let credential = try world.issue([try TestWorld.attributes([])[0], 1, 1, 1, 1, 1])
        let list = try world.show(credential, disclosing: [])
        let count = PowerCount()
        let verdict = count.during { list.verify(expecting: [world.expectation], nonce: 42) }
        #expect(verdict.verified != nil)
        let limits = IdemixProofList.Limits()
        #expect(limits.multiplications < 50 * count.work.multiplications)
        // A session with twenty credentials passes.
        #expect(20 * count.work.multiplications < limits.multiplications)
    }

    @Test func holdsTheLimitsAtTheirBounds() throws {
        let list = try prove()
        var limits = IdemixProofList.Limits()
        limits.multiplications = smallestLimit(list)
        #expect(verify(list, limits: limits).failedCheck == nil)
        limits.multiplications -= 1
        #expect(verify(list, limits: limits).failedCheck == .limits)

        limits = IdemixProofList.Limits()
        limits.proofs = 1
        #expect(verify(list, limits: limits).failedCheck == nil)
        #expect(verify(IdemixProofList(list.proofs + list.proofs), limits: limits).failedCheck == .limits)

        // The metadata has 186 bits.
        let metadata = credential.attributes[0].bitCount
        limits = IdemixProofList.Limits()
        limits.disclosedBits = metadata
        #expect(verify(list, limits: limits).failedCheck == nil)
        limits.disclosedBits = metadata - 1
        #expect(verify(list, limits: limits).failedCheck == .limits)
        limits.disclosedBits = metadata * 2 - 1
        #expect(verify(IdemixProofList(list.proofs + list.proofs), limits: limits).failedCheck == .limits)
    }

    @Test func countsTheWorkOfCommitments() throws {
        let builder = IdemixProofListBuilder(using: world.randomness)
        _ = try builder.addIssuance(publicKey: world.publicKey, secretKey: world.secretKey, blindIndices: [2, 3])
        let list = try builder.prove(nonce: 42)
        let expectation = IdemixIssuanceExpectation(publicKey: world.publicKey, blindIndices: [2, 3])
        func verify(_ multiplications: Int) -> (failedCheck: Check?, count: PowerCount) {
            var limits = IdemixProofList.Limits()
            limits.multiplications = multiplications
            let count = PowerCount()
            let check = count.during {
                list.verify(expecting: [.issuance(expectation)], nonce: 42, limits: limits).failedCheck
            }
            return (check, count)
        }
        // U to l_h; S to l'_v~ + 1, R_0 to l_s~ + 1 and two bases to l_m~ + 1: 256·5/4 + (1441 + 594 + 2·593)/8.
        let (passed, count) = verify(722)
        #expect(passed == nil)
        #expect(count.powers == 5)
        #expect(count.work.multiplications <= 722)
        #expect(verify(721).failedCheck == .limits)
    }
}
