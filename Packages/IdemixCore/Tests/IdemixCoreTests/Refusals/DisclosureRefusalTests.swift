import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

/// Each rule of a disclosure's verification, broken separately: all but the challenge are checked before any power is
/// computed.
@Suite struct DisclosureRefusalTests {
    let world: TestWorld
    let proof: IdemixDisclosureProof

    init() throws {
        world = try TestWorld()
        let credential = try world.issue(try TestWorld.attributes(["a", "b"]))
        proof = try world.show(credential, disclosing: [2]).firstDisclosure()
    }

    private func failedCheck(
        _ proof: IdemixDisclosureProof,
        _ change: (inout IdemixDisclosureExpectation) -> Void = { _ in }
    ) -> Check? {
        var expectation = IdemixDisclosureExpectation(publicKey: world.publicKey)
        change(&expectation)
        let list = IdemixProofList([.disclosure(proof)])
        let count = PowerCount()
        let check = count.during { list.verify(expecting: [.disclosure(expectation)], nonce: 42).failedCheck }
        #expect((count.powers == 0) == (check != nil && check != .proof))
        return check
    }

    @Test func acceptsTheUnchangedProof() {
        #expect(failedCheck(proof) == nil)
        #expect(failedCheck(proof) { $0.attributeCount = 2 } == nil)
    }

    @Test func refusesWrongCountsAndKinds() throws {
        let list = IdemixProofList([.disclosure(proof)])
        #expect(list.verify(expecting: [], nonce: 42).failedCheck == .proofCount)
        #expect(list.verify(expecting: [world.expectation, world.expectation], nonce: 42).failedCheck == .proofCount)
        let issuance = IdemixProofExpectation.issuance(IdemixIssuanceExpectation(publicKey: world.publicKey))
        #expect(list.verify(expecting: [issuance], nonce: 42).failedCheck == .type)
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
        #expect(failedCheck(proof) { $0.attributeCount = 0 } == .indices)
        var many = hidden
        for index in 4...7 { many[index] = 1 }
        #expect(failedCheck(proof.changed(attributeResponses: many)) == .indices)
        for index in [0, 2] {
            #expect(failedCheck(proof.changed(rangeProofs: [index: []])) { $0.statements = [index: []] } == .indices)
        }
    }

    @Test func refusesAProofWithoutOneOfItsResponses() {
        let last = proof.attributeResponses.filter { $0.key != 3 }
        #expect(failedCheck(proof.changed(attributeResponses: last)) == .proof)
    }

    /// An attribute of value zero behind the last is absent: a proof may hide it, and disclose it as long as the type has it.
    @Test func boundsDisclosedTrailingAttributesByTheType() {
        let hidden = proof.settingResponse(4, to: 0)
        let disclosed = proof.settingAttribute(4, to: 0)
        for changed in [hidden, disclosed] {
            #expect(failedCheck(changed) == nil)
            #expect(failedCheck(changed) { $0.attributeCount = 3 } == nil)
        }
        #expect(failedCheck(hidden) { $0.attributeCount = 2 } == nil)
        #expect(failedCheck(disclosed) { $0.attributeCount = 2 } == .indices)
        #expect(failedCheck(proof.settingResponse(4, to: 1)) == .proof)
        #expect(failedCheck(proof.settingAttribute(4, to: 1)) == .proof)
    }

