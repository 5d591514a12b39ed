import CommandTesting
import CredentialTesting
import CryptoCore
import Foundation
import Testing

@testable import CredentialTool

/// The check of a document at its issuance makes the comparisons of verifiers with the signer's certificate.
@Suite struct MdocIssueCheckTests {
    /// Claims that the tables find nothing wrong with.
    private static func claims(_ country: String, _ jurisdiction: String) -> String {
        """
        {"docType": "org.iso.18013.5.1.mDL", "nameSpaces": {"org.iso.18013.5.1": {
            "family_name": "Doe", "given_name": "Jo", "birth_date": "1980-01-01", "issue_date": "2024-01-01",
            "expiry_date": "2030-01-01", "issuing_country": "\(country)", "issuing_jurisdiction": "\(jurisdiction)",
            "issuing_authority": "RDW", "document_number": "9", "portrait": {"base64url": "_9j_4A"},
            "driving_privileges": [{"vehicle_category_code": "B", "issue_date": "2020-01-01"}],
            "un_distinguishing_sign": "NL"
        }}}
        """
    }

    /// Certificates and keys in files, for a document signer in a state of the country XX or in none.
    private static func signer(in state: String?) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let pki = try await MdocTestPKI.make(country: "XX")
        let now = Date()
        let builder = CertificateBuilder(
            subject: try DistinguishedName(countryName: "XX", stateOrProvinceName: state, commonName: "Signer"),
            publicKey: pki.documentSignerKey.publicKey,
            validity: now - 3600...now + 86_400,
            extensions: [
                .keyUsage(.digitalSignature), .extendedKeyUsage([.mdlDocumentSigner], isCritical: true),
                .issuerAlternativeName([.uri("https://utopia.example/iaca")]),
                .crlDistributionPoints(["https://utopia.example/iaca.crl"]),
            ]
        )
        try folder.write(pki.iaca.certificate.pem, to: "iaca.pem")
        try folder.write(try await builder.issued(by: pki.iaca).pem, to: "signer.pem")
        try folder.write(pki.documentSignerKey.pem, to: "signer-key.pem")
        try folder.write(try PrivateKey.generate(.p256).pem, to: "device-key.pem")
        return folder
    }

    private static func issue(
        _ country: String,
        _ jurisdiction: String,
        in folder: TemporaryFolder,
        _ options: [String] = []
    ) async throws -> Invocation {
        await Invocation.run(
            arguments: [
                "mdoc", "issue", try folder.write(claims(country, jurisdiction), to: "claims.json"), "--issuer-key",
                folder.path("signer-key.pem"), "--issuer-certificate", folder.path("signer.pem"), "--device-key",
                folder.path("device-key.pem"),
            ] + options
        )
    }

    private static let certificates: [(state: String?, country: String, jurisdiction: String, fault: String?)] = [
        (nil, "XX", "XX-UT", nil), ("UT", "XX", "XX-UT", nil), (nil, "NL", "NL-UT", "issuing_country"),
        ("A", "XX", "XX-UT", "issuing_jurisdiction"),
    ]

    /// A document that is found good is accepted, and one that contradicts the certificate refused by the verifier.
    @Test(arguments: certificates.indices)
    func agreesWithTheVerifier(_ index: Int) async throws {
        let (state, country, jurisdiction, fault) = Self.certificates[index]
        let folder = try await Self.signer(in: state)
        let checked = try await Self.issue(country, jurisdiction, in: folder, ["--check"])
        #expect(checked.status == (fault == nil ? 0 : 1), "\(checked.output)\(checked.errors)")
        let issued = try await Self.issue(country, jurisdiction, in: folder)
        #expect(issued.status == 0, "\(issued.errors)")
        let credential = try folder.write(issued.output, to: "credential.txt")
        let verified = await Invocation.run("mdoc", "verify", credential, "--trust", folder.path("iaca.pem"))
        if let fault {
            let text = "org.iso.18013.5.1/\(fault): not the"
            #expect(checked.output.hasPrefix("- \(text)") && !checked.output.contains("\n"), "\(checked.output)")
            #expect(issued.errors.contains("warning: \(text)"), "\(issued.errors)")
            #expect(verified.status == 1)
            #expect(verified.output.contains("reason: issuingCountryMismatch"), "\(verified.output)")
        } else {
            #expect(issued.errors.isEmpty, "\(issued.errors)")
            #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
        }
    }

    @Test func namesATimeOfSigningOutsideOfTheCertificate() async throws {
        let folder = try await Self.signer(in: nil)
        let early = ["--valid-from", "2020-01-01", "--valid-until", "2020-02-01", "--check"]
        let checked = try await Self.issue("XX", "XX-UT", in: folder, early)
        #expect(checked.status == 1, "\(checked.errors)")
        #expect(checked.output.contains("signed: the certificate of the signer is not valid"), "\(checked.output)")
    }
}
