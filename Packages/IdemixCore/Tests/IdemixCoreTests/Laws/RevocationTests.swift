import CBORKit
import CredentialTesting
import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

@Suite struct RevocationTests {
    let world: TestWorld
    let start = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws {
        world = try TestWorld()
    }

    private func authority() throws -> RevocationAuthority {
        try RevocationAuthority(keys: world.keys, at: start, using: world.randomness)
    }

    /// A credential with the attributes metadata, one text, and the revocation attribute at index 3.
    private func credential(_ authority: RevocationAuthority) throws -> IdemixCredential {
        try world.issue(try TestWorld.attributes(["a"]), authority: authority)
    }

    private func prove(_ credential: IdemixCredential) throws -> IdemixDisclosureProof {
        let builder = IdemixProofListBuilder(using: world.randomness)
        try builder.add(IdemixDisclosureRequest(credential, disclosing: [2], provingNonRevocation: true))
        return try builder.prove(nonce: 42).firstDisclosure()
    }

    private func verify(
        _ proof: IdemixDisclosureProof,
        _ nonRevocation: NonRevocationExpectation = .required(index: 3)
    ) -> Verification<VerifiedIdemixProofList> {
        let expectation = IdemixDisclosureExpectation(publicKey: world.publicKey, nonRevocation: nonRevocation)
        return IdemixProofList([.disclosure(proof)]).verify(expecting: [.disclosure(expectation)], nonce: 42)
    }

    @Test func theFirstEventHasItsHash() {
        let hash = "1220c88ca8e2655297750c8c785049234d117485eff28e33374d0e88f31ed285617b"
        #expect(RevocationEvent.first.hash.bytes.hex == hash)
    }

    @Test(arguments: [IdemixSystemParameters.bits1024, .bits2048])
    func provesThatNothingWasRevoked(parameters: IdemixSystemParameters) throws {
        let world = try TestWorld(parameters)
        let authority = try RevocationAuthority(keys: world.keys, at: start, using: world.randomness)
        let credential = try world.issue(try TestWorld.attributes(["a"]), authority: authority)
        let builder = IdemixProofListBuilder(using: world.randomness)
        try builder.add(IdemixDisclosureRequest(credential, disclosing: [], provingNonRevocation: true))
        let expectation = IdemixDisclosureExpectation(publicKey: world.publicKey, nonRevocation: .required(index: 3))
        let verdict = try builder.prove(nonce: 42).verify(expecting: [.disclosure(expectation)], nonce: 42)
        let verified = try #require(verdict.verified, "\(String(describing: verdict.refusal))")
        guard case .disclosure(let shown) = verified.proofs[0] else { throw TestFailure("no disclosure") }
        #expect(shown.accumulator == authority.accumulator)
    }

    @Test func witnessesFollowTheAccumulator() throws {
        var authority = try authority()
        var credential = try credential(authority)
        for round in 1...4 {
            for _ in 0..<round {
                try authority.revoke(authority.makeWitness().e, at: start + Double(round), keys: world.keys)
            }
            let update = try authority.update(lastEvents: 16).verified(by: world.publicKey)
            let witness = try #require(credential.witness).updated(with: update, publicKey: world.publicKey)
            credential = try credential.updatingWitness(witness)
            #expect(witness.accumulator == authority.accumulator)
            #expect(verify(try prove(credential)).verified != nil)
        }
        #expect(verify(try prove(credential), .required(index: 3, minimumAccumulatorIndex: 10)).verified != nil)
        let tooNew = NonRevocationExpectation.required(index: 3, minimumAccumulatorIndex: 11)
        #expect(verify(try prove(credential), tooNew).failedCheck == .status)
    }

    /// A credential and its witness after some other credentials were revoked.
    private func revokingOthers(
        _ authority: inout RevocationAuthority,
        _ credential: IdemixCredential,
        at offset: Double
    ) throws -> RevocationWitness {
        for _ in 0..<3 { try authority.revoke(authority.makeWitness().e, at: start + offset, keys: world.keys) }
        let update = try authority.update(lastEvents: 16).verified(by: world.publicKey)
        return try #require(credential.witness).updated(with: update, publicKey: world.publicKey)
    }