    @Test func refusesNumbersOutsideTheirRanges() {
        let parameters = world.publicKey.parameters
        func edge(_ bits: Int) -> BigInteger { .powerOfTwo(bits) - 1 }
        func past(_ bits: Int) -> BigInteger { .powerOfTwo(bits) }
        let lengths: [(Int, (BigInteger) -> IdemixDisclosureProof)] = [
            (parameters.challenge, { self.proof.changed(challenge: $0) }),
            (parameters.eCommitment + 1, { self.proof.changed(eResponse: $0) }),
            (parameters.vCommitment + 1, { self.proof.changed(vResponse: $0) }),
            (parameters.attributeCommitment + 1, { self.proof.settingResponse(0, to: $0) }),
            (parameters.attributeCommitment + 1, { self.proof.settingResponse(3, to: $0) }),
        ]
        for (bits, change) in lengths {
            #expect(failedCheck(change(edge(bits))) == .proof)
            #expect(failedCheck(change(past(bits))) == .responseRanges)
            #expect(failedCheck(change(-1)) == .responseRanges)
            #expect(failedCheck(change(0)) == .proof)
        }
        #expect(failedCheck(proof.settingAttribute(2, to: -1)) == .responseRanges)
        #expect(failedCheck(proof.changed(vResponse: past(8 << 20))) == .responseRanges)
    }

    @Test func refusesNumbersOutsideTheGroup() {
        let n = world.publicKey.elements.n
        let p = world.keys.privateKey.factors.p
        for A in [0, 1, -1, n, n + 1, p, p * 2, BigInteger.powerOfTwo(8 << 20)] {
            #expect(failedCheck(proof.changed(A: A)) == .groupElements)
        }
        #expect(failedCheck(proof.changed(A: n - 1)) == .proof)
        #expect(failedCheck(proof.changed(A: 2)) == .proof)
    }

    @Test func refusesDifferentChallenges() {
        let other = proof.changed(challenge: proof.challenge + 1)
        let list = IdemixProofList([.disclosure(proof), .disclosure(other)])
        let verdict = list.verify(expecting: [world.expectation, world.expectation], nonce: 42)
        #expect(verdict.failedCheck == .commonChallenge)
    }

    /// A credential is verified from its signing date to its expiry, with a minute for the clocks.
    @Test func refusesCredentialsOutsideTheirPeriod() throws {
        let metadata = try MetadataAttribute(integer: try #require(proof.disclosedAttributes[1]))
        let list = IdemixProofList([.disclosure(proof)])
        func reason(at time: Date, acceptsExpired: Bool = false) -> Reason? {
            let expectation = IdemixDisclosureExpectation(publicKey: world.publicKey, acceptsExpired: acceptsExpired)
            let verification = list.verify(
                expecting: [.disclosure(expectation)],
                challenge: IdemixChallenge(nonce: 42),
                at: time
            )
            #expect(verification.refusal == nil || verification.refusal?.check == .validity)
            #expect(verification.refusal == nil || verification.refusal?.path == ["proofs[0]", "metadata"])
            #expect(
                !acceptsExpired || verification.results(of: .validity).map(\.outcome) == [.waived("acceptsExpired")]
            )
            return verification.refusal?.reason
        }
        #expect(reason(at: metadata.signingDate - 60) == nil)
        #expect(reason(at: metadata.signingDate - 61) == .notYetValid)
        #expect(reason(at: metadata.expiryDate + 59) == nil)
        #expect(reason(at: metadata.expiryDate + 60) == .expired)
        #expect(reason(at: metadata.expiryDate + 60, acceptsExpired: true) == nil)
        #expect(reason(at: metadata.signingDate - 61, acceptsExpired: true) == nil)
    }

    /// Accepting expired credentials does not make up for a key that had expired when it signed.
    @Test func refusesAnExpiredKeyWhereExpiredCredentialsAreAccepted() throws {
        let metadata = try proof.metadata()
        let key = try IdemixIssuerPublicKey(
            counter: 1,
            expiryDate: metadata.signingDate - 1,
            elements: world.publicKey.elements,
            revocationKey: world.publicKey.revocationKey
        )
        let verification = IdemixProofList([.disclosure(proof)]).verify(
            expecting: [.disclosure(IdemixDisclosureExpectation(publicKey: key, acceptsExpired: true))],
            challenge: IdemixChallenge(nonce: 42),
            at: metadata.expiryDate + 60
        )
        #expect(verification.refusal?.check == .validity && verification.refusal?.reason == .expired)
        // The caller may look at both later.
        var left = IdemixDisclosureExpectation(publicKey: key)
        left.leavesValidity = true
        let leaving = IdemixProofList([.disclosure(proof)]).verify(
            expecting: [.disclosure(left)],
            challenge: IdemixChallenge(nonce: 42),
            at: metadata.expiryDate + 60
        )
        #expect(leaving.verified != nil)
        #expect(leaving.results(of: .validity).map(\.outcome) == [.waived("leavesValidity")])
    }

