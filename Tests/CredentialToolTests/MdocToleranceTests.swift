import CommandTesting
import CredentialTesting
import CryptoCore
import Foundation
import Testing

@testable import CredentialTool

@Suite struct MdocToleranceTests {
    private static let claims = """
        {"docType": "org.iso.18013.5.1.mDL", "nameSpaces": {"org.iso.18013.5.1": {"family_name": "Doe"}}}
        """

    @Test func departuresAreToleratedWhereThatIsAskedFor() async throws {
        let folder = try TemporaryFolder()
        let credential = try await Self.issued(validFor: 500, in: folder)
        let verify = ["mdoc", "verify", credential, "--trust", folder.path("iaca.pem")]
        let strict = await Invocation.run(arguments: verify)
        #expect(strict.status == 1)
        #expect(strict.output.contains("reason: invalidSignerCertificate"))
        let tolerant = await Invocation.run(arguments: verify + ["--tolerant"])
        #expect(tolerant.status == 0, "\(tolerant.output)")
        #expect(tolerant.output.contains("validityPeriod"))
    }

    @Test func certificatesThatKeepTheirProfileHaveNothingToList() async throws {
        let folder = try TemporaryFolder()
        let credential = try await Self.issued(validFor: 400, in: folder)
        let invocation = await Invocation.run(
            arguments: ["mdoc", "verify", credential, "--trust", folder.path("iaca.pem"), "--tolerant"]
        )
        #expect(invocation.status == 0, "\(invocation.output)")
        #expect(!invocation.output.contains("deviations"))
    }

    /// A document whose signer's certificate is valid for so many days.
    private static func issued(validFor days: Double, in folder: TemporaryFolder) async throws -> String {
        let pki = try await MdocTestPKI.make()
        let now = Date()
        let builder = CertificateBuilder(
            subject: pki.documentSigner.subject,
            publicKey: pki.documentSignerKey.publicKey,
            validity: now - 3600...now + days * 86_400,
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
        let issued = await Invocation.run(
            arguments: [
                "mdoc", "issue", try folder.write(claims, to: "claims.json"), "--issuer-key",
                folder.path("signer-key.pem"), "--issuer-certificate", folder.path("signer.pem"), "--device-key",
                folder.path("device-key.pem"), "--valid-until",
                (now + 86_400).formatted(.iso8601),
            ]
        )
        return try folder.write(issued.output, to: "credential.txt")
    }
}
