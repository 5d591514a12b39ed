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
        let findings = try verified.node().statementPlaces.findings
        for case .keyword(let keyword) in findings {
            throw LinkedDataError(.claimMismatch, "a node is described in a second place", path: [keyword])
        }
        var deviations = try tolerances.deviations(ofForms: verified.expanded?.otherForms ?? [])
        for finding in findings {
            switch finding {
            case .keyword: break
            case .property(let property):
                deviations.append(try tolerances.deviation(.otherForms, at: [property], "JSON-LD has a form for it"))
            case .repeatedValue(let property):
                deviations.append(try tolerances.deviation(.otherForms, at: [property], "a value stands twice"))
            case .sharedNode(let name):
                let message = "\(name) is described in a second place"
                if name == content.issuer.id, name != content.id {
                    deviations.append(Deviation(W3CCredentialTolerance.sharedNodes.description, at: ["@id"], message))
                } else {
                    deviations.append(try tolerances.deviation(.sharedNodes, at: ["@id"], message))
                }
            }
        }
        return deviations
    }
}
