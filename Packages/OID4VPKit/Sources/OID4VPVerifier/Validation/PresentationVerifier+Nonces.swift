import JOSEKit
import JSONKit
import LinkedDataKit
import SDJWTKit

extension PresentationVerifier {
    /// Returns `true` for a refused presentation whose holder's proof is over another nonce: it refuses the whole response
    /// (section 14.1.2).
    ///
    /// Where another check refused the presentation before its nonce was compared, the nonce is read without any
    /// verification: it can only refuse. The device signature of an mdoc does not show by itself whether nonce or key are others:
    /// a document without a valid one is left out.
    func isForOtherNonce(
        _ presentation: JSONValue,
        as format: CredentialFormat,
        expecting expectation: HolderProofExpectation,
        _ verification: Verification<[PresentedCredential]>
    ) -> Bool {
        guard verification.refusal != nil else { return false }
        if verification.hasOtherNonce { return true }
        let nonces = unverifiedNonces(of: presentation, as: format.credential)
        return !nonces.isEmpty && !nonces.contains { $0?.hasSameBytes(as: expectation.nonce) == true }
    }

    /// The nonces of the holder's proofs, nil for a proof without one; none for a presentation without such a proof.
    private func unverifiedNonces(of presentation: JSONValue, as format: CredentialFormat) -> [String?] {
        switch format {
        case .sdJWT:
            guard let text = presentation.stringValue,
                let sdJWT = try? SDJWT(compact: text, limits: policy.sdJWTLimits),
                let payload = sdJWT.keyBindingJWT?.unverifiedPayload, let claims = try? JSONValue(parsing: payload)
            else { return [] }
            return [claims["nonce"]?.stringValue]
        case .linkedData, .jwt: return unverifiedChallenges(of: presentation, format)
        default: return []
        }
    }
}

extension Verification {
    /// Indicates a holder's proof that was found to be over another nonce, here or in a part.
    var hasOtherNonce: Bool {
        refusal != nil
            && (checks.contains { $0.check == .nonce && $0.hasFailed }
                || parts.contains { $0.verification.hasOtherNonce })
    }
}
