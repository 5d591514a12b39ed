import VerificationCore

extension W3CCredentialPolicy {
    /// The deviations of a credential whose JSON no signature of its issuer covers.
    ///
    /// - Throws: ``LinkedDataError/Code/claimMismatch`` for one that the policy does not tolerate.
    func deviations(
        of verified: VerifiedSecuredDocument,
        _ content: W3CCredentialContent
    ) throws(LinkedDataError) -> [Deviation] {
        guard !covers(verified, namesOf: content.issuer.id) else { return [] }
        let forms = verified.expanded?.otherForms ?? []
        return try tolerances.deviations(of: verified.node(), written: forms, issuedBy: content.issuer.id)
    }
}
