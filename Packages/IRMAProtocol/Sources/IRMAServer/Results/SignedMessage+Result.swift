import IRMAMessages
import IdemixCore

extension SignedMessage {
    /// The message as results list it: each proof of non-revocation has the response for α in it as well.
    ///
    /// Verifiers take that response from the disclosure around it; the Go server writes it into its results.
    func forResult(schemes: SchemeSnapshot) -> SignedMessage {
        var message = self
        message.signature = IdemixProofList(signature.proofs.map { Self.withAlpha($0, schemes) })
        return message
    }

    private static func withAlpha(_ proof: IdemixProof, _ schemes: SchemeSnapshot) -> IdemixProof {
        guard case .disclosure(let disclosure) = proof, let nonRevocation = disclosure.nonRevocation,
            let type = try? IdemixDisclosureExpectation(for: disclosure, from: schemes).credentialType,
            let index = type.revocationIndex, let alpha = disclosure.attributeResponses[index]
        else { return proof }
        let own = nonRevocation.responses
        return .disclosure(
            IdemixDisclosureProof(
                challenge: disclosure.challenge,
                A: disclosure.A,
                eResponse: disclosure.eResponse,
                vResponse: disclosure.vResponse,
                attributeResponses: disclosure.attributeResponses,
                disclosedAttributes: disclosure.disclosedAttributes,
                nonRevocation: NonRevocationProof(
                    Cr: nonRevocation.Cr,
                    Cu: nonRevocation.Cu,
                    responses: NonRevocationProof.Responses(
                        alpha: alpha,
                        beta: own.beta,
                        delta: own.delta,
                        epsilon: own.epsilon,
                        zeta: own.zeta
                    ),
                    signedAccumulator: nonRevocation.signedAccumulator
                ),
                rangeProofs: disclosure.rangeProofs
            )
        )
    }
}