    @Test func namesThePeriodAndTheTimeItWasComparedWith() throws {
        let metadata = try proof.metadata()
        func message(_ publicKey: IdemixIssuerPublicKey, at time: Date) throws -> String {
            let expectation = IdemixProofExpectation.disclosure(IdemixDisclosureExpectation(publicKey: publicKey))
            let list = IdemixProofList([.disclosure(proof)])
            let verification = list.verify(expecting: [expectation], challenge: IdemixChallenge(nonce: 42), at: time)
            return try #require(verification.refusal?.message)
        }
        let (begin, end) = (metadata.signingDate, metadata.expiryDate)
        for (bound, time) in [(begin, begin - 99), (end, end + 99)] {
            let message = try message(world.publicKey, at: time)
            #expect(message.contains(bound.formatted(.iso8601)) && message.contains(time.formatted(.iso8601)))
        }
        // Times that Foundation cannot describe.
        for time in [1e300, -1e300] {
            #expect(try message(world.publicKey, at: Date(timeIntervalSince1970: time)) != "")
        }
        let key = try IdemixIssuerPublicKey(
            counter: 1,
            expiryDate: begin - 1,
            elements: world.publicKey.elements,
            revocationKey: world.publicKey.revocationKey
        )
        let early = try message(key, at: TestWorld.time)
        #expect(early.contains(begin.formatted(.iso8601)) && early.contains((begin - 1).formatted(.iso8601)))
    }

    @Test func refusesMetadataThatCannotBeRead() throws {
        let credential = try world.issue([5, 6])
        let list = try world.show(credential, disclosing: [2])
        for acceptsExpired in [false, true] {
            let expectation = IdemixDisclosureExpectation(publicKey: world.publicKey, acceptsExpired: acceptsExpired)
            let verification = list.verify(expecting: [.disclosure(expectation)], nonce: 42)
            #expect(verification.refusal?.check == .credentialType)
            #expect(verification.refusal?.reason == .malformed)
            #expect(verification.refusal?.path == ["proofs[0]", "metadata"])
        }
    }

    @Test func usersChecksCanOnlyRefuse() async throws {
        let list = IdemixProofList([.disclosure(proof)])
        let own = AdditionalCheck<VerifiedIdemixProofList>("own") { list, time throws(CheckFault) in
            #expect(time == TestWorld.time)
            guard case .disclosure(let shown)? = list.proofs.first, shown.attributes[2] != nil else { return }
            throw .failed("unwanted", "the attribute is not to be shown")
        }
        for (expectations, reason) in [([world.expectation], "unwanted" as Reason), ([], .malformed)] {
            let verification = await list.verify(
                expecting: expectations,
                challenge: IdemixChallenge(nonce: 42),
                at: TestWorld.time
            )
            .checking([own])
            #expect(verification.refusal?.reason == reason)
            #expect(verification.checks.map(\.check) == IdemixProofList.checks + ["own"])
        }
        let verified = list.verify(
            expecting: [world.expectation],
            challenge: IdemixChallenge(nonce: 42),
            at: TestWorld.time
        )
        .checking("own") { _, _ in }
        #expect(verified.verified != nil)
    }

    @Test func refusesIncompleteProofs() {
        #expect(failedCheck(proof) { $0.nonRevocation = .required(index: 3) } == .status)
        #expect(failedCheck(proof) { $0.statements = [3: [RangeStatement(.atLeast, 5)]] } == .requiredClaims)
    }
}
