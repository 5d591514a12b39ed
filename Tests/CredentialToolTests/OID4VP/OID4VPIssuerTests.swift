import CommandTesting
import CryptoCore
import Foundation
import JSONKit
import Testing

/// The issuer of an SD-JWT VC with a certificate, as the commands report it.
@Suite struct OID4VPIssuerTests {
    private static let validity = OID4VPScene.now - 86_400...OID4VPScene.now + 86_400
    private static let claimed = "https://a.example"

    /// Writes an SD-JWT VC of an issuer below the root that claims to be of the issuer `a.example`.
    private func writeCredential(
        of subject: String,
        named host: String,
        by root: CertificateAuthority,
        in scene: OID4VPScene
    ) async throws {
        let key = try PrivateKey.generate(.p256)
        let certificate = try await CertificateBuilder(
            subject: DistinguishedName(commonName: subject),
            publicKey: key.publicKey,
            validity: Self.validity,
            extensions: [.keyUsage(.digitalSignature), .subjectAlternativeName([.dns(host)])]
        ).issued(by: root)
        let folder = scene.folder
        let claims: JSONValue = ["iss": .string(Self.claimed), "family_name": "Lovelace"]
        let issued = await Invocation.run(
            arguments: [
                "sdjwt", "issue", try folder.write(claims.text(), to: "claims.json"), "--issuer-key",
                try folder.write(key.pem, to: "issuer-key.pem"), "--issuer-certificate",
                try folder.write(certificate.pem, to: "certificate.pem"), "--credential-type", "urn:pid",
                "--holder-key", folder.path("holder.pem"),
            ],
            now: OID4VPScene.now
        )
        try #require(issued.status == 0, "\(issued.errors)")
        try folder.write(issued.output, to: OID4VPScene.Credential.sdJWT.rawValue)
    }

    /// An issuer is not reported as another one that the same authority has certified.
    @Test func reportsAnIssuerByItsOwnName() async throws {
        let scene = try await OID4VPScene()
        let folder = scene.folder
        let root = try await CertificateAuthority.root(
            subject: DistinguishedName(commonName: "Root"),
            signer: SoftwareSigner(PrivateKey.generate(.p256), algorithm: .ecdsaSHA256),
            validity: Self.validity
        )
        try folder.write(root.certificate.pem, to: "root.pem")
        for (subject, host, name) in [("A", "a.example", Self.claimed), ("B", "b.example", "CN=B")] {
            try await writeCredential(of: subject, named: host, by: root, in: scene)
            try await scene.request(
                OID4VPScene.Credential.sdJWT.query,
                ["--response-uri", OID4VPScene.address, "--response-mode", "direct_post"]
            )
            let presented = await scene.present()
            try #require(presented.status == 0, "\(presented.errors)\(presented.output)")
            let verified = await Invocation.run(
                arguments: [
                    "oid4vp", "verify", folder.path("answer.json"), "--transaction", folder.path("transaction.json"),
                    "--trust", folder.path("root.pem"), "--json",
                ],
                now: OID4VPScene.now
            )
            #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
            let credential = try JSONValue(parsing: verified.output)["credentials"]?["q"]?[0]
            #expect(credential?["issuer"] == .string(name))
            #expect(credential?["claims"]?["iss"] == .string(Self.claimed))
            let token = await Invocation.run(
                arguments: [
                    "sdjwt", "verify", folder.path(OID4VPScene.Credential.sdJWT.rawValue), "--trust",
                    folder.path("root.pem"), "--json",
                ],
                now: OID4VPScene.now
            )
            #expect(token.status == 0, "\(token.errors)\(token.output)")
            #expect(try JSONValue(parsing: token.output)["signer"] == .string("CN=\(subject)"))
        }
    }
}
