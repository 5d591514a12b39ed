import ArgumentParser
import CommandSupport
import CryptoCore
import MdocKit
import MdocTrust

/// `credential mdoc lint`: lists in what certificates depart from the profiles of ISO/IEC 18013-5.
struct MdocLintCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Compares certificates with the profiles of ISO/IEC 18013-5.",
        discussion: """
            Every departure is listed, also those that verification tolerates; advice is a recommendation of the standard \
            beyond its demands. The exit status is 1 if a certificate departs from its profile.
            """
    )

    private static let profileNames = MdocCertificateRole.allCases.map(\.rawValue).joined(separator: ", ")

    @Argument(help: "Files with certificates, PEM or DER.")
    var certificates: [InputFile]

    @Option(name: .long, help: "The issuer's certificate, for the fields that both share and for the signature.")
    var issuer: InputFile?

    @Option(
        name: .long,
        help: "The profile: \(profileNames). By default the one that the certificate claims by its purpose.",
        transform: { name in
            guard let role = MdocCertificateRole(rawValue: name) else {
                throw ValidationError("\(name) is none of the profiles \(profileNames)")
            }
            return role
        }
    )
    var profile: MdocCertificateRole?

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let issuer = try issuer.map { try $0.certificate() }
        var reports: [Outline] = []
        var areClean = true
        for file in certificates {
            for certificate in try file.certificates() {
                let report = try role(of: certificate, in: file).report(on: certificate, issuer: issuer)
                reports.append(report.outline(of: certificate))
                areClean = areClean && report.isClean
            }
        }
        return Outcome(
            report: .fields(["verdict": areClean ? "clean" : "deviating", "certificates": .list(reports)]),
            isRefusal: !areClean
        )
    }

    private func role(of certificate: Certificate, in file: InputFile) throws -> MdocCertificateRole {
        guard let role = profile ?? MdocCertificateRole(claimedBy: certificate) else {
            throw ToolError(
                "\(file.name): the certificate of \(certificate.subject) claims no profile: name it with --profile"
            )
        }
        return role
    }
}

extension InputFile {
    /// The only certificate of a file.
    fileprivate func certificate() throws -> Certificate {
        let certificates = try certificates()
        guard certificates.count == 1, let only = certificates.first else {
            throw ToolError("\(name) must hold one certificate and holds \(certificates.count)")
        }
        return only
    }
}

extension MdocCertificateReport {
    /// The findings, with the certificate that they concern.
    fileprivate func outline(of certificate: Certificate) -> Outline {
        .fields([
            "subject": .text("\(certificate.subject)"),
            "SHA-256 fingerprint": .text(certificate.fingerprint.hexText),
            "profile": .text(role.rawValue),
            "deviations": .list(deviations.map(\.outline)),
            "advice": advice.isEmpty ? nil : .list(advice.map { .text("\($0)") }),
        ])
    }
}

extension CertificateDeviation {
    fileprivate var outline: Outline {
        .fields(["kind": .text("\(kind)"), "extension": extensionID.map { .text("\($0)") }, "message": .text(message)])
    }
}
