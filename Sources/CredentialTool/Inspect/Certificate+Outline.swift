import CommandSupport
import CryptoCore

extension Certificate {
    /// The certificate as people read it.
    var outline: Outline {
        .fields([
            "subject": .text("\(subject)"),
            "issuer": .text("\(issuer)"),
            "serial number": .text(serialNumber.hexText),
            "valid from": .text(notValidBefore.utcText),
            "valid until": .text(notValidAfter.utcText),
            "public key": Outline.readable { .text(try publicKey().shortDescription) },
            "signature algorithm": .text(signatureAlgorithm?.name ?? "unknown"),
            "SHA-256 fingerprint": .text(fingerprint.hexText),
            "extensions": .list(extensions.map { $0.outline(in: self) }),
        ])
    }

    /// Subject, validity and fingerprint, for where a certificate is only mentioned.
    var summary: Outline {
        .fields([
            "subject": .text("\(subject)"),
            "issuer": .text("\(issuer)"),
            "valid": .text("\(notValidBefore.utcText) to \(notValidAfter.utcText)"),
            "public key": Outline.readable { .text(try publicKey().shortDescription) },
            "SHA-256 fingerprint": .text(fingerprint.hexText),
        ])
    }
}

extension CertificateExtension {
    fileprivate func outline(in certificate: Certificate) -> Outline {
        let title = "\(name)\(isCritical ? " (critical)" : "")"
        do {
            return .text("\(title): \(try description(in: certificate) ?? value.hexText)")
        } catch {
            return .text("\(title): not readable: \(error)")
        }
    }

    private func description(in certificate: Certificate) throws -> String? {
        switch id {
        case .basicConstraints:
            certificate.basicConstraints.map { constraints in
                guard constraints.isCertificateAuthority else { return "not a CA" }
                return constraints.pathLength.map { "CA, path length \($0)" } ?? "CA"
            }
        case .keyUsage: certificate.keyUsage.map { "\($0)" }
        case .extendedKeyUsage: certificate.extendedKeyUsage?.purposes.map { "\($0)" }.joined(separator: ", ")
        case .subjectKeyIdentifier: certificate.subjectKeyIdentifier?.hexText
        case .authorityKeyIdentifier: certificate.authorityKeyIdentifier?.keyIdentifier?.hexText
        case .subjectAlternativeName: try certificate.subjectAlternativeName?.text
        case .issuerAlternativeName: try certificate.issuerAlternativeName?.text
        case .crlDistributionPoints: try certificate.crlDistributionPoints?.text
        default: nil
        }
    }
}

extension CRLDistributionPoints {
    /// The names of each list; a point without one has the name of the list's signer.
    fileprivate var text: String {
        points.map { ($0.fullName ?? $0.crlIssuer)?.text ?? "relative to the issuer" }.joined(separator: ", ")
    }
}

extension GeneralNames {
    fileprivate var text: String {
        (dnsNames + uris + emailAddresses + directoryNames.map { "\($0)" }).joined(separator: ", ")
    }
}

extension PublicKey {
    /// The kind of the key, such as `P-256` or `RSA, 2048 bits`.
    var shortDescription: String {
        if let curve { return curve.name }
        return "RSA, \((rsaModulus?.count ?? 0) * 8) bits"
    }
}
