import Foundation
import IdemixCore
import TestSupport
import Testing

/// Issuer, holder, verifier and revocation authority, with nothing between them but bytes.
///
/// Each party builds its values from received bytes, through public API: a type that crosses the wire and cannot be
/// constructed publicly would not compile here.
@Suite struct IdemixPartyTests {
    var issuer: IdemixIssuer
    var holder = IdemixHolder()
    let verifier: IdemixVerifier
    let date = IdemixIssuer.time

    init() throws {
        issuer = try IdemixIssuer(at: date)
        verifier = IdemixVerifier(publicKey: issuer.publicKey)
    }

    /// Issues a credential; the attribute at index 3 is random-blind, that at 4 revokes.
    private mutating func issue() throws {
        let attributes = try IdemixIssuer.attributes(["Alice"]) + [0]
        var builder = ProofListBuilder()
        let pending = try builder.addIssuance(
            publicKey: IssuerPublicKey(xml: issuer.publicKey),
            secretKey: holder.secretKey,
            blindIndices: [3]
        )
        let nonce = BigInteger.random(bits: SystemParameters.Common.nonce)
        let request = try ProofsMessage(builder.prove(nonce: issuer.nonce), nonce: nonce).sent()
        let answer = try issuer.sign(attributes, blindIndices: [3], for: request)
        try holder.finish(pending, with: answer, attributes: attributes, nonce: nonce)
    }

    /// The holder's message that discloses an attribute, by default the one at index 2.
    private func show(
        _ disclosed: Set<Int> = [2],
        provingNonRevocation: Bool = false,
        statements: [Int: [RangeStatement]] = [:],
        squares: RangeStatement.Squares = .four,
        isSignature: Bool = false
    ) throws -> [UInt8] {
        var builder = ProofListBuilder()
        try builder.add(
            DisclosureRequest(
                holder.credential,
                disclosing: disclosed,
                provingNonRevocation: provingNonRevocation,
                statements: statements,
                squares: squares
            )
        )
        return try ProofsMessage(builder.prove(nonce: verifier.nonce, isSignature: isSignature)).sent()
    }

    @Test mutating func issuesAndShows() throws {
        try issue()
        for isSignature in [false, true] {
            let shown = try verifier.verify(show(isSignature: isSignature), isSignature: isSignature)
            #expect(try AttributeEncoding.version3.text(of: #require(shown.attributes[2])) == "Alice")
        }
        #expect(throws: RefusedMessage.self) { try verifier.verify(show(isSignature: true)) }
        #expect(throws: RefusedMessage.self) { try verifier.verify(show(provingNonRevocation: true)) }
    }

    @Test(arguments: [RangeStatement.Squares.three, .four])
    mutating func provesRanges(squares: RangeStatement.Squares) throws {
        try issue()
        let statements = [2: [RangeStatement(.atLeast, 1_000), RangeStatement(.atMost, .powerOfTwo(64))]]
        let proofs = try show([], statements: statements, squares: squares)
        #expect(try verifier.verify(proofs) { $0.statements = statements }.rangeProofs[2]?.count == 2)
        #expect(throws: RefusedMessage.self) { try verifier.verify(proofs) }
    }

    @Test mutating func followsTheRevocationAuthority() throws {
        try issue()
        let accumulator = try verifier.verify(show(provingNonRevocation: true)) {
            $0.nonRevocation = .required(index: 4)
        }.accumulator
        #expect(accumulator?.index == 0)
        for index in 1...3 {
            try issuer.revoke(issuer.authority.makeWitness().e, at: date + Double(index))
        }
        let stale = try show(provingNonRevocation: true)
        // The update's last events, then all of them: events that the holder has already are skipped.
        try holder.update(issuer.update(lastEvents: 3))
        try holder.update(issuer.update(lastEvents: 4))
        let current = NonRevocationExpectation.required(index: 4, minimumAccumulatorIndex: 3)
        let fresh = try show(provingNonRevocation: true)
        #expect(try verifier.verify(fresh) { $0.nonRevocation = current }.accumulator?.index == 3)
        #expect(throws: RefusedMessage.self) { try verifier.verify(stale) { $0.nonRevocation = current } }

        try issuer.revoke(#require(holder.credential.witness).e, at: date + 4)
        #expect(throws: IdemixError.self) { try holder.update(issuer.update(lastEvents: 1)) }
        #expect(try holder.credential.witness?.accumulator.index == 3)
    }

    @Test mutating func signsMessages() throws {
        try issue()
        var builder = ProofListBuilder()
        try builder.add(DisclosureRequest(holder.credential, disclosing: [2]))
        let message = Array("I owe you everything".utf8)
        let contributions = builder.contributions[0]
        let disclosed = try [1: holder.credential.attributes[0], 2: holder.credential.attributes[1]]
        let stamped = try SignatureNonce.timestamp(
            message: message,
            proofs: [(contributions.value, disclosed, IssuerPublicKey(xml: issuer.publicKey))]
        )
        let nonce = SignatureNonce.challenge(nonce: verifier.nonce, message: message, timestampSignature: stamped)
        let sent = try ProofsMessage(builder.prove(nonce: nonce, isSignature: true)).sent()
        #expect(try verifier.verify(sent, nonce: nonce, isSignature: true).attributes.count == 2)
        let other = SignatureNonce.challenge(nonce: verifier.nonce, message: [], timestampSignature: stamped)
        #expect(throws: RefusedMessage.self) { try verifier.verify(sent, nonce: other, isSignature: true) }
    }
}
