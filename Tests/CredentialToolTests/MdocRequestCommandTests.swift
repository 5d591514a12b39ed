import CommandSupport
import CommandTesting
import Foundation
import MdocKit
import TestSupport
import Testing

@testable import CredentialTool

@Suite struct MdocRequestCommandTests {
    private static let items = """
        {"docType": "org.iso.18013.5.1.mDL",
         "nameSpaces": {"org.iso.18013.5.1": {"family_name": false, "portrait": true}}}
        """

    private static func request(from invocation: Invocation) throws -> DeviceRequest {
        try DeviceRequest(decoding: #require([UInt8](hex: invocation.output)))
    }

    @Test func asksForWhatTheJSONNames() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("[\(Self.items), \(Self.items)]", to: "items.json")
        let invocation = await Invocation.run("mdoc", "request", path, "--format", "hex")
        let requests = try Self.request(from: invocation).docRequests
        #expect(requests.count == 2)
        #expect(requests[0].readerAuth == nil)
        #expect(
            requests[0].itemsRequest.nameSpaces == [.mDL: ["family_name": false, "portrait": true]]
        )
    }

    @Test func signsForASession() async throws {
        let folder = try TemporaryFolder()
        #expect(await Invocation.run("mdoc", "test-pki", folder.url.path).status == 0)
        let arguments = [
            "mdoc", "request", try folder.write(Self.items, to: "items.json"), "--format", "hex",
            "--reader-signing-key", folder.path("reader-key.pem"), "--reader-certificate", folder.path("reader.pem"),
        ]
        let withoutSession = await Invocation.run(arguments: arguments)
        #expect(withoutSession.status == 2)
        #expect(withoutSession.errors.contains("--transcript"))

        let session = ["--origin", "https://rp.example", "--nonce", "n"]
        let signed = await Invocation.run(arguments: arguments + session)
        let request = try Self.request(from: signed)
        let anchor = try #require(
            try InputFile(argument: folder.path("reader-authority.pem")).certificates().first
        )
        let verification = ReaderAuthenticationVerifier(trustAnchors: [anchor]).verify(
            request,
            sessionTranscript: SessionTranscript(
                handover: .openID4VPDigitalCredentialsAPI(
                    origin: "https://rp.example",
                    nonce: "n",
                    jwkThumbprint: nil
                )
            )
        )
        #expect(verification.docRequests.map { $0?.verified != nil } == [true])
    }

    @Test func wantsKeyAndCertificateTogether() async throws {
        let invocation = await Invocation.run("mdoc", "request", "-", "--reader-certificate", "reader.pem")
        #expect(invocation.status == 2)
        #expect(invocation.errors.contains("belong together"))
    }

    @Test(arguments: [
        "[1]", "{\"docType\": 1}", "{\"docType\": \"a\", \"nameSpaces\": {\"n\": 1}}",
        "{\"docType\": \"a\", \"nameSpaces\": {\"n\": {\"e\": 1}}}", "{\"a\":1,\"a\":2}",
    ])
    func refusesItemsOfAnotherForm(_ items: String) {
        #expect(throws: ToolError.self) { try RequestedItems(json: Array(items.utf8)) }
    }

    @Test(arguments: ["[]", "{\"docType\": \"a\", \"nameSpaces\": {}}"])
    func refusesToAskForNothing(_ items: String) async throws {
        let folder = try TemporaryFolder()
        let invocation = await Invocation.run("mdoc", "request", try folder.write(items, to: "items.json"))
        #expect(invocation.status == 2)
    }
}
