import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

/// Both sides of the keyshare protocol, in its older and its newer form.
@Suite struct KeyshareTests {
    let world: TestWorld
    let secret: KeyshareSecret
    let identifier = KeyshareKeyIdentifier(issuer: "test.issuer", counter: 1)

    init() throws {
        world = try TestWorld()
        secret = .random(using: world.randomness)
    }

    private var keys: [(identifier: KeyshareKeyIdentifier, publicKey: IdemixIssuerPublicKey)] {
        [(identifier, world.publicKey)]
    }

    /// Issues a credential whose secret key is shared with the server, in the older protocol.
    private func issue() throws -> IdemixCredential {
        let commitment = try secret.commit(to: keys, using: world.randomness)
        let builder = IdemixProofListBuilder(using: world.randomness)
        let pending = try builder.addIssuance(
            publicKey: world.publicKey,
            secretKey: world.secretKey,
            keyshareP: commitment.share
        )
        let commitments = try [0: #require(commitment.commitments[identifier])]
        let complete = try builder.prove(nonce: 7, keyshareCommitments: commitments)
        let sent = try complete.dividingOut([0: (commitment.share, world.publicKey)])
        let response = try commitment.response(toChallenge: sent.proofs[0].challenge)
        // The issuer's side.
        let merged = try sent.merging(response, at: [0: world.publicKey], multiplyingShare: true)
        let expectation = IdemixIssuanceExpectation(publicKey: world.publicKey, keyshareServer: "test")
        #expect(merged.verify(expecting: [.issuance(expectation)], nonce: 7).verified != nil)
        #expect(sent.verify(expecting: [.issuance(expectation)], nonce: 7).failedCheck == .proof)
        let attributes = try TestWorld.attributes(["a"])
        let issued = try IdemixIssuer(keys: world.keys, using: world.randomness)
            .sign(attributes: attributes, commitment: try merged.firstIssuance().U, nonce: 8)
        return try pending.finish(with: issued, attributes: attributes, nonce: 8, using: world.randomness)
    }

    @Test func olderProtocolIssuesAndShows() throws {
        let credential = try issue()
        #expect(credential.signature.keyshareP == secret.share(for: world.publicKey))
        let commitment = try secret.commit(to: keys, using: world.randomness)
        let builder = IdemixProofListBuilder(using: world.randomness)
        try builder.add(IdemixDisclosureRequest(credential, disclosing: [2]))
        let own = try builder.prove(
            nonce: 42,
            keyshareCommitments: try [0: #require(commitment.commitments[identifier])]
        )
        #expect(own.verify(expecting: [world.expectation], nonce: 42).failedCheck == .proof)
        let response = try commitment.response(toChallenge: own.proofs[0].challenge)
        let merged = try own.merging(response, at: [0: world.publicKey], multiplyingShare: false)
        #expect(merged.verify(expecting: [world.expectation], nonce: 42).verified != nil)
        #expect(code { _ = try commitment.response(toChallenge: 1) } == .commitmentUsed)
    }

    @Test(arguments: [false, true])
    func newerProtocolShows(linkable: Bool) throws {
        let credential = try issue()
        let stranger = try TestWorld(.bits2048).publicKey
        let builder = IdemixProofListBuilder(using: world.randomness)
        try builder.add(IdemixDisclosureRequest(credential, disclosing: [2]))
        _ = try builder.addIssuance(publicKey: stranger, secretKey: world.secretKey)
        let inputs = zip([identifier, nil], try builder.contributions).map {
            KeyshareChallengeInput(key: $0, contributions: $1)
        }
        let hash = KeyshareChallengeInput.hash(inputs)
        let commitment = try secret.commit(to: keys, inputHash: hash, using: world.randomness)
        let own = try builder.prove(
            nonce: 42,
            keyshareCommitments: try [0: #require(commitment.commitments[identifier])]
        )
        let request = KeyshareCommitment.ChallengeRequest(
            challenge: IdemixChallenge(nonce: 42),
            userResponse: try #require(own.proofs[0].secretKeyResponse),
            inputs: inputs
        )
        let response = try commitment.response(to: request, linkable: linkable)
        #expect(response.challenge == own.proofs[0].challenge)
        #expect((response.P != nil) == linkable)
        let merged = try own.merging(response, at: [0: world.publicKey], multiplyingShare: false)
        let shared = IdemixDisclosureExpectation(publicKey: world.publicKey, keyshareServer: "test")
        let expectations: [IdemixProofExpectation] = [
            .disclosure(shared), .issuance(IdemixIssuanceExpectation(publicKey: stranger)),
        ]
        #expect(merged.verify(expecting: expectations, nonce: 42).verified != nil)
        #expect(code { _ = try commitment.response(to: request) } == .commitmentUsed)
    }

    /// A store hands a commitment on to another process, which answers as the first would have.
    @Test(arguments: [false, true])
    func storedCommitmentsAnswerOnceInTheirProtocol(newer: Bool) throws {
        let input = KeyshareChallengeInput(key: identifier, contributions: try contributions())
        let hash = newer ? KeyshareChallengeInput.hash([input]) : nil
        let commitment = try secret.commit(to: keys, inputHash: hash, using: world.randomness)
        let stored = try commitment.takeEncodedBytes()
        #expect(code { _ = try commitment.takeEncodedBytes() } == .commitmentUsed)
        let request = KeyshareCommitment.ChallengeRequest(
            challenge: IdemixChallenge(nonce: 1),
            userResponse: 5,
            inputs: [input]
        )
        func read(_ secret: KeyshareSecret? = nil) throws -> KeyshareCommitment {
            try KeyshareCommitment(decoding: stored, secret: secret ?? self.secret) {
                $0 == identifier ? world.publicKey : nil
            }
        }
        let copy = try read()
        #expect(copy.commitments == commitment.commitments && copy.share == commitment.share)
        if newer {
            #expect(code { _ = try commitment.response(to: request) } == .commitmentUsed)
            #expect(code { _ = try copy.response(toChallenge: 1) } == .keyshareMismatch)
            let answers = try (copy.response(to: request), read().response(to: request))
            #expect(answers.0 == answers.1 && answers.0.P == nil)
        } else {
            #expect(code { _ = try commitment.response(toChallenge: 7) } == .commitmentUsed)
            #expect(code { _ = try copy.response(to: request) } == .keyshareMismatch)
            let answers = try (copy.response(toChallenge: 7), read().response(toChallenge: 8))
            // ρ + 8s less ρ + 7s is s.
            #expect(answers.1.secretKeyResponse - answers.0.secretKeyResponse == secret.secretInteger)
        }
        #expect(
            code { _ = try (newer ? copy.response(to: request) : copy.response(toChallenge: 1)) } == .commitmentUsed
        )
    }

    @Test func refusesStoredCommitmentsThatBelongElsewhere() throws {
        let stored = try secret.commit(to: keys).takeEncodedBytes()
        let other = try TestWorld(.bits2048).publicKey
        func refusal(_ bytes: [UInt8], _ key: IdemixIssuerPublicKey?) -> IdemixError.Code? {
            code { _ = try KeyshareCommitment(decoding: bytes, secret: secret) { _ in key } }
        }
        let bytes = stored.exposed
        #expect(refusal(bytes, world.publicKey) == nil)
        #expect(refusal(bytes, nil) == .keyPairMismatch)
        #expect(refusal(bytes, other) == .keyPairMismatch)
        #expect(refusal(Array(bytes.dropLast()), world.publicKey) == .malformedCBOR)
        #expect(refusal([], world.publicKey) == .malformedCBOR)
        #expect(refusal([0xa1, 0x67] + Array("version".utf8) + [0x02], world.publicKey) == .malformedCBOR)
    }

    @Test func hashesTheInputsInTheirOrder() throws {
        let contributions = try contributions()
        let input = KeyshareChallengeInput(key: identifier, contributions: contributions)
        var expected: [UInt8] = [0x81, 0xa3, 0x63] + Array("key".utf8) + [0xa2, 0x66] + Array("issuer".utf8)
        expected += [0x6b] + Array("test.issuer".utf8) + [0x67] + Array("counter".utf8) + [0x01]
        for (name, value) in [("val", contributions.value), ("comm", contributions.commitment)] {
            expected +=
                [0x60 | UInt8(name.utf8.count)] + Array(name.utf8) + [0x58, UInt8(value.bytes.count)] + value.bytes
        }
        #expect(KeyshareChallengeInput.hash([input]) == HashAlgorithm.sha256.digest(of: expected))
    }

    private func contributions() throws -> IdemixProofContributions {
        let builder = IdemixProofListBuilder(using: world.randomness)
        _ = try builder.addIssuance(publicKey: world.publicKey, secretKey: world.secretKey)
        return try builder.contributions[0]
    }

    @Test func refusesWhatDoesNotFit() throws {
        let input = KeyshareChallengeInput(key: identifier, contributions: try contributions())
        let hash = KeyshareChallengeInput.hash([input])
        func request(
            _ inputs: [KeyshareChallengeInput],
            response: BigInteger = 1
        ) -> KeyshareCommitment.ChallengeRequest {
            KeyshareCommitment.ChallengeRequest(
                challenge: IdemixChallenge(nonce: 1),
                userResponse: response,
                inputs: inputs
            )
        }
        let older = try secret.commit(to: keys)
        let newer = try secret.commit(to: keys, inputHash: hash)
        #expect(code { _ = try older.response(to: request([input])) } == .keyshareMismatch)
        #expect(code { _ = try newer.response(toChallenge: 1) } == .keyshareMismatch)
        #expect(code { _ = try newer.response(to: request([input, input])) } == .keyshareMismatch)
        #expect(code { _ = try newer.response(to: request([input], response: -1)) } == .outOfRange)
        #expect(code { _ = try newer.response(to: request([input], response: .powerOfTwo(1_000))) } == .outOfRange)
        #expect(code { _ = try older.response(toChallenge: .powerOfTwo(256)) } == .outOfRange)
        #expect(code { _ = try older.response(toChallenge: -1) } == .outOfRange)
        let unknown = KeyshareChallengeInput(
            key: KeyshareKeyIdentifier(issuer: "other", counter: 1),
            contributions: input.contributions
        )
        let foreign = try secret.commit(to: keys, inputHash: KeyshareChallengeInput.hash([unknown]))
        #expect(code { _ = try foreign.response(to: request([unknown])) } == .keyshareMismatch)
        #expect(code { _ = try secret.commit(to: []) } == .keyshareMismatch)
        #expect(code { _ = try secret.commit(to: keys, inputHash: [1]) } == .keyshareMismatch)
        #expect(code { _ = try KeyshareSecret(.powerOfTwo(256)) } == .outOfRange)
        // None of the refusals used the commitments up.
        #expect(try older.response(toChallenge: 1).P == secret.share(for: world.publicKey))
        #expect(try newer.response(to: request([input])).P == nil)
    }

    @Test func refusesAnswersThatBelongElsewhere() throws {
        let world = world
        let list = try world.show(try world.issue(try TestWorld.attributes(["a"])), disclosing: [2])
        let challenge = list.proofs[0].challenge
        func refusal(
            P: BigInteger?,
            challenge: BigInteger,
            response: BigInteger = 1,
            at position: Int = 0
        )
            -> IdemixError.Code?
        {
            let answer = KeyshareResponse(P: P, challenge: challenge, secretKeyResponse: response)
            return code { _ = try list.merging(answer, at: [position: world.publicKey], multiplyingShare: false) }
        }
        #expect(refusal(P: 4, challenge: challenge) == nil)
        #expect(refusal(P: 4, challenge: challenge + 1) == .keyshareMismatch)
        #expect(refusal(P: 0, challenge: challenge) == .notInvertible)
        #expect(refusal(P: 4, challenge: challenge, response: -1) == .outOfRange)
        #expect(refusal(P: 4, challenge: challenge, at: 1) == .keyshareMismatch)
        #expect(code { _ = try list.dividingOut([0: (4, world.publicKey)]) } == .keyshareMismatch)
    }

    /// Answers with P of the older protocol to a list of a disclosure and a commitment under another key.
    @Test func namesTheProofThatAnAnswerDoesNotFit() throws {
        let foreign = try TestWorld(.bits2048).publicKey
        let builder = IdemixProofListBuilder(using: world.randomness)
        try builder.add(IdemixDisclosureRequest(try world.issue(try TestWorld.attributes(["a"])), disclosing: [2]))
        _ = try builder.addIssuance(publicKey: foreign, secretKey: world.secretKey)
        _ = try builder.addIssuance(publicKey: world.publicKey, secretKey: world.secretKey)
        let list = try builder.prove(nonce: 42)
        let (own, c) = (world.publicKey, list.proofs[0].challenge)
        func mismatch(
            _ answer: KeyshareResponse,
            _ keys: [Int: IdemixIssuerPublicKey],
            in list: IdemixProofList
        ) -> KeyshareMismatch? {
            do throws(IdemixError) {
                _ = try list.merging(answer, at: keys, multiplyingShare: true)
                return nil
            } catch {
                #expect(error.path == error.keyshareMismatch?.position.map { ["proofs[\($0)]"] } ?? [])
                return error.keyshareMismatch
            }
        }
        let share = secret.share(for: own)
        let answer = KeyshareResponse(P: share, challenge: c, secretKeyResponse: 1)
        #expect(mismatch(answer, [0: own, 2: own], in: list) == nil)
        func expect(
            _ reason: KeyshareMismatch.Reason,
            at position: Int?,
            _ answer: KeyshareResponse,
            _ keys: [Int: IdemixIssuerPublicKey],
            in other: IdemixProofList? = nil
        ) {
            let found = mismatch(answer, keys, in: other ?? list)
            #expect(found?.reason == reason && found?.position == position, "\(String(describing: found))")
        }
        expect(.noProof, at: 7, answer, [0: own, 7: own])
        expect(.shareOfOtherKey, at: 1, answer, [0: own, 1: foreign, 2: own])
        let other = KeyshareResponse(P: share, challenge: c + 1, secretKeyResponse: 1)
        expect(.otherChallenge, at: 0, other, [0: own, 2: own])
        let outside = KeyshareResponse(P: own.elements.n, challenge: c, secretKeyResponse: 1)
        expect(.shareOutsideGroup, at: 2, outside, [0: own, 2: own])
        expect(.missingShare, at: 2, KeyshareResponse(P: nil, challenge: c, secretKeyResponse: 1), [0: own, 2: own])
        expect(.negativeNumber, at: nil, KeyshareResponse(P: share, challenge: c, secretKeyResponse: -1), [0: own])
        let disclosure = try list.firstDisclosure()
        let bare = disclosure.changed(attributeResponses: disclosure.attributeResponses.filter { $0.key != 0 })
        expect(.noSecretKeyResponse, at: 0, answer, [0: own], in: IdemixProofList([.disclosure(bare)]))
        do throws(IdemixError) {
            _ = try list.dividingOut([0: (share, own), 2: (share, own)])
        } catch {
            #expect(error.keyshareMismatch?.reason == .noCommitment && error.keyshareMismatch?.position == 0)
        }
    }

    /// The share P of a key of 2048 bits is no number of a group of 1024 bits, and disclosures do not need it.
    @Test func mergesDisclosuresUnderKeysOfSeveralLengths() throws {
        let long = TestWorld(keys: try TestKeys.pair(.bits2048), like: world)
        let names = ["a.b-1", "c.d-1"].compactMap { KeyshareKeyIdentifier($0) }
        let keys = zip(names, [world.publicKey, long.publicKey]).map { (identifier: $0, publicKey: $1) }
        let builder = IdemixProofListBuilder(using: world.randomness)
        for issuer in [world, long] {
            try builder.add(IdemixDisclosureRequest(try issue(issuer), disclosing: [2]))
        }
        let commitment = try secret.commit(to: keys, using: world.randomness)
        let factors = try [
            0: #require(commitment.commitments[names[0]]), 1: #require(commitment.commitments[names[1]]),
        ]
        let own = try builder.prove(nonce: 42, keyshareCommitments: factors)
        let answer = try commitment.response(toChallenge: own.proofs[0].challenge)
        let merged = try own.merging(
            answer,
            at: [0: world.publicKey, 1: long.publicKey],
            multiplyingShare: true
        )
        let expectations = keys.map {
            IdemixProofExpectation.disclosure(IdemixDisclosureExpectation(publicKey: $0.publicKey, keyshareServer: "s"))
        }
        #expect(merged.verify(expecting: expectations, nonce: 42).verified != nil)
    }

    private func issue(_ world: TestWorld) throws -> IdemixCredential {
        let builder = IdemixProofListBuilder(using: world.randomness)
        let pending = try builder.addIssuance(
            publicKey: world.publicKey,
            secretKey: world.secretKey,
            keyshareP: secret.share(for: world.publicKey)
        )
        let U = try builder.prove(nonce: 7).firstIssuance().U
        let attributes = try TestWorld.attributes(["a"])
        let issued = try IdemixIssuer(keys: world.keys, using: world.randomness)
            .sign(attributes: attributes, commitment: U, nonce: 8)
        return try pending.finish(with: issued, attributes: attributes, nonce: 8, using: world.randomness)
    }

    @Test func commitmentsAnswerOnceUnderConcurrency() async throws {
        let commitment = try secret.commit(to: keys)
        let answers = await withTaskGroup(of: Bool.self) { group in
            for challenge in 1...50 {
                group.addTask { (try? commitment.response(toChallenge: BigInteger(challenge))) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(answers == 1)
    }

    @Test func namesKeys() {
        #expect(identifier.description == "test.issuer-1")
        #expect(KeyshareKeyIdentifier("test.issuer-1") == identifier)
        #expect(KeyshareKeyIdentifier("a-b-3")?.issuer == "a-b")
        for text in ["", "-1", "a", "a-", "a-x", "a-+1"] { #expect(KeyshareKeyIdentifier(text) == nil) }
    }
}
