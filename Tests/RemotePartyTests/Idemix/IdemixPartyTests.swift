import Foundation
import IdemixCore
import TestSupport
import Testing

/// Issuer, holder, verifier, revocation authority and keyshare server, with nothing between them but bytes.
///
/// Each party makes its values of what it received, through public API: a type that crosses the wire and could only be
/// taken over from the party that made it would not compile here.
@Suite struct IdemixPartyTests {
    var issuer: IdemixIssuer
    var holder = IdemixHolder()
    let date = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        issuer = try IdemixIssuer(at: date)
    }

    private var publicKey: IssuerPublicKey {
        get throws { try IssuerPublicKey(xml: issuer.publicKey) }
    }

    /// Issues a credential without a keyshare server; the attribute at index 3 is random-blind, that at 4 revokes.
    private mutating func issue() throws {
        let attributes = try IdemixIssuer.attributes(["Alice"]) + [0]
        var builder = ProofListBuilder()
        let pending = try builder.addIssuance(
            publicKey: publicKey,
            secretKey: holder.secretKey,
            blindIndices: [3]
        )
        let nonce = BigInteger.random(bits: SystemParameters.Common.nonce)
        let request = try ProofsMessage(builder.prove(nonce: issuer.nonce), nonce: nonce).sent()
        let answer = try issuer.sign(attributes, blindIndices: [3], for: request)
        try holder.finish(pending, with: answer, attributes: attributes, nonce: nonce)
    }

    /// A verifier's verdict about received proofs of a credential with the revocation attribute at index 4.
    private func verify(
        _ message: [UInt8],
        isSignature: Bool = false,
        _ change: (inout DisclosureExpectation) -> Void = { _ in }
    ) throws -> VerifiedDisclosure {
        let list = try ProofsMessage(received: message).list()
        var expectation = DisclosureExpectation(publicKey: try publicKey, attributeCount: 3)
        change(&expectation)
        let verdict = list.verify(expecting: [.disclosure(expectation)], nonce: 42, isSignature: isSignature)
        guard case .disclosure(let shown)? = verdict.verified?.proofs.first else {
            throw RefusedMessage("\(String(describing: verdict.failure))")
        }
        return shown
    }

    @Test mutating func issuesAndShows() throws {
        try issue()
        for isSignature in [false, true] {
            var builder = ProofListBuilder()
            try builder.add(DisclosureRequest(holder.credential, disclosing: [2]))
            let proofs = try ProofsMessage(builder.prove(nonce: 42, isSignature: isSignature)).sent()
            let shown = try verify(proofs, isSignature: isSignature)
            #expect(try AttributeEncoding.version3.text(of: #require(shown.attributes[2])) == "Alice")
        }
    }
}
