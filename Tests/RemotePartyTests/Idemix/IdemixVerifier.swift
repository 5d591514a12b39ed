import Foundation
import IdemixCore

/// A verifier behind a wire, which knows an issuer's key from its file.
struct IdemixVerifier {
    let publicKey: [UInt8]
    let nonce = BigInteger.random(bits: SystemParameters.Common.nonce)

    /// The verified content of received proofs: one of a credential with at most three attributes.
    ///
    /// - Throws: ``RefusedMessage`` with the failed check.
    func verify(
        _ message: [UInt8],
        nonce: BigInteger? = nil,
        isSignature: Bool = false,
        _ change: (inout DisclosureExpectation) -> Void = { _ in }
    ) throws -> VerifiedDisclosure {
        let list = try ProofsMessage(received: message).list()
        var expectation = DisclosureExpectation(publicKey: try IssuerPublicKey(xml: publicKey), attributeCount: 3)
        change(&expectation)
        let verification = list.verify(
            expecting: [.disclosure(expectation)],
            nonce: nonce ?? self.nonce,
            isSignature: isSignature,
            at: IdemixIssuer.time + 60
        )
        guard case .disclosure(let shown)? = verification.verified?.proofs.first else {
            throw RefusedMessage("\(String(describing: verification.refusal))")
        }
        return shown
    }
}
