import CryptoCore
import Foundation
import MdocKit
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

    @Test(.timeLimit(.minutes(2)), arguments: [false, true])
    func presentsToAReader(isReaderKnown: Bool) async throws {
        let folder = try await Self.issued()
        let socket = folder.path("s")
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        let arguments = [
            "mdoc", "engage", folder.path("credential.txt"), "--device-key", folder.path("device-key.pem"), "--listen",
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
        #expect(presented.output.contains(isReaderKnown ? "Utopia reader" : "somebody unnamed"))
        #expect(!FileManager.default.fileExists(atPath: socket))
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
