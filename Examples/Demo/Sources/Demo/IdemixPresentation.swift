import Credentials
import Foundation

/// A membership as an Idemix credential, of which the wallet proves one attribute in zero knowledge.
enum IdemixPresentation {
    static func run() throws {
        Stage.chapter("5. An Idemix credential: one attribute in zero knowledge")
        let now = Date()
        // 1024 bits are too short for use, and quick to find.
        let keys = try IdemixIssuerKeyPair.generate(.bits1024, counter: 0, expiryDate: now + 86_400, baseCount: 5)
        let metadata = try MetadataAttribute(
            credentialType: "demo.club.member",
            keyCounter: 0,
            signedAt: now,
            expiresAt: now + 30 * 86_400
        )
        let encoding = AttributeEncoding.version3
        let attributes = [metadata.integer, encoding.integer(for: "Åsa Bergström"), encoding.integer(for: "gold")]
        let credential = try issue(attributes, with: keys, at: now)
        Stage.step(
            "issuer",
            "issues a membership with \(attributes.count - 1) attributes, without seeing the holder's secret key"
        )

        let challenge = IdemixChallenge.random()
        let showing = IdemixProofListBuilder()
        try showing.add(IdemixDisclosureRequest(credential, disclosing: [3]))
        let proof = try showing.prove(challenge: challenge).encoded()
        Stage.step(
            "wallet",
            "proves that it holds one, and shows the level alone: \(proof.count) bytes that no other showing has"
        )

        let expected = IdemixProofExpectation.disclosure(IdemixDisclosureExpectation(publicKey: keys.publicKey))
        let verification = try IdemixProofList(decoding: proof).verify(
            expecting: [expected],
            challenge: challenge,
            at: now
        )
        switch verification.verdict {
        case .verified(let proofs):
            let level = try proofs.disclosures.first?.attributes[3].flatMap { try encoding.text(of: $0) }
            Stage.step("verdict", "VERIFIED: level \(level ?? "absent")")
        case .refused(let refusal):
            Stage.step("verdict", "REFUSED: \(refusal.reason), by \(refusal.check): \(refusal.message)")
        }
    }

    /// The holder commits, the issuer signs, the holder checks.
    private static func issue(
        _ attributes: [BigInteger],
        with keys: IdemixIssuerKeyPair,
        at now: Date
    ) throws -> IdemixCredential {
        let request = IdemixProofListBuilder()
        let agreed = try IdemixIssuanceRequest(publicKey: keys.publicKey, attributes: attributes)
        let pending = try request.addIssuance(of: [agreed], secretKey: .random())
        let invitation = IdemixChallenge.random()
        let commitments = try request.prove(challenge: invitation)
        let order = IdemixIssuanceOrder(issuer: IdemixIssuer(keys: keys), attributes: attributes)
        let signatures = try commitments.verify(expecting: [order.expectation], challenge: invitation, at: now).get()
            .sign([order], nonce: pending.nonce)
        guard let credential = try pending.finish(with: signatures).first else { throw CocoaError(.coderInvalidValue) }
        return credential
    }
}
