import Foundation
import IdemixCore
import Testing

/// Messages that a protocol description prints without naming their keys: some key of the set has to verify them.
struct PrintedMessages {
    let json: JSON

    func check() throws -> Int {
        var cases = 0
        if !json.signedMessage.isNull {
            try checkSignedMessage(json.signedMessage)
            cases += 1
        }
        let signatures = json.serverSessionResponse.sigs.array
        if !signatures.isEmpty {
            let nonce = try json.issueCommitments["n_2"].read(BigInteger.self)
            for signature in signatures {
                try checkIssuerProof(signature, nonce: nonce)
                cases += 1
            }
        }
        return cases
    }

    private func checkSignedMessage(_ message: JSON) throws {
        let proofs = try message.signature.array.map { try $0.read(IdemixDisclosureProof.self) }
        let timestamp = message.timestamp.Sig.Data.text.flatMap { Data(base64Encoded: $0) }
        let challenge = IdemixChallenge.signature(
            of: Array(try #require(message.message.text).utf8),
            context: try message.context.read(),
            nonce: try message.nonce.read(),
            timestampSignature: timestamp.map { [UInt8]($0) }
        )
        let counter = try MetadataAttribute(integer: try #require(proofs[0].disclosedAttributes[1])).keyCounter
        let keys = try RecordedKeys.allPublicKeys().filter { $0.counter == UInt(counter) }
        let verifying = keys.filter { key in
            let verdict = IdemixProofList(proofs.map { .disclosure($0) }).verify(
                expecting: proofs.map { _ in
                    .disclosure(IdemixDisclosureExpectation(publicKey: key, acceptsExpired: true))
                },
                challenge: challenge,
                at: .distantPast
            )
            return verdict.verified != nil
        }
        #expect(!verifying.isEmpty, "the signed message verifies under none of \(keys.count) keys")
    }

    private func checkIssuerProof(_ message: JSON, nonce: BigInteger) throws {
        let issued = try message.read(IssuedCLSignature.self)
        let keys = try RecordedKeys.allPublicKeys()
        let verifying = keys.filter { key in
            (try? issued.proof.verify(signature: issued.signature, nonce: nonce, publicKey: key)) != nil
        }
        #expect(!verifying.isEmpty, "the issuer's proof verifies under none of \(keys.count) keys")
    }
}
