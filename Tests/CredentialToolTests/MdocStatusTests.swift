import COSEKit
import CommandTesting
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import StatusListKit
import Testing

@testable import CredentialTool

/// A document that can be revoked, presented and verified with and without the list of its issuer.
@Suite struct MdocStatusTests {
    private static let uri = "https://utopia.example/lists/1"
    private static let session = ["--origin", "https://rp.example", "--nonce", "n"]
    private static let claims = """
        {"docType": "org.iso.18013.5.1.mDL", "nameSpaces": {"org.iso.18013.5.1": {"family_name": "Doe"}}}
        """

    @Test(arguments: [
        (0, 0, "verified"), (1, 1, "reason: revoked"), (2, 1, "reason: suspended"), (99, 1, "reason: statusUnknown"),
    ])
    func followsTheList(index: Int, status: Int32, verdict: String) async throws {
        let folder = try TemporaryFolder()
        let response = try await Self.presented(index: index, in: folder)
        let invocation = await Self.verify(response, in: folder, "--status", folder.path("lists.cbor"))
        #expect(invocation.status == status, "\(invocation.output)\(invocation.errors)")
        #expect(invocation.output.contains(verdict))
    }

    @Test func needsTheListOrTheDecisionToDoWithout() async throws {
        let folder = try TemporaryFolder()
        let response = try await Self.presented(index: 0, in: folder)
        let without = await Self.verify(response, in: folder)
        #expect(without.status == 1)
        #expect(without.output.contains("reason: statusUnknown"))
        #expect(without.output.contains("--status, or have it fetched with --online-status"), "\(without.output)")
        let ignored = await Self.verify(response, in: folder, "--ignore-status")
        #expect(ignored.status == 0)
        #expect(ignored.output.contains("status: waived by status"))
    }

    /// The status of a single document, as its issuer delivers it, is checked like that of one in a response.
    @Test(arguments: [
        (0, 0, "verified"), (1, 1, "reason: revoked"), (2, 1, "reason: suspended"), (99, 1, "reason: statusUnknown"),
    ])
    func followsTheListOfADocumentByItself(index: Int, status: Int32, verdict: String) async throws {
        let folder = try TemporaryFolder()
        _ = try await Self.presented(index: index, in: folder)
        let arguments = ["mdoc", "verify", folder.path("credential.txt"), "--trust", folder.path("iaca.pem")]
        let listed = await Invocation.run(arguments: arguments + ["--status", folder.path("lists.cbor")])
        #expect(listed.status == status, "\(listed.output)\(listed.errors)")
        #expect(listed.output.contains(verdict))
        let without = await Invocation.run(arguments: arguments)
        #expect(without.status == 1)
        #expect(without.output.contains("reason: statusUnknown"))
        let ignored = await Invocation.run(arguments: arguments + ["--ignore-status"])
        #expect(ignored.status == 0)
        #expect(ignored.output.contains("status_list: entry \(index) of \(Self.uri)"))
    }

    @Test func placeAndIndexBelongTogether() async {
        let invocation = await Invocation.run(
            "mdoc",
            "issue",
            "--issuer-key",
            "k",
            "--issuer-certificate",
            "c",
            "--device-key",
            "d",
            "--status-list-index",
            "1"
        )
        #expect(invocation.status == 2)
        #expect(invocation.errors.contains("belong together"))
    }

    private static func verify(_ response: String, in folder: TemporaryFolder, _ options: String...) async -> Invocation
    {
        await Invocation.run(
            arguments: ["mdoc", "verify", response, "--trust", folder.path("iaca.pem")] + session + options
        )
    }

    /// Certificates, a list and a response whose document has a place in the list.
    private static func presented(index: Int, in folder: TemporaryFolder) async throws -> String {
        let pki = try await MdocTestPKI.make()
        let deviceKey = try PrivateKey.generate(.p256)
        try folder.write(pki.iaca.certificate.pem, to: "iaca.pem")
        try folder.write(pki.documentSigner.pem, to: "signer.pem")
        try folder.write(pki.documentSignerKey.pem, to: "signer-key.pem")
        try folder.write(deviceKey.pem, to: "device-key.pem")
        try Data(await lists(by: pki.iaca).encoded()).write(to: URL(fileURLWithPath: folder.path("lists.cbor")))
        let issued = await Invocation.run(
            arguments: [
                "mdoc", "issue", try folder.write(claims, to: "claims.json"), "--issuer-key",
                folder.path("signer-key.pem"), "--issuer-certificate", folder.path("signer.pem"), "--device-key",
                folder.path("device-key.pem"), "--status-list-uri", uri, "--status-list-index", "\(index)",
            ]
        )
        let credential = try folder.write(issued.output, to: "credential.txt")
        let presented = await Invocation.run(
            arguments: [
                "mdoc", "present", credential, "--device-key", folder.path("device-key.pem"), "--element",
                "org.iso.18013.5.1/family_name",
            ] + session
        )
        return try folder.write(presented.output, to: "response.txt")
    }

    /// A list whose first entries are valid, invalid and suspended.
    private static func lists(by iaca: CertificateAuthority) async throws -> StatusListSnapshot {
        var list = try StatusList(count: 16, bits: .two)
        try list.set(.invalid, at: 1)
        try list.set(.suspended, at: 2)
        let now = Date()
        let key = try PrivateKey.generate(.p256)
        let certificate = try await iaca.issueStatusListSigner(
            subject: DistinguishedName(countryName: "UT", commonName: "Utopia lists"),
            publicKey: key.publicKey,
            validity: now - 3600...now + 3600
        )
        let content = try StatusListContent(
            uri: uri,
            list: list,
            issuedAt: now - 60,
            expirationTime: now + 3600,
            timeToLive: nil
        )
        let chain: COSEHeaderMap = [.x5chain: COSEHeaderMap.certificates([certificate.derBytes])]
        var snapshot = StatusListSnapshot()
        snapshot.insert(
            try await content.signedCWT(headers: COSEHeaders(protected: chain), with: SoftwareSigner(key)),
            for: uri
        )
        return snapshot
    }
}