    @Test func preparedDisclosuresMoveWithTheAccumulator() throws {
        var authority = try authority()
        let credential = try credential(authority)
        let request = try IdemixDisclosureRequest(credential, disclosing: [2], provingNonRevocation: true)
        let prepared = try PreparedIdemixDisclosure(request, using: world.randomness)
        let stale = IdemixProofListBuilder(using: world.randomness)
        try stale.add(PreparedIdemixDisclosure(request, using: world.randomness))
        let first = try revokingOthers(&authority, credential, at: 1)
        let second = try revokingOthers(&authority, credential.updatingWitness(first), at: 2)
        let moved = try prepared.moved(to: first).moved(to: second)
        let builder = IdemixProofListBuilder(using: world.randomness)
        try builder.add(moved)
        // C_u, ν and the commitment to ν are others than in a proof for the older accumulator: six contributions.
        #expect(try builder.contributions[0].others.count == 6)
        #expect(try builder.contributions[0].others[2] == authority.accumulator.value)
        let proof = try builder.prove(nonce: 42).firstDisclosure()
        let verdict = verify(proof, .required(index: 3, minimumAccumulatorIndex: 6))
        #expect(verdict.verified != nil, "\(String(describing: verdict.refusal))")
        let old = try stale.prove(nonce: 42).firstDisclosure()
        #expect(verify(old, .required(index: 3, minimumAccumulatorIndex: 6)).failedCheck == .status)
    }

