import JSONKit
@_spi(Layers) import VerificationCore

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

extension JSONObject {
    /// The deviations of well-formed times that have no time zone, and count as UTC (Verifiable Credentials Data Model 2.0,
    /// section 5.8; Data Integrity 1.0, section 2.1).
    func timeDeviations(of names: [String]) -> [Deviation] {
        names.filter { name in
            self[name]?.stringValue.map { XMLDateTime.date($0) == nil } ?? false
        }
        .map { Deviation("missingTimeZone", at: [$0], "it has no time zone, and counts as UTC") }
    }
}
