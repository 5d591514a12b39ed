import VerificationCore

extension CertificatePathEvaluation {
    func checkCertificateAuthority() throws(CheckFault) {
        for issuer in path.issuers where issuer.certificate.basicConstraints?.isCertificateAuthority != true {
            let message =
                issuer.certificate.basicConstraints == nil
                ? "it issues certificates and has no basicConstraints"
                : "it issues certificates and is no certificate authority by its basicConstraints"
            throw fault(.notACertificateAuthority, issuer, message)
        }
    }

    func checkPathLength() throws(CheckFault) {
        for issuer in path.issuers {
            // The intermediates below an issuer: everything between the leaf and it.
            guard let limit = issuer.certificate.basicConstraints?.pathLength, issuer.index - 1 > limit else {
                continue
            }
            let below = path.issuers.prefix(issuer.index - 1).filter { !$0.certificate.isSelfIssued }.count
            guard below > limit else { continue }
            let message = "it allows \(limit) intermediate certificates below it, and there are \(below)"
            throw fault(.pathLengthExceeded, issuer, message)
        }
    }

    func checkIssuerKeyUsage() throws(CheckFault) {
        for issuer in path.issuers {
            guard let usage = issuer.certificate.keyUsage, !usage.contains(.keyCertSign) else { continue }
            let message = "it issues certificates, and its keyUsage (\(usage)) lacks keyCertSign"
            throw fault(.certificateSigningNotAllowed, issuer, message)
        }
    }

    func checkLeafUsage() throws(CheckFault) {
        let leaf = path.leaf
        if let usage = leaf.certificate.keyUsage, !policy.leafKeyUsage.isEmpty,
            usage.isDisjoint(with: policy.leafKeyUsage)
        {
            let message = "its keyUsage (\(usage)) allows none of: \(policy.leafKeyUsage)"
            throw fault(.keyUsageNotAllowed, leaf, message)
        }
        guard !policy.leafPurposes.isEmpty else { return }
        let purposes = leaf.certificate.extendedKeyUsage?.purposes ?? []
        guard policy.leafPurposes.isDisjoint(with: purposes) else { return }
        let wanted = policy.leafPurposes.map(\.description).sorted().joined(separator: ", ")
        throw fault(.missingPurpose, leaf, "its extKeyUsage has none of: \(wanted)")
    }

    /// Every departure from the profiles is looked for; those that the policy tolerates are noted.
    mutating func checkProfiles() throws(CheckFault) {
        var first: CheckFault?
        if let profile = policy.leafProfile {
            compare(path.leaf, issuer: path.issuers.first?.certificate, with: profile, &first)
        }
        if let profile = policy.anchorProfile { compare(path.anchor, issuer: nil, with: profile, &first) }
        if let first { throw first }
    }

    private mutating func compare(
        _ member: CertificatePath.Member,
        issuer: Certificate?,
        with profile: CertificateProfile,
        _ first: inout CheckFault?
    ) {
        for deviation in profile.deviations(of: member.certificate, issuer: issuer) {
            if policy.toleratedDeviations.contains(deviation.kind) {
                toleratedDeviations.append(deviation)
            } else if first == nil {
                let message = "departs from the profile \(profile.name): \(deviation.message)"
                first = fault(.profileDeviation, member, message)
            }
        }
    }
}
