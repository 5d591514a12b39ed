extension CertificateReview {
    /// Extensions that some profile of this module speaks about, or that may be critical in any certificate.
    private static let knownExtensions: Set<OID> = [
        .subjectKeyIdentifier, .authorityKeyIdentifier, .keyUsage, .extendedKeyUsage, .basicConstraints,
        .subjectAlternativeName, .issuerAlternativeName, .crlDistributionPoints, .certificatePolicies,
        .nameConstraints,
    ]

    mutating func reviewExtensionList() {
        let extensions = certificate.extensions
        let missing = profile.requiredExtensions.filter { id in !extensions.contains { $0.id == id } }
        for id in missing.sorted(by: { "\($0)" < "\($1)" }) {
            note(.missingExtension, "\(CertificateExtension.name(of: id)) is missing", extension: id)
        }
        for entry in extensions {
            if profile.forbiddenExtensions.contains(entry.id) {
                note(.forbiddenExtension, "\(entry.name) must not be there", extension: entry.id)
            } else if entry.isCritical, !Self.knownExtensions.contains(entry.id) {
                note(
                    .unknownCriticalExtension,
                    "the critical extension \(entry.name) is not known",
                    extension: entry.id
                )
            } else if entry.isCritical, profile.forbidsOtherCriticalExtensions,
                !profile.criticalExtensions.contains(entry.id),
                !profile.optionallyCriticalExtensions.contains(entry.id)
            {
                note(.criticalExtension, "\(entry.name) must not be critical", extension: entry.id)
            }
            if !entry.isCritical, profile.criticalExtensions.contains(entry.id), isBinding(entry) {
                note(.extensionNotCritical, "\(entry.name) is not critical", extension: entry.id)
            }
        }
    }

    /// Returns `true` if an extension has content that a reader must not ignore; basicConstraints only if the subject
    /// is a certificate authority.
    private func isBinding(_ entry: CertificateExtension) -> Bool {
        entry.id != .basicConstraints || certificate.basicConstraints?.isCertificateAuthority == true
    }

    mutating func reviewUsages() {
        if let usage = certificate.keyUsage, !profile.keyUsages.isEmpty, !profile.keyUsages.contains(usage) {
            let wanted = profile.keyUsages.map(\.description).sorted().joined(separator: " or ")
            note(.keyUsage, "keyUsage is (\(usage)) instead of (\(wanted))", extension: .keyUsage)
        }
        if let usage = certificate.extendedKeyUsage, let purposes = profile.purposes,
            purposes.isDisjoint(with: usage.purposes)
        {
            let named = usage.purposes.map(\.description).joined(separator: ", ")
            let wanted = purposes.map(\.description).sorted().joined(separator: ", ")
            let message =
                purposes.isEmpty
                ? "extKeyUsage limits the key to other purposes (\(named))"
                : "extKeyUsage names \(named) and none of \(wanted)"
            note(.extendedKeyUsage, message, extension: .extendedKeyUsage)
        }
    }

    mutating func reviewBasicConstraints() {
        let constraints = certificate.basicConstraints
        switch profile.authority {
        case .endEntity:
            guard constraints?.isCertificateAuthority == true else { return }
            note(.basicConstraints, "basicConstraints makes it a certificate authority", extension: .basicConstraints)
        case .certificateAuthority(let pathLength):
            guard let constraints, constraints.isCertificateAuthority else {
                return note(.basicConstraints, "it is no certificate authority", extension: .basicConstraints)
            }
            guard let pathLength, constraints.pathLength != pathLength else { return }
            let actual = constraints.pathLength.map(\.description) ?? "unlimited"
            let message = "the path length is \(actual) instead of \(pathLength)"
            note(.basicConstraints, message, extension: .basicConstraints)
        }
    }

    mutating func reviewKeyIdentifiers() {
        if profile.requiresSHA1KeyIdentifier, let identifier = certificate.subjectKeyIdentifier,
            !identifier.elementsEqual(certificate.computedKeyIdentifier)
        {
            let message = "subjectKeyIdentifier is not the SHA-1 digest of the key"
            note(.subjectKeyIdentifier, message, extension: .subjectKeyIdentifier)
        }
        guard let issuer, let authority = certificate.authorityKeyIdentifier,
            profile.requiredExtensions.contains(.authorityKeyIdentifier)
        else { return }
        let wanted = issuer.subjectKeyIdentifier ?? issuer.computedKeyIdentifier[...]
        guard authority.keyIdentifier != wanted else { return }
        let message = "authorityKeyIdentifier is not the issuer's subjectKeyIdentifier"
        note(.authorityKeyIdentifier, message, extension: .authorityKeyIdentifier)
    }

    mutating func reviewIssuerAlternativeName() {
        guard profile.requiresContact, let names = read(.issuerAlternativeName, as: GeneralNames.self),
            names.emailAddresses.isEmpty, names.uris.isEmpty
        else { return }
        let message = "issuerAltName has neither an e-mail address nor a URI"
        note(.issuerAlternativeName, message, extension: .issuerAlternativeName)
    }

    mutating func reviewDistributionPoints() {
        guard profile.requiresPlainDistributionPoints,
            let points = read(.crlDistributionPoints, as: CRLDistributionPoints.self)?.points
        else { return }
        for point in points where point.isLimitedByReasons || point.crlIssuer != nil || point.fullName == nil {
            let message = "a distribution point has no name, is limited by reasons or names another issuer"
            note(.crlDistributionPoints, message, extension: .crlDistributionPoints)
        }
        // Beside the one with the URI there may be others, such as places in a directory.
        if points.allSatisfy({ $0.fullName?.uris.isEmpty ?? true }) {
            note(.missingRevocationListURI, "no distribution point has a URI", extension: .crlDistributionPoints)
        }
    }

    /// The content of an extension that is read when asked for; a content that cannot be read is noted.
    private mutating func read<Value: ExtensionValue>(_ id: OID, as type: Value.Type) -> Value? {
        do throws(CryptoError) {
            return try certificate.value(id)
        } catch {
            note(.malformedExtension, error.description, extension: id)
            return nil
        }
    }
}
