import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

/// The keyshare server beside holder, issuer and verifier, in the older and the newer protocol, with nothing between them
/// but bytes.
@Suite struct IdemixKeysharePartyTests {
    let issuer: IdemixIssuingParty
    let server: IdemixKeyshareServer
    let verifier: IdemixVerifier
    var holder: IdemixHolder
    let key = "remote.issuer-3"

    init() async throws {
        issuer = try await IdemixIssuingParty(at: IdemixIssuingParty.time)
        server = IdemixKeyshareServer(publicKeys: [key: issuer.publicKey])
        verifier = IdemixVerifier(publicKey: issuer.publicKey)
        holder = IdemixHolder(files: [issuer.publicKey])
    }

    private enum Form: CaseIterable {
        case older
        case newer
        case linkable
    }

    private var publicKey: IdemixIssuerPublicKey {
        get throws { try IdemixIssuerPublicKey(xml: issuer.publicKey) }
    }

    /// The holder's proofs for a challenge, and the server's answer to them, as the holder received it.
    private func prove(
        _ builder: IdemixProofListBuilder,
        _ challenge: IdemixChallenge,
        _ form: Form
    ) async throws -> (own: IdemixProofList, answer: [UInt8]) {
        let inputs = try builder.contributions.map {
            KeyshareChallengeInput(key: KeyshareKeyIdentifier(key), contributions: $0)
        }
        let hash = form == .older ? nil : KeyshareChallengeInput.hash(inputs)
        let (answer, kept) = try server.commit(KeyshareKeys(keys: [key], hash: hash).sent())
        // The server's answer comes over a network; the builder waits.
        await Task.yield()
        let commitment = try KeyshareNumbers(received: answer).number(key)
        let own = try builder.prove(challenge: challenge, keyshareCommitments: [0: commitment])
        guard form != .older else {
            return (own, try server.respond(own.proofs[0].challenge.encoded(), with: kept))
        }
        let request = KeyshareCommitment.ChallengeRequest(
            challenge: challenge,
            userResponse: try #require(own.proofs[0].secretKeyResponse),
            inputs: inputs
        )
        return (own, try server.respond(toInputs: request.encoded(), linkable: form == .linkable, with: kept))
    }

    /// Issues a credential; in the older protocol the holder divides the server's share out of U.
    private mutating func issue(_ form: Form) async throws {
        let attributes = try IdemixIssuingParty.attributes(["Alice"])
        let share = try KeyshareNumbers(received: server.shares(KeyshareKeys(keys: [key]).sent())).number(key)
        let builder = IdemixProofListBuilder()
        let request = try IdemixIssuanceRequest(
            publicKey: publicKey,
            attributes: attributes + [0],
            revocationIndex: 3,
            keyshareP: share
        )
        let pending = try builder.addIssuance(of: [request], secretKey: holder.secretKey)
        holder.store(pending)
        var (sent, answer) = try await prove(builder, issuer.challenge, form)
        if form != .newer { sent = try sent.dividingOut([0: (share, publicKey)]) }
        let signed = try issuer.sign(
            [attributes],
            for: CommitmentsMessage(combinedProofs: sent, n_2: pending.nonce).sent(),
            keyshare: answer,
            multipliesShare: form != .newer
        )
        try holder.finish(with: signed)
        #expect(try holder.credential.signature.keyshareP == share)
    }

    @Test(arguments: Form.allCases, IdemixChallenge.Kind.allCases)
    private mutating func issuesAndShows(form: Form, kind: IdemixChallenge.Kind) async throws {
        try await issue(form)
        let builder = IdemixProofListBuilder()
        try builder.add(IdemixDisclosureRequest(holder.credential, disclosing: [2], provingNonRevocation: true))
        let challenge = IdemixChallenge(nonce: verifier.challenge.nonce, kind: kind)
        let (own, answer) = try await prove(builder, challenge, form)
        let merged = try own.merging(
            KeyshareResponse(decoding: answer),
            at: [0: publicKey],
            multiplyingShare: false
        )
        let shown = try verifier.verify(merged.encoded(), challenge: challenge) {
            $0.keyshareServer = "remote"
            $0.nonRevocation = .required(index: 3)
        }
        #expect(try AttributeEncoding.version3.text(of: #require(shown.attributes[2])) == "Alice")
    }

    @Test mutating func namesTheProofThatAnAnswerDoesNotFit() async throws {
        try await issue(.older)
        let builder = IdemixProofListBuilder()
        try builder.add(IdemixDisclosureRequest(holder.credential, disclosing: [2]))
        let (own, answer) = try await prove(builder, verifier.challenge, .older)
        let response = try KeyshareResponse(decoding: answer)
        let key = try publicKey
        func mismatch(_ response: KeyshareResponse, at position: Int) -> KeyshareMismatch? {
            do throws(IdemixError) {
                _ = try own.merging(response, at: [position: key], multiplyingShare: false)
                return nil
            } catch {
                return error.keyshareMismatch
            }
        }
        #expect(mismatch(response, at: 0) == nil)
        #expect(mismatch(response, at: 3)?.reason == .noProof)
        #expect(mismatch(response, at: 3)?.position == 3)
        let other = KeyshareResponse(P: response.P, challenge: 1, secretKeyResponse: response.secretKeyResponse)
        #expect(mismatch(other, at: 0)?.reason == .otherChallenge)
    }

    @Test mutating func refusesInputsThatWereNotCommittedTo() async throws {
        try await issue(.newer)
        let builder = IdemixProofListBuilder()
        try builder.add(IdemixDisclosureRequest(holder.credential, disclosing: [2]))
        let contributions = try builder.contributions[0]
        let inputs = [KeyshareChallengeInput(key: KeyshareKeyIdentifier(key), contributions: contributions)]
        let hash = KeyshareChallengeInput.hash(inputs)
        let (_, kept) = try server.commit(KeyshareKeys(keys: [key], hash: hash).sent())
        let changed = IdemixProofContributions(
            value: contributions.value,
            commitment: contributions.commitment + 1,
            others: contributions.others
        )
        let request = KeyshareCommitment.ChallengeRequest(
            challenge: IdemixChallenge(nonce: 1),
            userResponse: 1,
            inputs: [KeyshareChallengeInput(key: inputs[0].key, contributions: changed)]
        )
        #expect(throws: IdemixError.self) {
            try server.respond(toInputs: request.encoded(), linkable: false, with: kept)
        }
        #expect(throws: IdemixError.self) { try server.respond(BigInteger(1).encoded(), with: kept) }
    }
}
