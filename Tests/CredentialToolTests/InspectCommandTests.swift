import Foundation
import TestSupport
import Testing

@testable import CredentialTool

@Suite struct InspectCommandTests {
    /// Figures of ISO/IEC 18013-5, Annex D, and what they are.
    @Test(arguments: [
        ("device-response.hex", "mdoc DeviceResponse"),
        ("device-request.hex", "mdoc DeviceRequest"),
        ("device-engagement-qr.hex", "mdoc DeviceEngagement"),
        ("iaca-certificate.hex", "X.509 certificate"),
        ("issuer-auth.hex", "COSE_Sign1, untagged"),
        ("session-data.hex", "CBOR"),
    ])
    func recognises(_ name: String, _ kind: String) async throws {
        let path = OwnVectors.url("iso-18013-5-annex-d/\(name)").path
        let invocation = await Invocation.run("inspect", path)
        #expect(invocation.status == 0, "\(invocation.errors)")
        #expect(invocation.output.hasPrefix("kind: \(kind)\nencoding: hex\n"))
    }

    @Test func namesElementsAndSigners() async throws {
        let path = OwnVectors.url("iso-18013-5-annex-d/device-response.hex").path
        let output = await Invocation.run("inspect", path).output
        #expect(output.contains("family_name (digestID 0): \"Doe\""))
        #expect(output.contains("alg (1): ES256 (-7)"))
        #expect(output.contains("deviceAuth: deviceMac"))
    }

    @Test func printsJSONForMachines() async throws {
        let path = OwnVectors.url("iso-18013-5-annex-d/device-response.hex").path
        let output = await Invocation.run("inspect", "--json", path).output
        #expect(output.hasPrefix(#"{"kind":"mdoc DeviceResponse","encoding":"hex","#))
    }

    @Test func expandsEmbeddedItemsInNotation() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("d818458301182aa0", to: "embedded.hex")
        let invocation = await Invocation.run("inspect", path)
        #expect(invocation.output.contains("24(<<"))
    }

    @Test func listsTheItemsOfASequence() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("0102", to: "sequence.hex")
        #expect(await Invocation.run("inspect", path).output.contains("kind: CBOR sequence"))
    }

    @Test func saysWhereUnknownInputFails() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("8201", to: "truncated.hex")
        let invocation = await Invocation.run("inspect", path)
        #expect(invocation.status == 2)
        #expect(invocation.output.isEmpty)
        #expect(invocation.errors.contains("truncated"))
    }

    @Test func exitsWith2WhereThereIsNoFile() async {
        let invocation = await Invocation.run("inspect", "/no/such/file")
        #expect(invocation.status == 2)
        #expect(invocation.errors == "error: cannot open /no/such/file")
    }

    @Test func exitsWith2ForUnknownOptions() async {
        #expect(await Invocation.run("inspect", "--no-such-option").status == 2)
    }

    @Test func helpIsNoError() async {
        let invocation = await Invocation.run("--help")
        #expect(invocation.status == 0)
        #expect(invocation.output.contains("credential"))
    }
}
