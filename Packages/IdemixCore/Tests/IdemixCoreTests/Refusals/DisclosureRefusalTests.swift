import CryptoCore
import IdemixCore
import TestSupport
import Testing

/// Each rule of a disclosure's verification, broken separately: all but the challenge are checked before any power is
/// computed.
@Suite struct DisclosureRefusalTests {
    let world: TestWorld
    let proof: DisclosureProof

    init() throws {
        world = try TestWorld()
        let credential = try world.issue(try TestWorld.attributes(["a", "b"]))
        proof = try world.show(credential, disclosing: [2]).firstDisclosure()
    }

    private func failedCheck(
        _ proof: DisclosureProof,
        _ change: (inout DisclosureExpectation) -> Void = { _ in }
    ) -> ProofCheck? {
        var expectation = DisclosureExpectation(publicKey: world.publicKey)
        change(&expectation)
        let list = ProofList([.disclosure(proof)])
        let count = PowerCount()
        let check = count.during { list.verify(expecting: [.disclosure(expectation)], nonce: 42).failedCheck }
        #expect((count.powers == 0) == (check != nil && check != .challenge))
        return check
    }

    @Test func acceptsTheUnchangedProof() {
        #expect(failedCheck(proof) == nil)
        #expect(failedCheck(proof) { $0.attributeCount = 2 } == nil)
    }

    @Test func refusesWrongCountsAndKinds() throws {
        let list = ProofList([.disclosure(proof)])
        #expect(list.verify(expecting: [], nonce: 42).failedCheck == .count)
        #expect(list.verify(expecting: [world.expectation, world.expectation], nonce: 42).failedCheck == .count)
        let issuance = ProofExpectation.issuance(IssuanceExpectation(publicKey: world.publicKey))
        #expect(list.verify(expecting: [issuance], nonce: 42).failedCheck == .kind)
    }

    @Test func refusesImpossibleIndexSets() {
        let (hidden, disclosed) = (proof.attributeResponses, proof.disclosedAttributes)
        func without(_ index: Int) -> [Int: BigInteger] { hidden.filter { $0.key != index } }
        #expect(failedCheck(proof.settingAttribute(3, to: 1)) == .indices)
        #expect(failedCheck(proof.changed(attributeResponses: without(0))) == .indices)
        #expect(failedCheck(proof.changed(disclosedAttributes: [2: disclosed[2] ?? 0])) == .indices)
        #expect(failedCheck(proof.settingResponse(5, to: 1)) == .indices)
        #expect(failedCheck(proof.settingResponse(-1, to: 1)) == .indices)
        #expect(failedCheck(proof.settingResponse(.max, to: 1)) == .indices)
        #expect(failedCheck(proof.settingAttribute(.min, to: 1)) == .indices)
        #expect(failedCheck(proof) { $0.attributeCount = 1 } == .indices)
        var many = hidden
        for index in 4...7 { many[index] = 1 }
        #expect(failedCheck(proof.changed(attributeResponses: many)) == .indices)
        for index in [0, 2] {
            #expect(failedCheck(proof.changed(rangeProofs: [index: []])) { $0.statements = [index: []] } == .indices)
        }
    }

    @Test func refusesAProofWithoutOneOfItsResponses() {
        let last = proof.attributeResponses.filter { $0.key != 3 }
        #expect(failedCheck(proof.changed(attributeResponses: last)) == .challenge)
    }

    /// An attribute of value zero behind the last is absent: a proof may have it as long as the type does.
    @Test func boundsAbsentTrailingAttributesByTheType() {
        for changed in [proof.settingResponse(4, to: 0), proof.settingAttribute(4, to: 0)] {
            #expect(failedCheck(changed) == nil)
            #expect(failedCheck(changed) { $0.attributeCount = 2 } == .indices)
        }
        #expect(failedCheck(proof.settingResponse(4, to: 1)) == .challenge)
        #expect(failedCheck(proof.settingAttribute(4, to: 1)) == .challenge)
    }

    @Test func refusesNumbersOutsideTheirRanges() {
        let parameters = world.publicKey.parameters
        func edge(_ bits: Int) -> BigInteger { .powerOfTwo(bits) - 1 }
        func past(_ bits: Int) -> BigInteger { .powerOfTwo(bits) }
        let lengths: [(Int, (BigInteger) -> DisclosureProof)] = [
            (parameters.challenge, { self.proof.changed(challenge: $0) }),
            (parameters.eCommitment + 1, { self.proof.changed(eResponse: $0) }),
            (parameters.vCommitment + 1, { self.proof.changed(vResponse: $0) }),
            (parameters.attributeCommitment + 1, { self.proof.settingResponse(0, to: $0) }),
            (parameters.attributeCommitment + 1, { self.proof.settingResponse(3, to: $0) }),
        ]
        for (bits, change) in lengths {
            #expect(failedCheck(change(edge(bits))) == .challenge)
            #expect(failedCheck(change(past(bits))) == .ranges)
            #expect(failedCheck(change(-1)) == .ranges)
            #expect(failedCheck(change(0)) == .challenge)
        }
        #expect(failedCheck(proof.settingAttribute(2, to: -1)) == .ranges)
        #expect(failedCheck(proof.changed(vResponse: past(8 << 20))) == .ranges)
    }

    @Test func refusesNumbersOutsideTheGroup() {
        let n = world.publicKey.elements.n
        let p = world.keys.privateKey.factors.p
        for A in [0, 1, -1, n, n + 1, p, p * 2, BigInteger.powerOfTwo(8 << 20)] {
            #expect(failedCheck(proof.changed(A: A)) == .groupElements)
        }
        #expect(failedCheck(proof.changed(A: n - 1)) == .challenge)
        #expect(failedCheck(proof.changed(A: 2)) == .challenge)
    }

    @Test func refusesDifferentChallenges() {
        let other = proof.changed(challenge: proof.challenge + 1)
        let list = ProofList([.disclosure(proof), .disclosure(other)])
        let verdict = list.verify(expecting: [world.expectation, world.expectation], nonce: 42)
        #expect(verdict.failedCheck == .commonChallenge)
    }

    @Test func refusesIncompleteProofs() {
        #expect(failedCheck(proof) { $0.nonRevocation = .required(index: 3) } == .completeness)
        #expect(failedCheck(proof) { $0.statements = [3: [RangeStatement(.atLeast, 5)]] } == .completeness)
    }
}
