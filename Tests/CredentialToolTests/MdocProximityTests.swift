import CommandTesting
import CryptoCore
import Foundation
import JSONKit
import MdocKit
import MdocProximity
import Testing

@testable import CredentialTool

/// A wallet and a reader, each a command of its own, over a socket.
@Suite struct MdocProximityTests {
    private static let claims = """
        {"docType": "org.iso.18013.5.1.mDL", "nameSpaces": {"org.iso.18013.5.1": {
            "family_name": "Doe", "given_name": "Jane", "age_over_18": true
        }}}
        """
    private static let items = """
        {"docType": "org.iso.18013.5.1.mDL", "nameSpaces": {"org.iso.18013.5.1": {
            "family_name": false, "age_over_18": true, "portrait": false
        }}}
        """

    @Test(arguments: ["engage", "present"], [false, true])
    func presentsToAReader(command: String, isReaderKnown: Bool) async throws {
        let folder = try await Self.issued()
        let socket = folder.path("s")
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        let arguments = [
            "mdoc", command, folder.path("credential.txt"), "--device-key", folder.path("device-key.pem"), "--listen",
            socket, "--trust-readers", folder.path("reader-authority.pem"), "--yes",
        ]
        let wallet = Task {
            defer { continuation.finish() }
            return await Invocation.run(arguments: arguments) { continuation.yield($0) }
        }
        let uri = try #require(await lines.first { _ in true })
        #expect(uri.hasPrefix("mdoc:"))
        let reader = [
            "mdoc", "read", uri, "--request", folder.path("items.json"), "--trust", folder.path("iaca.pem"),
        ]
        let identity = [
            "--reader-signing-key", folder.path("reader-key.pem"), "--reader-certificate", folder.path("reader.pem"),
        ]
        let read = await Invocation.run(arguments: reader + (isReaderKnown ? identity : []))
        #expect(read.status == 0, "\(read.output)\(read.errors)")
        #expect(read.output.contains("family_name: \"Doe\""))
        #expect(!read.output.contains("given_name"))
        let presented = await wallet.value
        #expect(presented.status == 0, "\(presented.output)\(presented.errors)")
        #expect(presented.output.contains("org.iso.18013.5.1/age_over_18"))
        #expect(presented.output.contains(isReaderKnown ? "Utopia reader" : "unknown reader"))
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    @Test
    func reportsAPresentationInJSON() async throws {
        let folder = try await Self.issued()
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        let arguments = [
            "mdoc", "present", folder.path("credential.txt"), "--device-key", folder.path("device-key.pem"), "--listen",
            "127.0.0.1:0", "--yes", "--json",
        ]
        let wallet = Task {
            defer { continuation.finish() }
            return await Invocation.run(arguments: arguments) { continuation.yield($0) }
        }
        let uri = try #require(await lines.first { _ in true })
        _ = await Invocation.run(
            "mdoc",
            "read",
            uri,
            "--request",
            folder.path("items.json"),
            "--trust",
            folder.path("iaca.pem")
        )
        let presented = await wallet.value
        #expect(presented.status == 0)
        let report = try JSONValue(parsing: String(presented.output.dropFirst(uri.count + 1)))
        #expect(report["presented"]?.arrayValue?.count == 1)
        #expect(report["ended"]?.stringValue?.contains("status 20") == true)
    }

    private static let misuses: [(arguments: [String], message: String)] = [
        ([], "--listen"),
        (["--listen", "./s", "--element", "a/b"], "one of"),
        (["--listen", "./s", "--request", "r"], "one of"),
        (["--element", "a/b", "--yes"], "belong to --listen"),
        (["--element", "a/b", "--trust-readers", "r.pem"], "belong to --listen"),
        (["--listen", "./s", "--transcript", "t"], "come from the reader"),
        (["--listen", "./s", "--nonce", "n"], "come from the reader"),
        (["--listen", "./s", "--jwk-thumbprint", "00"], "come from the reader"),
        (["--listen", "./s", "--reader-key", "r.pem"], "come from the reader"),
        (["--listen", "./s"], "standard input"),
    ]

    @Test(arguments: misuses.indices)
    func refusesOptionsThatDoNotGoTogether(_ index: Int) async {
        let (arguments, message) = Self.misuses[index]
        let invocation = await Invocation.run(
            arguments: ["mdoc", "present", "-", "--device-key", "k.pem"] + arguments
        )
        #expect(invocation.status == 2)
        #expect(invocation.errors.contains(message), "\(invocation.errors)")
    }

    @Test func needsToKnowWhereTheWalletListens() async throws {
        let folder = try await Self.issued()
        let key = try PrivateKey.generate(.p256)
        let engagement = try DeviceEngagement(eDeviceKey: key.publicKey, retrievalMethods: []).uri
        let invocation = await Invocation.run(
            arguments: [
                "mdoc", "read", engagement, "--request", folder.path("items.json"), "--trust", folder.path("iaca.pem"),
            ]
        )
        #expect(invocation.status == 2)
        #expect(invocation.errors.contains("--connect"))
    }

    @Test(arguments: ["", "nowhere", "127.0.0.1"])
    func refusesOtherAddresses(_ address: String) {
        #expect(SocketAddress(argument: address) == nil)
    }

    /// Keys, certificates, a document and what to ask for.
    private static func issued() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        _ = await Invocation.run("mdoc", "test-pki", folder.url.path)
        try folder.write(items, to: "items.json")
        let issued = await Invocation.run(
            arguments: [
                "mdoc", "issue", try folder.write(claims, to: "claims.json"), "--issuer-key",
                folder.path("document-signer-key.pem"), "--issuer-certificate", folder.path("document-signer.pem"),
                "--device-key", folder.path("device-key.pem"),
            ]
        )
        try folder.write(issued.output, to: "credential.txt")
        return folder
    }
}
