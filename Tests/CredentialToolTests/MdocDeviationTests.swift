import CBORKit
import CommandTesting
import Foundation
import JSONKit
import MdocKit
import TestSupport
import Testing

@testable import CredentialTool

/// The commands read what deployed wallets and issuers send, and print every deviation met.
@Suite struct MdocDeviationTests {
    private static let claims = """
        {"docType": "org.iso.18013.5.1.mDL", "nameSpaces": {"org.iso.18013.5.1": {"family_name": "Doe"}}}
        """
    private static let items = """
        {"docType": "org.iso.18013.5.1.mDL", "nameSpaces": {"org.iso.18013.5.1": {"family_name": false}}}
        """
    private static let report = "taggedCOSE in issuerAuth"

    /// Keys, certificates, and a credential whose signature has its tag, in `credential.txt`.
    private static func deviating() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        _ = await Invocation.run("mdoc", "test-pki", folder.url.path)
        try folder.write(items, to: "items.json")
        let issued = await Invocation.run(
            arguments: [
                "mdoc", "issue", try folder.write(claims, to: "claims.json"), "--issuer-key",
                folder.path("document-signer-key.pem"), "--issuer-certificate", folder.path("document-signer.pem"),
                "--device-key", folder.path("device-key.pem"), "--format", "hex",
            ]
        )
        var credential = try CBOR(decoding: #require([UInt8](hex: issued.output), "\(issued.errors)"))
        guard case .map(var members) = credential, let issuerAuth = members["issuerAuth"] else { return folder }
        members["issuerAuth"] = .tagged(18, issuerAuth)
        credential = .map(members)
        let bytes = credential.encoded()
        #expect(throws: MdocError.self) { try IssuerSigned(decoding: bytes) }
        try folder.write(bytes.map { String(format: "%02x", $0) }.joined(), to: "credential.txt")
        return folder
    }

    @Test func verifyPrintsWhatWasTolerated() async throws {
        let folder = try await Self.deviating()
        let arguments = ["mdoc", "verify", folder.path("credential.txt"), "--trust", folder.path("iaca.pem")]
        let people = await Invocation.run(arguments: arguments)
        #expect(people.status == 0, "\(people.output)\(people.errors)")
        #expect(people.output.contains("deviations"))
        #expect(people.output.contains(Self.report))
        let machines = await Invocation.run(arguments: arguments + ["--json"])
        let json = try JSONValue(parsing: machines.output)
        #expect(json["deviations"] == [.string(Self.report)])
        #expect(json["verification"]?["deviations"] == [["tolerance": "taggedCOSE", "path": ["issuerAuth"]]])
    }

    @Test func inspectPrintsWhatWasTolerated() async throws {
        let folder = try await Self.deviating()
        let people = await Invocation.run("inspect", folder.path("credential.txt"))
        #expect(people.status == 0)
        #expect(people.output.contains("mdoc IssuerSigned"))
        #expect(people.output.contains(Self.report))
        let machines = await Invocation.run("inspect", folder.path("credential.txt"), "--json")
        #expect(machines.output.contains("\"deviations\""))
        #expect(machines.output.contains(Self.report))
    }

    @Test func presentPrintsWhatWasToleratedOnStandardError() async throws {
        let folder = try await Self.deviating()
        let presented = await Invocation.run(
            arguments: [
                "mdoc", "present", folder.path("credential.txt"), "--device-key", folder.path("device-key.pem"),
                "--element", "org.iso.18013.5.1/family_name", "--nonce", "n", "--origin", "https://reader.example",
            ]
        )
        #expect(presented.status == 0, "\(presented.errors)")
        #expect(presented.errors.contains("tolerated: \(Self.report)"))
        #expect(!presented.output.contains("tolerated"))
    }

    /// The session's wallet and reader: the wallet tells of its document, the reader of the response.
    @Test func readPrintsWhatWasTolerated() async throws {
        let folder = try await Self.deviating()
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        let arguments = [
            "mdoc", "engage", folder.path("credential.txt"), "--device-key", folder.path("device-key.pem"), "--listen",
            folder.path("s"), "--yes",
        ]
        let wallet = Task {
            defer { continuation.finish() }
            return await Invocation.run(arguments: arguments) { continuation.yield($0) }
        }
        let uri = try #require(await lines.first { _ in true })
        let read = await Invocation.run(
            arguments: [
                "mdoc", "read", uri, "--request", folder.path("items.json"), "--trust", folder.path("iaca.pem"),
                "--json",
            ]
        )
        #expect(read.status == 0, "\(read.output)\(read.errors)")
        let json = try JSONValue(parsing: read.output)
        #expect(json["deviations"] == ["taggedCOSE in documents[0].issuerSigned.issuerAuth"])
        let presented = await wallet.value
        #expect(presented.errors.contains("tolerated: \(Self.report)"))
    }
}
