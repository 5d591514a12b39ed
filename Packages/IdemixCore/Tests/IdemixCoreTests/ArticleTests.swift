import Foundation
import IdemixCore
import TestSupport
import Testing

/// The code of the article “Issue, show, verify”, line by line.
@Suite struct ArticleTests {
    @Test func theArticlesCodeRuns() throws {
        let holderNonce = BigInteger(2)
        let keys = try IdemixIssuerKeyPair.generate(.bits1024, counter: 0, expiryDate: .distantFuture, baseCount: 6)
        let secretKey = IdemixHolderSecretKey.random()

        let challenge = IdemixChallenge.random()

        let builder = IdemixProofListBuilder()
        let pending = try builder.addIssuance(publicKey: keys.publicKey, secretKey: secretKey)
        let commitments = try builder.prove(challenge: challenge)

        let expectation = IdemixIssuanceExpectation(publicKey: keys.publicKey)
        let verification = commitments.verify(expecting: [.issuance(expectation)], challenge: challenge, at: .now)
        guard case .issuance(let commitment)? = verification.verified?.proofs.first else { return }

        let metadata = try MetadataAttribute(
            credentialType: "example.issuer.member",
            keyCounter: 0,
            signedAt: .now,
            expiresAt: .now.addingTimeInterval(26 * 604_800)
        )
        let attributes = [metadata.integer, AttributeEncoding.version3.integer(for: "Alice")]
        let issued = try IdemixIssuer(keys: keys).sign(
            attributes: attributes,
            commitment: commitment,
            nonce: holderNonce
        )

        let credential = try pending.finish(with: issued, attributes: attributes, nonce: holderNonce)

        let question = IdemixChallenge.random()

        let showing = IdemixProofListBuilder()
        try showing.add(IdemixDisclosureRequest(credential, disclosing: [2]))
        let proofs = try showing.prove(challenge: question)

        let prepared = try PreparedIdemixDisclosure(IdemixDisclosureRequest(credential, disclosing: [2]))
        let later = IdemixProofListBuilder()
        try later.add(prepared)
        let shownLater = try later.prove(challenge: question)

        let expected = IdemixDisclosureExpectation(publicKey: keys.publicKey, attributeCount: 1)
        let result = proofs.verify(expecting: [.disclosure(expected)], challenge: question, at: .now)
        guard case .disclosure(let shown)? = result.verified?.proofs.first else {
            print("refused:", result.refusal as Any)
            return
        }
        print("verified:", try AttributeEncoding.version3.text(of: shown.attributes[2] ?? 0) as Any)

        #expect(try AttributeEncoding.version3.text(of: shown.attributes[2] ?? 0) == "Alice")
        #expect(shownLater.verify(expecting: [.disclosure(expected)], challenge: question, at: .now).verified != nil)
    }

    @Test func theArticleHoldsNoOtherCode() throws {
        let file = URL(fileURLWithPath: #filePath)
        let layer = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let path = "Sources/IdemixCore/IdemixCore.docc/IssueShowVerify.md"
        let article = try String(contentsOf: layer.appendingPathComponent(path), encoding: .utf8)
        let source = try String(contentsOf: file, encoding: .utf8)
        // A shorter key, so that the test does not take long.
        let lines = source.replacingOccurrences(of: ".bits1024", with: ".bits2048").split(separator: "\n")
        let code = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
        let blocks = article.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0].split(separator: "\n")
                .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
        }
        #expect(blocks.count == 10)
        for block in blocks { #expect(code.contains(block), "\(block)") }
    }
}
