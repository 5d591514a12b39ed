import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

/// States that a wallet reaches only after an update, a restart or a retry, and that no recorded session shows.
///
/// In the recorded sessions a witness still belongs to the accumulator that it was issued for, updates hold the whole
/// chain of events, nothing was prepared ahead of its session, and each message was sent and answered once. Tested here
/// with a wallet that plays the peer's form (``PeerWallet``), or with this module's own where both send the same:
///
/// | state | how it differs from what is recorded |
/// |---|---|
/// | prepared commitment moved to a newer accumulator | C_u is u·H^r2, unreduced, of up to twice the modulus's length |
/// | the same, moved again | the product is made anew: not longer |
/// | prepared commitment whose accumulator was signed anew | the newer signed accumulator with the older commitments |
/// | the same, with a keyshare server of the newer protocol | the server hashes C_u as the wallet does |
/// | witness updated over several updates, some of which overlap | u is another, the signed accumulator the newest |
/// | witness and credential read from storage after a restart | v is complete, the witness is verified again |
/// | prepared disclosure after the wallet got another witness | refused or moved, never answered for the older one |
/// | second answer of an issuer to the same commitment (lost answer) | another A, e and v for the same U |
/// | keyshare server asked again after a lost answer | a fresh commitment; the earlier one stays unanswered |
/// | same proofs received twice (retry) | the same verdict: a verification keeps no state |
/// | credential older than its type's newest attribute | trailing attributes are missing |
/// | authority started again from its last published events | the chain goes on; earlier events are elsewhere |
///
/// A holder that restarts between its commitment and the issuer's signature starts the issuance anew, and a keyshare
/// server that restarts between commitment and response answers that there is no commitment: neither state is stored.
@Suite struct UnrecordedStatesTests {
    let world: TestWorld
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    var authority: RevocationAuthority
    /// Metadata, one text, and the revocation attribute at index 3.
    let credential: IdemixCredential
    let peer: PeerWallet

    init() throws {
        world = try TestWorld()
        authority = try RevocationAuthority(keys: world.keys, at: start, using: world.randomness)
        credential = try world.issue(try TestWorld.attributes(["a"]), authority: authority)
        peer = PeerWallet(
            publicKey: world.publicKey,
            credential: credential,
            secretKey: world.secretKey,
            randomness: world.randomness
        )
    }

    private func failedCheck(_ proof: IdemixDisclosureProof, keyshareServer: String? = nil) -> Check? {
        let expectation = IdemixDisclosureExpectation(
            publicKey: world.publicKey,
            keyshareServer: keyshareServer,
            nonRevocation: .required(index: 3, minimumAccumulatorIndex: authority.accumulator.index)
        )
        return IdemixProofList([.disclosure(proof)]).verify(expecting: [.disclosure(expectation)], nonce: 42)
            .failedCheck
    }

    /// The witness after other credentials were revoked.
    private mutating func revokingOthers(
        _ count: Int,
        _ witness: RevocationWitness?,
        lastEvents: Int = 16
    ) throws -> RevocationWitness {
        for _ in 0..<count { try authority.revoke(authority.makeWitness().e, at: start + 1, keys: world.keys) }
        let update = try authority.update(lastEvents: lastEvents).verified(by: world.publicKey)
        return try #require(witness).updated(with: update, publicKey: world.publicKey)
    }