    @Test func onlyThreeContributionsChangeWithTheAccumulator() throws {
        var authority = try authority()
        let credential = try credential(authority)
        let request = try IdemixDisclosureRequest(credential, disclosing: [2], provingNonRevocation: true)
        func contributions(movingTo witness: RevocationWitness?) throws -> [BigInteger] {
            // The same seed: the same secrets and randomizers.
            let randomness = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 99))
            var prepared = try PreparedIdemixDisclosure(request, using: randomness)
            if let witness { prepared = try prepared.moved(to: witness) }
            let builder = IdemixProofListBuilder(using: randomness)
            try builder.add(prepared)
            return try builder.contributions[0].all
        }
        let before = try contributions(movingTo: nil)
        let after = try contributions(movingTo: try revokingOthers(&authority, credential, at: 1))
        // A', Z~, then C_r, C_u, ν, and the commitments cr, nu, one.
        #expect(zip(before, after).map { $0 == $1 } == [true, true, true, false, false, true, false, true])
    }

    @Test func aMovedDisclosureIsUsedUp() throws {
        var authority = try authority()
        let credential = try credential(authority)
        let request = try IdemixDisclosureRequest(credential, disclosing: [2], provingNonRevocation: true)
        let prepared = try PreparedIdemixDisclosure(request, using: world.randomness)
        let witness = try revokingOthers(&authority, credential, at: 1)
        _ = try prepared.moved(to: witness)
        #expect(code { _ = try prepared.moved(to: witness) } == .commitmentUsed)
        var refusal: IdemixError.Code?
        let builder = IdemixProofListBuilder(using: world.randomness)
        do throws(IdemixError) { try builder.add(prepared) } catch { refusal = error.code }
        #expect(refusal == .commitmentUsed)
        #expect(try builder.contributions.isEmpty)
        let another = try PreparedIdemixDisclosure(request, using: world.randomness)
        let stranger = try authority.makeWitness()
        #expect(code { _ = try another.moved(to: stranger) } == .invalidWitness)
    }

    @Test func poolsMoveWithTheAccumulator() throws {
        var authority = try authority()
        let credential = try credential(authority)
        let pool = IdemixDisclosurePool(
            try IdemixDisclosureRequest(credential, disclosing: [2], provingNonRevocation: true),
            using: world.randomness
        )
        try pool.fill(to: 2)
        let stranger = try authority.makeWitness()
        #expect(code { try pool.move(to: stranger) } == .invalidWitness)
        #expect(pool.count == 2)
        try pool.move(to: try revokingOthers(&authority, credential, at: 1))
        #expect(pool.count == 2)
        // Two that were ready, and one that is made now.
        for _ in 0..<3 {
            let builder = IdemixProofListBuilder(using: world.randomness)
            try builder.add(pool.next())
            let proof = try builder.prove(nonce: 42).firstDisclosure()
            #expect(verify(proof, .required(index: 3, minimumAccumulatorIndex: 3)).verified != nil)
        }
    }

    @Test func aRevokedCredentialGetsNoNewWitness() throws {
        var authority = try authority()
        let witness = try #require(try credential(authority).witness)
        try authority.revoke(witness.e, at: start + 1, keys: world.keys)
        let update = try authority.update(lastEvents: 5).verified(by: world.publicKey)
        #expect(code { _ = try witness.updated(with: update, publicKey: world.publicKey) } == .revoked)
    }

    @Test func missingEventsAreNoticed() throws {
        var authority = try authority()
        let witness = try #require(try credential(authority).witness)
        for _ in 0..<3 { try authority.revoke(authority.makeWitness().e, at: start + 1, keys: world.keys) }
        let late = try authority.update(lastEvents: 2).verified(by: world.publicKey)
        #expect(code { _ = try witness.updated(with: late, publicKey: world.publicKey) } == .updateTooNew)
        let none = try authority.update(lastEvents: 0).verified(by: world.publicKey)
        #expect(code { _ = try witness.updated(with: none, publicKey: world.publicKey) } == .updateTooNew)
    }

    @Test func aRefreshedAccumulatorKeepsTheWitness() throws {
        var authority = try authority()
        let witness = try #require(try credential(authority).witness)
        try authority.refresh(at: start + 60, keys: world.keys)
        let update = try authority.update(lastEvents: 0).verified(by: world.publicKey)
        let refreshed = try witness.updated(with: update, publicKey: world.publicKey)
        #expect(refreshed.accumulator.time == 1_700_000_060)
        #expect(refreshed.accumulator.date == start + 60)
        #expect(try refreshed.updated(with: update, publicKey: world.publicKey) == refreshed)
    }

    @Test func tamperedChainsAreRefused() throws {
        var authority = try authority()
        for _ in 0..<3 { try authority.revoke(authority.makeWitness().e, at: start + 1, keys: world.keys) }
        let update = try authority.update(lastEvents: 3)
        let events = try #require(update.events)
        let primes = try events.primes()
        func refusal(_ firstIndex: UInt64, _ parent: RevocationEventHash, _ primes: [BigInteger]) -> IdemixError.Code? {
            code {
                let list = try RevocationEventList(firstIndex: firstIndex, firstParent: parent, primes: primes)
                let changed = RevocationUpdate(signedAccumulator: update.signedAccumulator, events: list)
                _ = try changed.verified(by: world.publicKey)
            }
        }
        #expect(refusal(events.firstIndex, events.firstParent, primes) == nil)
        #expect(refusal(events.firstIndex + 1, events.firstParent, primes) == .invalidEventChain)
        #expect(refusal(events.firstIndex, .none, primes) == .invalidEventChain)
        #expect(refusal(events.firstIndex, events.firstParent, primes.reversed()) == .invalidEventChain)
        #expect(refusal(events.firstIndex, events.firstParent, Array(primes.dropLast())) == .invalidEventChain)
        #expect(refusal(.max, events.firstParent, primes) == .invalidEventChain)
        #expect(refusal(1, events.firstParent, [.powerOfTwo(196)]) == .invalidEventChain)
        #expect(refusal(1, events.firstParent, [0]) == .invalidEventChain)
        let many = [BigInteger](repeating: 3, count: RevocationEventList.maximumCount + 1)
        #expect(refusal(1, events.firstParent, many) == .limitExceeded)
        #expect(code { _ = try RevocationEventHash(bytes: [0x12, 0x20]) } == .invalidEventChain)
    }

    /// The events are not read before the signature and the last index have been checked.
    @Test func verifiesTheSignatureBeforeTheEvents() throws {
        var authority = try authority()
        for _ in 0..<3 { try authority.revoke(authority.makeWitness().e, at: start + 1, keys: world.keys) }
        let signed = authority.signedAccumulator
        func update(_ signed: SignedAccumulator, firstIndex: UInt64, count: Int) throws -> RevocationUpdate {
            var writer = CBORWriter()
            writer.beginMap(count: 2)
            writer.write(text: "sacc")
            writer.write(signed)
            writer.write(text: "e")
            writer.beginMap(count: 3)
            writer.write(text: "i")
            writer.write(unsigned: firstIndex)
            writer.write(text: "hash")
            writer.write(bytes: RevocationEventHash.none.bytes)
            writer.write(text: "e")
            writer.beginArray(count: count)
            for _ in 0..<count { writer.write(text: "no number") }
            return try RevocationUpdate(cbor: CBORDocument(writer.finish()).root)
        }
        func refusal(_ update: RevocationUpdate) -> IdemixError.Code? {
            code { _ = try update.verified(by: world.publicKey) }
        }
        let unsigned = SignedAccumulator(data: signed.data.dropLast() + [(signed.data.last ?? 0) ^ 1], keyCounter: 1)
        let maximum = RevocationEventList.maximumCount
        #expect(refusal(try update(unsigned, firstIndex: 0, count: maximum)) == .invalidSignedMessage)
        #expect(refusal(try update(signed, firstIndex: 0, count: maximum)) == .invalidEventChain)
        #expect(refusal(try update(signed, firstIndex: 0, count: 4)) == .invalidNumber)
        #expect(code { _ = try update(signed, firstIndex: 0, count: maximum + 1) } == .limitExceeded)
        #expect(code { _ = try update(signed, firstIndex: .max, count: 1) } == .invalidEventChain)
    }

    @Test func signedMessagesAreCheckedWhole() throws {
        let authority = try authority()
        let signed = authority.signedAccumulator
        func refusal(_ data: [UInt8], counter: UInt = 1) -> IdemixError.Code? {
            code { _ = try SignedAccumulator(data: data, keyCounter: counter).verified(by: world.publicKey) }
        }
        #expect(refusal(signed.data) == nil)
        #expect(refusal(signed.data, counter: 2) == .invalidSignedMessage)
        #expect(refusal(signed.data + [0]) == .invalidSignedMessage)
        #expect(refusal([]) == .invalidSignedMessage)
        #expect(refusal([UInt8](repeating: 0, count: 65 << 10)) == .limitExceeded)
        for index in stride(from: 0, to: signed.data.count, by: 7) {
            var data = signed.data
            data[index] ^= 1
            #expect(refusal(data) != nil)
        }
        let plain = try IdemixIssuerPublicKey(counter: 1, expiryDate: start, elements: world.publicKey.elements)
        #expect(code { _ = try signed.verified(by: plain) } == .revocationNotSupported)
    }

    @Test func refusesToSignANegativeValue() throws {
        let genuine = try authority().accumulator
        let negative = RevocationAccumulator(
            value: -genuine.value,
            index: genuine.index,
            time: genuine.time,
            eventHash: genuine.eventHash
        )
        #expect(code { _ = try UnsignedAccumulator(negative, publicKey: world.publicKey) } == .invalidNumber)
    }

    @Test func updatesGoThroughCBOR() throws {
        var authority = try authority()
        try authority.revoke(authority.makeWitness().e, at: start + 1, keys: world.keys)
        for count in [0, 2] {
            let update = try authority.update(lastEvents: count)
            let again = try RevocationUpdate(cbor: try CBORDocument(update.cborEncoded()).root)
            #expect(again == update)
            #expect(try again.verified(by: world.publicKey).accumulator == authority.accumulator)
        }
        let resumed = try RevocationAuthority(keys: world.keys, continuing: try authority.update(lastEvents: 1))
        #expect(resumed.accumulator == authority.accumulator)
        let bare = try authority.update(lastEvents: 0)
        #expect(code { _ = try RevocationAuthority(keys: world.keys, continuing: bare) } == .invalidEventChain)
    }

    @Test func writesTheAccumulatorByteForByte() throws {
        let authority = try authority()
        let document = try CBORDocument(authority.signedAccumulator.data)
        let message = try document.root.map().required("Msg").bytes()
        var expected: [UInt8] = [0xa4, 0x62] + Array("Nu".utf8) + [0x58, 0x80]
        expected += authority.accumulator.value.bytes(paddedTo: 128)
        expected += [0x65] + Array("Index".utf8) + [0x00, 0x64] + Array("Time".utf8) + [0x1a, 0x65, 0x53, 0xf1, 0x00]
        expected += [0x69] + Array("EventHash".utf8) + [0x58, 0x22] + RevocationEvent.first.hash.bytes
        #expect(Array(message) == expected)
    }

    @Test func eachChangedNumberOfTheProofFails() throws {
        let proof = try prove(try credential(try authority()))
        let own = try #require(proof.nonRevocation)
        let responses = own.responses
        func failedCheck(
            Cr: BigInteger? = nil,
            Cu: BigInteger? = nil,
            beta: BigInteger? = nil,
            delta: BigInteger? = nil,
            epsilon: BigInteger? = nil,
            zeta: BigInteger? = nil
        ) -> Check? {
            let changed = NonRevocationProof(
                Cr: Cr ?? own.Cr,
                Cu: Cu ?? own.Cu,
                responses: NonRevocationProof.Responses(
                    beta: beta ?? responses.beta,
                    delta: delta ?? responses.delta,
                    epsilon: epsilon ?? responses.epsilon,
                    zeta: zeta ?? responses.zeta
                ),
                signedAccumulator: own.signedAccumulator
            )
            return verify(proof.changed(nonRevocation: .some(changed))).failedCheck
        }
        #expect(failedCheck() == nil)
        let n = world.publicKey.elements.n
        for number in [0, 1, n, world.keys.privateKey.factors.p] {
            #expect(failedCheck(Cr: number) == .groupElements)
            #expect(failedCheck(Cu: number) == .groupElements)
        }
        #expect(failedCheck(Cr: n - own.Cr) == .proof)
        #expect(failedCheck(Cu: n - own.Cu) == .proof)
        #expect(failedCheck(beta: responses.beta + 1) == .proof)
        #expect(failedCheck(delta: responses.delta + 1) == .proof)
        #expect(failedCheck(epsilon: responses.epsilon + 1) == .proof)
        #expect(failedCheck(zeta: responses.zeta + 1) == .proof)
        // The bound: floor(n/4) · 2^580 and floor(n/4) · 2^385. Each is the first number that is refused.
        let (long, short) = (quarter * .powerOfTwo(580), quarter * .powerOfTwo(385))
        #expect(failedCheck(beta: long) == .groupElements && failedCheck(beta: long - 1) == .proof)
        #expect(failedCheck(delta: long) == .groupElements && failedCheck(delta: long - 1) == .proof)
        #expect(failedCheck(epsilon: short) == .groupElements && failedCheck(epsilon: short - 1) == .proof)
        #expect(failedCheck(zeta: short) == .groupElements && failedCheck(zeta: short - 1) == .proof)
        #expect(failedCheck(beta: -1) == .groupElements && failedCheck(zeta: -1) == .groupElements)
    }

    private var quarter: BigInteger {
        let n = world.publicKey.elements.n
        var quarter = BigInteger.zero
        for bit in stride(from: n.bitCount - 3, through: 0, by: -1) {
            let candidate = quarter + .powerOfTwo(bit)
            if candidate * 4 <= n { quarter = candidate }
        }
        return quarter
    }

    @Test func theIndexComesFromTheCredentialTypeOnly() throws {
        let proof = try prove(try credential(try authority()))
        #expect(verify(proof, .required(index: 2)).failedCheck == .indices)
        #expect(verify(proof, .required(index: 0)).failedCheck == .indices)
        #expect(verify(proof, .required(index: 9)).failedCheck == .indices)
        // 2^580 is the largest response that the rule allows.
        let edge = proof.settingResponse(3, to: .powerOfTwo(580))
        #expect(verify(edge).failedCheck == .proof)
        #expect(verify(proof.settingResponse(3, to: .powerOfTwo(580) + 1)).failedCheck == .groupElements)
    }

    @Test func expectsTheProofThatWasAskedFor() throws {
        let proof = try prove(try credential(try authority()))
        #expect(verify(proof, .absent).failedCheck == .unrequestedProofs)
        #expect(verify(proof, .allowed(index: 3)).verified != nil)
        let tooNew = NonRevocationExpectation.allowed(index: 3, minimumAccumulatorIndex: 1)
        #expect(verify(proof, tooNew).failedCheck == .status)
        let stripped = proof.changed(nonRevocation: .some(nil))
        #expect(verify(stripped).failedCheck == .status)
        #expect(verify(stripped, .allowed(index: 3)).failedCheck == .proof)
        #expect(verify(stripped, .absent).failedCheck == .proof)
        // The credential can be revoked, but no proof of non-revocation was requested.
        let plain = try world.show(try credential(try authority()), disclosing: [2]).firstDisclosure()
        #expect(verify(plain, .absent).verified != nil)
        #expect(verify(plain, .allowed(index: 3)).verified != nil)
    }

    @Test func witnessesOfOthersAreRefused() throws {
        let authority = try authority()
        let witness = try authority.makeWitness().message
        func refusal(u: BigInteger? = nil, e: BigInteger? = nil) -> IdemixError.Code? {
            code {
                let changed = ReceivedWitness(
                    u: u ?? witness.u,
                    e: e ?? witness.e,
                    signedAccumulator: witness.signedAccumulator
                )
                _ = try changed.verified(by: world.publicKey)
            }
        }
        #expect(refusal() == nil)
        #expect(refusal(u: witness.u * 4) != nil)
        #expect(refusal(u: 0) == .invalidWitness)
        #expect(refusal(e: witness.e + 2) == .invalidWitness)
        #expect(refusal(e: 7) == .invalidWitness)
        #expect(refusal(e: .powerOfTwo(195) + 9) == .invalidWitness)
        let credential = try credential(authority)
        let other = try authority.makeWitness()
        #expect(code { _ = try credential.updatingWitness(other) } == .invalidWitness)
        var authorityToo = authority
        #expect(code { try authorityToo.revoke(2, at: start, keys: world.keys) } == .outOfRange)
    }
}
