import VerificationCore

extension CertificatePathEvaluation {
    func checkEncoding() throws(CheckFault) {
        for member in path.members {
            do throws(CryptoError) {
                try member.certificate.requireReadableExtensions()
            } catch {
                throw fault(.malformedCertificate, member, error.description)
            }
        }
    }

    func checkNameChaining() throws(CheckFault) {
        for (subject, issuer) in path.links {
            let named = subject.certificate.issuer
            guard !named.isEmpty else {
                throw fault(.issuerNameMismatch, subject, "its issuer has no name")
            }
            guard !policy.sameName(named, issuer.certificate.subject) else { continue }
            let message = "its issuer is \(named), and the next certificate is that of \(issuer.certificate.subject)"
            throw fault(.issuerNameMismatch, subject, message)
        }
    }

    func checkKeyIdentifiers() throws(CheckFault) {
        for (subject, issuer) in path.links where !subject.certificate.keyIdentifierFits(issuer.certificate) {
            let message = "its authority key identifier is not that of \(issuer.certificate.subject)"
            throw fault(.keyIdentifierMismatch, subject, message)
        }
    }

    func checkCriticalExtensions() throws(CheckFault) {
        for member in path.members {
            for id in member.certificate.criticalExtensions {
                guard !policy.recognizedCriticalExtensions.contains(id) else { continue }
                guard Self.processedExtensions.contains(id) else {
                    let message = "the critical extension \(CertificateExtension.name(of: id)) is not processed here"
                    throw fault(.unknownCriticalExtension, member, message)
                }
                if id == .certificatePolicies { try checkPolicyQualifiers(of: member) }
            }
        }
    }

    /// Refuses a critical certificatePolicies with a qualifier that cannot be interpreted (RFC 5280, 4.2.1.4).
    private func checkPolicyQualifiers(of member: CertificatePath.Member) throws(CheckFault) {
        let unknown: OID?
        do throws(CryptoError) {
            unknown = try member.certificate.certificatePolicies?.unknownQualifier
        } catch {
            throw fault(.malformedCertificate, member, error.description)
        }
        guard let unknown else { return }
        let message = "its critical certificatePolicies has a qualifier of the unknown kind \(unknown)"
        throw fault(.unknownCriticalExtension, member, message)
    }

    /// The extensions that the checks of this module process, or that cannot refuse a chain.
    private static let processedExtensions: Set<OID> = [
        .basicConstraints, .keyUsage, .extendedKeyUsage, .subjectAlternativeName, .issuerAlternativeName,
        .subjectKeyIdentifier, .authorityKeyIdentifier, .nameConstraints, .certificatePolicies, .crlDistributionPoints,
        .policyMappings, .policyConstraints, .inhibitAnyPolicy,
    ]

    /// Checks from the anchor down, as trust goes: an expired anchor is reported before any certificate below it.
    func checkValidity() throws(CheckFault) {
        for member in path.members.reversed() where !member.isAnchor || policy.requiresValidAnchor {
            let certificate = member.certificate
            if time < certificate.notValidBefore {
                let message = "it is valid from \(certificate.notValidBefore) on, and the time is \(time)"
                throw fault(.notYetValid, member, message)
            }
            if !time.isUpToLastSecond(certificate.notValidAfter) {
                let message = "it was valid until \(certificate.notValidAfter), and the time is \(time)"
                throw fault(.expired, member, message)
            }
        }
    }
}
