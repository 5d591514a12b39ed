import CommandTesting
import Foundation
import IRMAMessages
import IRMATool
import IdemixCore
import JSONKit
import Testing

/// Signatures and disclosures in files.
@Suite struct VerifyCommandTests {
    private let disk: SchemeOnDisk
    private let credential: IdemixCredential

    init() async throws {
        disk = try await SchemeOnDisk()
        credential = try disk.credential()
    }

    private func request(_ purpose: SessionRequest.Purpose) -> SessionRequest {
        var request = SessionRequest(purpose, disclose: [[[AttributeRequest("demo.bank.card.name")]]])
        request.parameters.nonce = 99
        request.parameters.context = 1
        return request
    }

    private func write(_ message: some IRMAMessage, to name: String) throws -> String {
        try Data(message.encoded()).write(to: URL(fileURLWithPath: disk.folder.path(name)))
        return disk.folder.path(name)
    }

    private func disclosure(of request: SessionRequest) throws -> DisclosureResponse {
        let builder = IdemixProofListBuilder()
        try builder.add(IdemixDisclosureRequest(credential, disclosing: [2]))
        return DisclosureResponse(
            proofs: try builder.prove(challenge: request.parameters.challenge()),
            indices: [[AttributePosition(credential: 0, attribute: 2)]]
        )
    }

    @Test func verifiesADisclosureWithItsRequest() async throws {
        let request = request(.disclosing)
        let paths = (try write(disclosure(of: request), to: "d.json"), try write(request, to: "r.json"))
        let verified = await Invocation.irma("verify", paths.0, "-r", paths.1, "-s", disk.schemes)
        #expect(verified.status == 0, "\(verified.output) \(verified.errors)")
        #expect(verified.output.contains("status: VALID"))
        #expect(verified.output.contains("value: Alice"))

        let late = await Invocation.irma("verify", paths.0, "-r", paths.1, "-s", disk.schemes, "--at", "2030-01-01")
        #expect(late.status == 1)
        #expect(late.output.contains("status: EXPIRED"))

        let alone = await Invocation.irma("verify", paths.0, "-s", disk.schemes)
        #expect(alone.status == 2)
        #expect(alone.errors.contains("--request"))
    }

    @Test func refusesADisclosureForAnotherNonce() async throws {
        var request = request(.disclosing)
        let disclosure = try write(disclosure(of: request), to: "d.json")
        request.parameters.nonce = 100
        let refused = await Invocation.irma(
            "verify",
            disclosure,
            "-r",
            try write(request, to: "r.json"),
            "-s",
            disk.schemes
        )
        #expect(refused.status == 1)
        #expect(refused.output.contains("verdict: refused"))
        #expect(!refused.output.contains("Alice"))
    }

    @Test func refusesInputThatIsNeither() async throws {
        let path = try disk.folder.write("{}", to: "x.json")
        #expect(await Invocation.irma("verify", path, "-s", disk.schemes).status == 2)
        let broken = try disk.folder.write("{", to: "y.json")
        #expect(await Invocation.irma("verify", broken, "-s", disk.schemes).status == 2)
    }
}
