import CommandSupport
import CryptoCore
import MdocKit
import MdocTrust

extension VICAL {
    /// The members of the list and its certificates.
    var outline: Outline {
        .fields([
            "version": .text("\(version)"),
            "provider": .verbatim(provider),
            "issue": issueID.map { .text("\($0)") },
            "date": .text(date.utcText),
            "next update": nextUpdate.map { .text($0.utcText) },
            "not after": notAfter.map { .text($0.utcText) },
            "URL": url.map { .verbatim($0) },
            "certificates": .list(certificateInfos.map(\.outline)),
            "unreadable entries": unreadableEntries.isEmpty ? nil : .list(unreadableEntries.map(\.outline)),
            "deviations": deviations.outline,
        ])
    }
}

extension VICAL.CertificateInfo {
    fileprivate var outline: Outline {
        .fields([
            "subject": .text("\(certificate.subject)"),
            "docTypes": .list(docTypes.map { .text("\($0)") }),
            "profiles": certificateProfiles.isEmpty ? nil : .list(certificateProfiles.map { .verbatim($0) }),
            "authority": issuingAuthority.map { .verbatim($0) },
            "valid": .text("\(certificate.notValidBefore.utcText) to \(certificate.notValidAfter.utcText)"),
            "SHA-256 fingerprint": .text(certificate.fingerprint.hexText),
            "deviations": deviations.isEmpty ? nil : .text(deviations.names),
        ])
    }
}

extension RICAL {
    /// The members of the list and its certificates.
    var outline: Outline {
        .fields([
            "type": .verbatim(type),
            "version": .text("\(version)"),
            "provider": .verbatim(provider),
            "issue": id.map { .text("\($0)") },
            "date": .text(date.utcText),
            "next update": nextUpdate.map { .text($0.utcText) },
            "not after": notAfter.map { .text($0.utcText) },
            "URL": latestURL.map { .verbatim($0) },
            "certificates": .list(certificateInfos.map(\.outline)),
            "unreadable entries": unreadableEntries.isEmpty ? nil : .list(unreadableEntries.map(\.outline)),
            "deviations": deviations.outline,
        ])
    }
}

extension RICAL.CertificateInfo {
    fileprivate var outline: Outline {
        .fields([
            "subject": .text("\(certificate.subject)"),
            "name": name.map { .verbatim($0) },
            "type": type.map { .verbatim($0) },
            "trust anchor": .flag(isTrustAnchor),
            "trust constraints": trustConstraints.isEmpty ? nil : .number(trustConstraints.count),
            "valid": .text("\(certificate.notValidBefore.utcText) to \(certificate.notValidAfter.utcText)"),
            "SHA-256 fingerprint": .text(certificate.fingerprint.hexText),
            "deviations": deviations.isEmpty ? nil : .text(deviations.names),
        ])
    }
}

extension UnreadableTrustListEntry {
    fileprivate var outline: Outline { .text("entry \(index): \(error)") }
}

extension [MdocDeviation] {
    fileprivate var names: String { map(\.tolerance.description).joined(separator: ", ") }
}
