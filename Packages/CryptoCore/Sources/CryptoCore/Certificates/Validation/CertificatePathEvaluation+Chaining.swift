extension CertificatePathEvaluation {
    func checkEncoding() -> CertificatePathFailure? {
        for member in path.members {
            do {
                try member.certificate.requireReadableExtensions()
            } catch {
                return failure(.encoding, .malformedCertificate, member, error.description)
            }
        }
        return nil
    }

    func checkNameChaining() -> CertificatePathFailure? {
        for (subject, issuer) in path.links {
            let named = subject.certificate.issuer
            guard !named.isEmpty else {
                return failure(.nameChaining, .issuerNameMismatch, subject, "its issuer has no name")
            }
            guard !policy.sameName(named, issuer.certificate.subject) else { continue }
            let message = "its issuer is \(named), and the next certificate is that of \(issuer.certificate.subject)"
            return failure(.nameChaining, .issuerNameMismatch, subject, message)
        }
        return nil
    }

    func checkKeyIdentifiers() -> CertificatePathFailure? {
        for (subject, issuer) in path.links where !subject.certificate.keyIdentifierFits(issuer.certificate) {
            let message = "its authority key identifier is not that of \(issuer.certificate.subject)"
            return failure(.keyIdentifiers, .keyIdentifierMismatch, subject, message)
        }
        return nil
    }

    func checkCriticalExtensions() -> CertificatePathFailure? {
        for member in path.members {
            for entry in member.certificate.extensions where entry.isCritical {
                guard !Self.processedExtensions.contains(entry.id),
                    !policy.recognizedCriticalExtensions.contains(entry.id)
                else { continue }
                let message = "the critical extension \(entry.name) is not processed here"
                return failure(.criticalExtensions, .unknownCriticalExtension, member, message)
            }
        }
        return nil
    }

    /// The extensions that the checks of this module process, or that cannot refuse a chain.
    ///
    /// Without initial policies, certificatePolicies cannot refuse one.
    private static let processedExtensions: Set<OID> = [
        .basicConstraints, .keyUsage, .extendedKeyUsage, .subjectAlternativeName, .issuerAlternativeName,
        .subjectKeyIdentifier, .authorityKeyIdentifier, .nameConstraints, .certificatePolicies, .crlDistributionPoints,
    ]

    /// Checks from the anchor down, as trust goes: an expired anchor is reported before any certificate below it.
    func checkValidity() -> CertificatePathFailure? {
        for member in path.members.reversed() where member.position != .anchor || policy.requiresValidAnchor {
            let certificate = member.certificate
            if time < certificate.notValidBefore {
                let message = "it is valid from \(certificate.notValidBefore) on, and the time is \(time)"
                return failure(.validity, .notYetValid, member, message)
            }
            if time > certificate.notValidAfter {
                let message = "it was valid until \(certificate.notValidAfter), and the time is \(time)"
                return failure(.validity, .expired, member, message)
            }
        }
        return nil
    }
}
