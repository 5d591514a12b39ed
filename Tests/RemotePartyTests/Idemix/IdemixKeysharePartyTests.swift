import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

/// The keyshare server beside holder, issuer and verifier, in the older and the newer protocol, with nothing between them
/// but bytes.
@Suite struct IdemixKeysharePartyTests {
    let issuer: IdemixIssuer
    let server: IdemixKeyshareServer
    let verifier: IdemixVerifier
    var holder = IdemixHolder()
    let key = "remote.issuer-3"

    init() throws {
        issuer = try IdemixIssuer(at: IdemixIssuer.time)
        server = IdemixKeyshareServer(publicKeys: [key: issuer.publicKey])
        verifier = IdemixVerifier(publicKey: issuer.publicKey)
    }

    private enum Form: CaseIterable {
        case older
        case newer
        case linkable
    }

    private var publicKey: IssuerPublicKey {
        get throws { try IssuerPublicKey(xml: issuer.publicKey) }
    }

    /// The holder's proofs for a nonce, and the server's answer to them, as the holder received it.
    private func prove(
        _ builder: consuming ProofListBuilder<SystemRandomSource>,
        nonce: BigInteger,
        isSignature: Bool = false,
        _ form: Form
    ) throws -> (own: ProofList, answer: [UInt8]) {
        let inputs = builder.contributions.map {
            KeyshareChallengeInput(key: KeyshareKeyIdentifier(key), contributions: $0)
        }
        let hash = form == .older ? nil : KeyshareChallengeInput.hash(inputs)
        let (answer, kept) = try server.commit(KeyshareKeys(keys: [key], hash: hash).sent())
        let commitment = try KeyshareNumbers(received: answer).number(key)
        let own = builder.prove(nonce: nonce, isSignature: isSignature, keyshareCommitments: [0: commitment])
        guard form != .older else {
            let challenge = KeyshareNumbers(numbers: ["c": Decimal(own.proofs[0].challenge)])
            return (own, try server.respond(challenge.sent(), with: kept))
        }
        let request = KeyshareChallenge(
            KeyshareCommitment.ChallengeRequest(
                nonce: nonce,
                isSignature: isSignature,
                userResponse: try #require(own.proofs[0].secretKeyResponse),
                inputs: inputs
            )
        )
        return (own, try server.respond(toInputs: request.sent(), linkable: form == .linkable, with: kept))
    }

    /// Issues a credential; in the older protocol the holder divides the server's share out of U.
    private mutating func issue(_ form: Form) throws {
        let attributes = try IdemixIssuer.attributes(["Alice"])
        let share = try KeyshareNumbers(received: server.shares(KeyshareKeys(keys: [key]).sent())).number(key)
        var builder = ProofListBuilder()
        let pending = try builder.addIssuance(
            publicKey: publicKey,
            secretKey: holder.secretKey,
            keyshareP: share
        )
        var (sent, answer) = try prove(builder, nonce: issuer.nonce, form)
        if form != .newer { sent = try sent.dividingOut([0: (share, publicKey)]) }
        let nonce = BigInteger.random(bits: SystemParameters.Common.nonce)
        let signed = try issuer.sign(
            attributes,
            for: ProofsMessage(sent, nonce: nonce).sent(),
            keyshare: answer,
            multipliesShare: form != .newer
        )
        try holder.finish(pending, with: signed, attributes: attributes, nonce: nonce)
        #expect(try holder.credential.signature.keyshareP == share)
    }

    @Test(arguments: Form.allCases, [false, true])
    private mutating func issuesAndShows(form: Form, isSignature: Bool) throws {
        try issue(form)
        var builder = ProofListBuilder()
        try builder.add(DisclosureRequest(holder.credential, disclosing: [2], provingNonRevocation: true))
        let (own, answer) = try prove(builder, nonce: verifier.nonce, isSignature: isSignature, form)
        let merged = try own.merging(
            KeyshareAnswer(received: answer).response,
            at: [0: publicKey],
            multiplyingShare: false
        )
        let sent = try ProofsMessage(merged).sent()
        let shown = try verifier.verify(sent, isSignature: isSignature) {
            $0.keyshareServer = "remote"
            $0.nonRevocation = .required(index: 3)
        }
        #expect(try AttributeEncoding.version3.text(of: #require(shown.attributes[2])) == "Alice")
    }

    @Test mutating func refusesInputsThatWereNotCommittedTo() throws {
        try issue(.newer)
        var builder = ProofListBuilder()
        try builder.add(DisclosureRequest(holder.credential, disclosing: [2]))
        let contributions = builder.contributions[0]
        let inputs = [KeyshareChallengeInput(key: KeyshareKeyIdentifier(key), contributions: contributions)]
        let hash = KeyshareChallengeInput.hash(inputs)
        let (_, kept) = try server.commit(KeyshareKeys(keys: [key], hash: hash).sent())
        let changed = ProofContributions(
            value: contributions.value,
            commitment: contributions.commitment + 1,
            others: contributions.others
        )
        let request = KeyshareCommitment.ChallengeRequest(
            nonce: 1,
            isSignature: false,
            userResponse: 1,
            inputs: [KeyshareChallengeInput(key: inputs[0].key, contributions: changed)]
        )
        #expect(throws: IdemixError.self) {
            try server.respond(toInputs: KeyshareChallenge(request).sent(), linkable: false, with: kept)
        }
        let challenge = KeyshareNumbers(numbers: ["c": Decimal(1)])
        #expect(throws: IdemixError.self) { try server.respond(challenge.sent(), with: kept) }
    }
}
