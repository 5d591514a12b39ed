import Foundation
import IdemixCore
import TestSupport
import Testing

/// Issuer, holder, verifier and revocation authority, with nothing between them but bytes.
///
/// Each party builds its values from received bytes, through public API: a type that crosses the wire and cannot be
/// constructed publicly would not compile here.
@Suite struct IdemixPartyTests {
    var issuer: IdemixIssuingParty
    var holder: IdemixHolder
    let verifier: IdemixVerifier
    let date = IdemixIssuingParty.time

    init() async throws {
        issuer = try await IdemixIssuingParty(at: date)
        holder = IdemixHolder(files: [issuer.publicKey, issuer.publicKey])
        verifier = IdemixVerifier(publicKey: issuer.publicKey)
    }

    /// Issues two credentials in one step; the attribute at index 3 is random-blind, that at 4 revokes.
    private mutating func issue() throws {
        let credentials = try ["Alice", "Bob"].map { try IdemixIssuingParty.attributes([$0]) + [0] }
        let publicKey = try IdemixIssuerPublicKey(xml: issuer.publicKey)
        let requests = try credentials.map { attributes in
            try IdemixIssuanceRequest(
                publicKey: publicKey,
                attributes: attributes + [0],
                blindIndices: [3],
                revocationIndex: 4
            )
        }
        let request = try holder.commit(to: requests, challenge: issuer.challenge)
        try holder.finish(with: issuer.sign(credentials, blindIndices: [3], for: request))
    }

    /// The holder's message that discloses an attribute, by default the one at index 2.
    private func show(
        _ disclosed: Set<Int> = [2],
        provingNonRevocation: Bool = false,
        statements: [Int: [RangeStatement]] = [:],
        squares: RangeStatement.Squares = .four,
        challenge: IdemixChallenge? = nil
    ) throws -> [UInt8] {
        let builder = IdemixProofListBuilder()
        try builder.add(
            IdemixDisclosureRequest(
                holder.credential,
                disclosing: disclosed,
                provingNonRevocation: provingNonRevocation,
                statements: statements,
                squares: squares
            )
        )
        return try builder.prove(challenge: challenge ?? verifier.challenge).encoded()
    }

    @Test mutating func issuesAndShows() throws {
        try issue()
        let signature = IdemixChallenge(nonce: verifier.challenge.nonce, kind: .signature)
        for challenge in [verifier.challenge, signature] {
            let shown = try verifier.verify(show(challenge: challenge), challenge: challenge)
            #expect(try AttributeEncoding.version3.text(of: #require(shown.attributes[2])) == "Alice")
            #expect(shown.credentialType?.identifier == "remote.issuer.member")
            #expect(shown.metadata.keyCounter == 3 && shown.publicKey.xml == issuer.publicKey)
        }
        #expect(throws: RefusedMessage.self) { try verifier.verify(show(challenge: signature)) }
        #expect(throws: RefusedMessage.self) { try verifier.verify(show(provingNonRevocation: true)) }
    }

    @Test mutating func showsSeveralCredentialsOfOneHolder() throws {
        try issue()
        let builder = IdemixProofListBuilder()
        for credential in try holder.credentials {
            try builder.add(IdemixDisclosureRequest(credential, disclosing: [2]))
        }
        let sent = try builder.prove(challenge: verifier.challenge).encoded()
        #expect(try verifier.verify(sent).attributes.count == 2)
        let mine = IdemixHolder(files: [issuer.publicKey])
        #expect(throws: IdemixError.self) {
            // A stored credential is of no use with another secret key.
            try IdemixCredential(
                decoding: holder.stored[0],
                publicKey: IdemixIssuerPublicKey(xml: issuer.publicKey),
                secretKey: mine.secretKey
            )
        }
    }

    @Test(arguments: [RangeStatement.Squares.three, .four])
    mutating func provesRanges(squares: RangeStatement.Squares) throws {
        try issue()
        let statements = [2: [RangeStatement(.atLeast, 1_000), RangeStatement(.atMost, .powerOfTwo(64))]]
        let proofs = try show([], statements: statements, squares: squares)
        #expect(try verifier.verify(proofs) { $0.statements = statements }.rangeProofs[2]?.count == 2)
        #expect(throws: RefusedMessage.self) { try verifier.verify(proofs) }
    }

    @Test mutating func followsTheRevocationAuthority() async throws {
        try issue()
        let accumulator = try verifier.verify(show(provingNonRevocation: true)) {
            $0.nonRevocation = .required(index: 4)
        }.accumulator
        #expect(accumulator?.index == 0)
        for index in 1...3 {
            try await issuer.revoke(issuer.authority.makeWitness().e, at: date + Double(index))
        }
        let stale = try show(provingNonRevocation: true)
        // The update's last events, then all of them: events that the holder has already are skipped.
        try holder.update(issuer.update(lastEvents: 3))
        try holder.update(issuer.update(lastEvents: 4))
        let current = NonRevocationExpectation.required(index: 4, minimumAccumulatorIndex: 3)
        let fresh = try show(provingNonRevocation: true)
        #expect(try verifier.verify(fresh) { $0.nonRevocation = current }.accumulator?.index == 3)
        #expect(throws: RefusedMessage.self) { try verifier.verify(stale) { $0.nonRevocation = current } }

        try await issuer.revoke(#require(holder.credential.witness).e, at: date + 4)
        #expect(throws: IdemixError.self) { try holder.update(issuer.update(lastEvents: 1)) }
        #expect(try holder.credential.witness?.accumulator.index == 3)
    }

    @Test mutating func signsMessages() throws {
        try issue()
        let builder = IdemixProofListBuilder()
        try builder.add(IdemixDisclosureRequest(holder.credential, disclosing: [2]))
        let message = Array("I owe you everything".utf8)
        let contributions = try builder.contributions[0]
        let disclosed = try [1: holder.credential.attributes[0], 2: holder.credential.attributes[1]]
        let stamped = try IdemixSignatureNonce.timestamp(
            message: message,
            proofs: [(contributions.value, disclosed, IdemixIssuerPublicKey(xml: issuer.publicKey))]
        )
        let nonce = verifier.challenge.nonce
        let challenge = IdemixChallenge.signature(of: message, nonce: nonce, timestampSignature: stamped)
        let sent = try builder.prove(challenge: challenge).encoded()
        #expect(try verifier.verify(sent, challenge: challenge).attributes.count == 2)
        let other = IdemixChallenge.signature(of: [], nonce: nonce, timestampSignature: stamped)
        #expect(throws: RefusedMessage.self) { try verifier.verify(sent, challenge: other) }
    }
}