    @Test mutating func acceptsAnUnreducedCuAfterAMove() throws {
        var prepared = peer.prepare(try #require(credential.witness))
        #expect(failedCheck(peer.prove(prepared, revocationIndex: 3)) == nil)
        let n = world.publicKey.elements.n
        var witness = try revokingOthers(3, credential.witness)
        for _ in 0..<2 {
            peer.move(&prepared, to: witness)
            #expect(prepared.Cu > n && prepared.Cu.bitCount <= 2 * n.bitCount)
            let proof = peer.prove(prepared, revocationIndex: 3)
            #expect(failedCheck(proof) == nil)
            // It is hashed as it was received.
            let own = try #require(proof.nonRevocation)
            #expect(failedCheck(proof.replacingCu(own.Cu.modulo(n))) == .proof)
            witness = try revokingOthers(1, witness)
        }
    }

    @Test mutating func acceptsARedatedAccumulatorWithOlderCommitments() throws {
        let witness = try #require(credential.witness)
        var prepared = peer.prepare(witness)
        try authority.refresh(at: start + 60, keys: world.keys)
        let update = try authority.update(lastEvents: 0).verified(by: world.publicKey)
        let redated = try witness.updated(with: update, publicKey: world.publicKey)
        #expect(redated.accumulator.value == witness.accumulator.value)
        peer.redate(&prepared, to: redated)
        let proof = peer.prove(prepared, revocationIndex: 3)
        #expect(proof.nonRevocation?.signedAccumulator == authority.signedAccumulator)
        #expect(failedCheck(proof) == nil)
    }

    /// Above 1, at most twice as long as the modulus, and coprime with it.
    @Test func boundsAnUnreducedCu() throws {
        let n = world.publicKey.elements.n
        let proof = peer.prove(peer.prepare(try #require(credential.witness)), revocationIndex: 3)
        let largest = BigInteger.powerOfTwo(2 * n.bitCount) - 1
        #expect(failedCheck(proof.replacingCu(largest)) == .proof)
        #expect(failedCheck(proof.replacingCu(2)) == .proof)
        let factor = world.keys.privateKey.factors.p
        for Cu in [largest + 1, 1, 0, -2, n, n * 2, n * n, factor, n + factor] {
            #expect(failedCheck(proof.replacingCu(Cu)) == .groupElements)
        }
    }

    @Test mutating func keyshareServersHashAnUnreducedCu() throws {
        let secret = KeyshareSecret.random(using: world.randomness)
        let key = KeyshareKeyIdentifier(issuer: "test.issuer", counter: 1)
        let builder = IdemixProofListBuilder(using: world.randomness)
        let share = secret.share(for: world.publicKey)
        let pending = try builder.addIssuance(
            publicKey: world.publicKey,
            secretKey: world.secretKey,
            keyshareP: share
        )
        let received = try authority.makeWitness(using: world.randomness)
        let attributes = try TestWorld.attributes(["a"])
        let issued = try IdemixIssuer(keys: world.keys, using: world.randomness).sign(
            attributes: attributes + [received.e],
            commitment: builder.contributions[0].value,
            nonce: 8,
            witness: received.message
        )
        let shared = try pending.finish(with: issued, attributes: attributes + [0], revocationIndex: 3, nonce: 8)
        let wallet = PeerWallet(
            publicKey: world.publicKey,
            credential: shared,
            secretKey: world.secretKey,
            randomness: world.randomness
        )
        var prepared = wallet.prepare(received)
        wallet.move(&prepared, to: try revokingOthers(2, received))

        // The wallet's part without the server's; then the server's answer, which holds the sum of both responses.
        var contributions: [BigInteger] = []
        let alone = wallet.prove(prepared, revocationIndex: 3) { own in
            contributions = own
            return 0
        }
        let input = KeyshareChallengeInput(
            key: key,
            contributions: IdemixProofContributions(
                value: contributions[0],
                commitment: contributions[1],
                others: Array(contributions.dropFirst(2))
            )
        )
        let commitment = try secret.commit(
            to: [(key, world.publicKey)],
            inputHash: KeyshareChallengeInput.hash([input]),
            using: world.randomness
        )
        let factor = try #require(commitment.commitments[key])
        contributions[1] = (contributions[1] * factor).modulo(world.publicKey.elements.n)
        let expected = IdemixChallenge(nonce: 42).hash(of: contributions)
        let request = KeyshareCommitment.ChallengeRequest(
            challenge: IdemixChallenge(nonce: 42),
            userResponse: try #require(alone.attributeResponses[0]),
            inputs: [input]
        )
        #expect(try commitment.response(to: request).challenge == expected)
    }

    @Test mutating func followsOverlappingUpdates() throws {
        var witness = try #require(credential.witness)
        for (revoked, lastEvents) in [(2, 2), (1, 3), (3, 16), (0, 4)] {
            witness = try revokingOthers(revoked, witness, lastEvents: lastEvents)
            #expect(witness.accumulator == authority.accumulator)
            let updated = try credential.updatingWitness(witness)
            let builder = IdemixProofListBuilder(using: world.randomness)
            try builder.add(IdemixDisclosureRequest(updated, disclosing: [], provingNonRevocation: true))
            #expect(failedCheck(try builder.prove(nonce: 42).firstDisclosure()) == nil)
        }
    }

    @Test mutating func provesAfterARestartOfWalletAndAuthority() throws {
        let stored = try revokingOthers(2, credential.witness).message
        authority = try RevocationAuthority(keys: world.keys, continuing: try authority.update(lastEvents: 1))
        let restored = try IdemixCredential(
            publicKey: IdemixIssuerPublicKey(xml: world.publicKey.xml),
            signature: credential.signature,
            secretKey: IdemixHolderSecretKey(world.secretKey.secretInteger),
            attributes: credential.attributes,
            witness: stored.verified(by: world.publicKey)
        )
        let request = try IdemixDisclosureRequest(restored, disclosing: [2], provingNonRevocation: true)
        let prepared = try PreparedIdemixDisclosure(request, using: world.randomness)
        let witness = try revokingOthers(2, restored.witness, lastEvents: 2)
        let builder = IdemixProofListBuilder(using: world.randomness)
        try builder.add(prepared.moved(to: witness))
        let proof = try builder.prove(nonce: 42).firstDisclosure()
        #expect(failedCheck(proof) == nil)
        // A retry: the same bytes again.
        #expect(failedCheck(proof) == nil)
        #expect(code { _ = try prepared.moved(to: witness) } == .commitmentUsed)
    }

    @Test func finishesWithASecondAnswerToTheSameCommitment() throws {
        let builder = IdemixProofListBuilder(using: world.randomness)
        let pending = try builder.addIssuance(publicKey: world.publicKey, secretKey: world.secretKey)
        let U = try builder.prove(nonce: 7).firstIssuance().U
        let attributes = try TestWorld.attributes(["a"])
        let issuer = IdemixIssuer(keys: world.keys, using: world.randomness)
        _ = try issuer.sign(attributes: attributes, commitment: U, nonce: 8)
        let second = try issuer.sign(attributes: attributes, commitment: U, nonce: 8)
        let credential = try pending.finish(with: second, attributes: attributes, nonce: 8)
        #expect(credential.signature.A == second.signature.A)
    }

    @Test func asksTheKeyshareServerAgainAfterALostAnswer() throws {
        let secret = KeyshareSecret.random(using: world.randomness)
        let keys = [(identifier: KeyshareKeyIdentifier(issuer: "test.issuer", counter: 1), publicKey: world.publicKey)]
        let lost = try secret.commit(to: keys, using: world.randomness)
        let again = try secret.commit(to: keys, using: world.randomness)
        #expect(lost.commitments != again.commitments)
        #expect(try again.response(toChallenge: 5).P == lost.share)
    }

    /// A type that got further attributes after the credential was issued: the missing ones count as absent.
    @Test func acceptsACredentialOlderThanItsTypesNewestAttribute() throws {
        let list = try world.show(credential, disclosing: [2])
        let expectation = IdemixDisclosureExpectation(publicKey: world.publicKey, attributeCount: 4)
        let verified = list.verify(expecting: [.disclosure(expectation)], nonce: 42).verified
        guard case .disclosure(let shown)? = verified?.proofs.first else { throw TestFailure("no disclosure") }
        #expect(shown.lastIndex == 3)
    }

    /// A type that has grown, of which the issuer and the holder know before the verifier does.
    @Test func acceptsHiddenAttributesThatTheTypeDoesNotHaveYet() throws {
        let hidden = try world.show(credential, disclosing: [2])
        let expectation = IdemixDisclosureExpectation(publicKey: world.publicKey, attributeCount: 1)
        let verified = hidden.verify(expecting: [.disclosure(expectation)], nonce: 42).verified
        guard case .disclosure(let shown)? = verified?.proofs.first else { throw TestFailure("no disclosure") }
        #expect(shown.lastIndex == 3)
        let disclosed = try world.show(credential, disclosing: [3])
        guard case .refused(let refusal) = disclosed.verify(expecting: [.disclosure(expectation)], nonce: 42).verdict
        else { throw TestFailure("a disclosed attribute that the type does not have") }
        #expect(refusal.reason == .malformed)
        #expect(refusal.message.contains("does not have a disclosed attribute"))
    }
}

extension IdemixDisclosureProof {
    /// The same proof with another C_u.
    fileprivate func replacingCu(_ Cu: BigInteger) -> IdemixDisclosureProof {
        let changed = nonRevocation.map {
            NonRevocationProof(
                Cr: $0.Cr,
                Cu: Cu,
                responses: $0.responses,
                signedAccumulator: $0.signedAccumulator
            )
        }
        return self.changed(nonRevocation: .some(changed))
    }
}
