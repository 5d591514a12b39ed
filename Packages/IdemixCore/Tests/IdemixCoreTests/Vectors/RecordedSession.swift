import Foundation
import IdemixCore
import Testing

/// One recorded session: what was asked, sent and expected.
struct RecordedSession {
    let json: JSON
    /// When it was recorded.
    let time: Date

    /// Verifies everything cryptographic in the session and gives the number of cases.
    func check() throws -> Int {
        var cases = 0
        if !json.proofs.array.isEmpty {
            try checkProofs()
            cases += 1
        }
        for message in json.issueSignatures.array {
            try checkIssuerProof(message)
            cases += 1
        }
        for (_, requirement) in json.request.revocation.object {
            for (counter, update) in requirement.updates.object {
                try checkUpdate(update, counter: counter)
                cases += 1
            }
        }
        if json["timestampNonceBase64"].text != nil {
            try checkNonces()
            cases += 1
        }
        return cases
    }

    private func checkProofs() throws {
        let list = IdemixProofList(try json.proofs.array.map { try $0.proof.read() })
        let proofs = try verify(list, acceptsExpired: true)
        let expectation = json.expected.gabiProofListVerifies.bool
        let expected = try #require(expectation as Bool?)
        #expect((proofs.verified != nil) == expected, "\(String(describing: proofs.refusal))")
        guard expected, let status = json.expected.proofStatus.text else { return }
        let current = try verify(list, acceptsExpired: false)
        #expect((current.refusal?.reason == .expired) == (status == "EXPIRED"), "\(status)")
        #expect(current.refusal == nil || current.refusal?.check == .validity)
    }

    private func verify(_ list: IdemixProofList, acceptsExpired: Bool) throws -> Verification<VerifiedIdemixProofList> {
        list.verify(
            expecting: try json.proofs.array.map { try expectation($0, acceptsExpired: acceptsExpired) },
            challenge: IdemixChallenge(
                context: try json.verify.context.decimalInteger(),
                nonce: try json.verify.nonce.decimalInteger(),
                kind: json.verify.isSignature.bool == true ? .signature : .proof
            ),
            at: time
        )
    }

    private func expectation(_ proof: JSON, acceptsExpired: Bool) throws -> IdemixProofExpectation {
        let publicKey = try RecordedKeys.publicKey(proof.publicKey)
        let server = proof.keyshareServer.text == "." ? nil : proof.keyshareServer.text
        guard proof.kind.text == "ProofD" else {
            let blind = Set(try proof.proof.read(IssuanceCommitmentProof.self).attributeResponses.keys)
            return .issuance(
                IdemixIssuanceExpectation(publicKey: publicKey, blindIndices: blind, keyshareServer: server)
            )
        }
        let type = try #require(proof.metadata.credentialType.text)
        return .disclosure(
            IdemixDisclosureExpectation(
                publicKey: publicKey,
                keyshareServer: server,
                nonRevocation: try nonRevocation(credentialType: type, keyCounter: publicKey.counter),
                acceptsExpired: acceptsExpired || json.request.skipExpiryCheck.array.contains { $0.text == type }
            )
        )
    }

    /// The revocation expectation of a request for a credential type, for credentials under the key with a counter.
    private func nonRevocation(
        credentialType type: String,
        keyCounter: UInt
    ) throws -> NonRevocationExpectation {
        let requirement = json.request.revocation[type]
        guard !requirement.isNull, let index = try RecordedKeys.revocationIndex(credentialType: type) else {
            return .absent
        }
        let update = requirement.updates[String(keyCounter)]
        let last = update.isNull ? nil : try update.read(RevocationUpdate.self).events?.lastIndex
        return .required(index: index, minimumAccumulatorIndex: last ?? 0)
    }

    private func checkIssuerProof(_ message: JSON) throws {
        let issued = try message.message.read(IssuedCLSignature.self)
        let publicKey = try RecordedKeys.publicKey(message.publicKey)
        var verifies = true
        do {
            _ = try issued.proof.verify(
                signature: issued.signature,
                context: try json.context.decimalInteger(),
                nonce: try json.nonce2.decimalInteger(),
                publicKey: publicKey
            )
        } catch {
            verifies = false
        }
        #expect(verifies == message.proofSVerifies.bool)
        _ = try issued.witness?.verified(by: publicKey)
    }

    private func checkUpdate(_ json: JSON, counter: String) throws {
        let update = try json.read(RevocationUpdate.self)
        let keys = try RecordedKeys.allPublicKeys().filter { $0.supportsRevocation && String($0.counter) == counter }
        let verified = keys.compactMap { try? update.verified(by: $0) }
        #expect(!verified.isEmpty, "the update verifies under none of \(keys.count) keys with counter \(counter)")
    }

    private func checkNonces() throws {
        let message = Array(try #require(json.message.text).utf8)
        let encoded = try #require(json.timestamp.Sig.Data.text)
        let timestamp = try #require(Data(base64Encoded: encoded))
        let proofs = try json.proofs.array.map { json in
            let proof = try json.proof.read(IdemixDisclosureProof.self)
            return (proof.A, proof.disclosedAttributes, try RecordedKeys.publicKey(json.publicKey))
        }
        let nonce = try IdemixSignatureNonce.timestamp(message: message, proofs: proofs)
        #expect(Data(nonce).base64EncodedString() == json["timestampNonceBase64"].text)
        let challenge = IdemixSignatureNonce.challenge(
            nonce: try json.nonce.decimalInteger(),
            message: message,
            timestampSignature: [UInt8](timestamp)
        )
        #expect(challenge == (try json.verify.nonce.decimalInteger()))
    }
}
