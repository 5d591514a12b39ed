import Foundation
import IdemixCore

/// A verifier behind a wire, which knows a credential type and the issuer's key from its file.
struct IdemixVerifier {
    let publicKey: [UInt8]
    let challenge = IdemixChallenge.random()

    /// The verified content of received proofs: one of a credential with at most three attributes.
    ///
    /// - Throws: ``RefusedMessage`` with the failed check.
    func verify(
        _ message: [UInt8],
        challenge: IdemixChallenge? = nil,
        _ change: (inout IdemixDisclosureExpectation) -> Void = { _ in }
    ) throws -> VerifiedIdemixDisclosure {
        let list = try IdemixProofList(decoding: message)
        var catalog = IdemixCredentialTypeCatalog()
        catalog.add(
            try IdemixCredentialType(identifier: "remote.issuer.member", attributeCount: 3),
            publicKeys: [try IdemixIssuerPublicKey(xml: publicKey)]
        )
        var expectations = try list.disclosureExpectations(from: catalog)
        for position in expectations.indices { change(&expectations[position]) }
        let verification = list.verify(
            expecting: expectations.map { .disclosure($0) },
            challenge: challenge ?? self.challenge,
            at: IdemixIssuingParty.time + 60
        )
        guard let shown = verification.verified?.disclosures.first else {
            throw RefusedMessage("\(String(describing: verification.refusal))")
        }
        return shown
    }
}
