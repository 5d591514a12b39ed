import CredentialServing
import Foundation
import IRMAMessages
import IdemixCore
import JSONKit
import Testing

@testable import IRMAServer

/// Long answers, whose proofs are screened before they are read.
@Suite struct ProofScreeningTests {
    private static let request = SessionRequest(
        .disclosing,
        disclose: [[["demo.bank.card.name"]], [["demo.bank.mail.address"]]]
    )

    private func proofs(_ wallet: TestWallet) async throws -> DisclosureResponse {
        let scene = wallet.world.scene
        return try wallet.proofs(
            [(scene.card(), [2]), (scene.mail(), [2])],
            [[(0, 2)], [(1, 2)]],
            for: await wallet.request()
        )
    }

    /// A message that is long enough, whose last proof is changed.
    private func message(
        _ message: some IRMAMessage,
        _ member: String = "proofs",
        change: (inout JSONObject) throws -> Void
    ) throws -> [UInt8] {
        var object = try #require(try message.json().objectValue)
        let proofs = try #require(object[member]?.arrayValue)
        var proof = try #require(proofs.last?.objectValue)
        try change(&proof)
        object[member] = .array(proofs.dropLast() + [.object(proof)])
        object["filler"] = .string(String(repeating: "x", count: 9000))
        return JSONValue.object(object).encoded()
    }

    private static let refusals: [(String, Reason, @Sendable (inout JSONObject) -> Void)] = [
        ("metadata", .malformed, { $0["a_disclosed"] = ["2": "AQ=="] }),
        ("long metadata", .malformed, { $0["a_disclosed"] = ["1": .string(String(repeating: "A", count: 4000))] }),
        (
            "attributes", .malformed,
            {
                var responses = $0["a_responses"]?.objectValue ?? JSONObject()
                for index in 10..<20 { responses[String(index)] = "AQ==" }
                $0["a_responses"] = .object(responses)
            }
        ), ("a response", .malformed, { $0["e_response"] = .string(String(repeating: "A", count: 400)) }),
        ("no element of the group", .malformed, { $0["A"] = "" }),
        ("a range proof", .unrequestedProof, { $0["rangeproofs"] = ["2": []] }),
        ("revocation", .unrequestedProof, { $0["nonrev_proof"] = ["C_r": "AQ=="] }),
        ("another challenge", .invalidProof, { $0["c"] = "AQ==" }),
        (
            "a commitment", .unexpectedType,
            {
                $0["U"] = $0["A"]
                $0.removeValue(forName: "A")
            }
        ),
    ]

    @Test(arguments: refusals.indices) func refusesProofsByTheirOutline(_ index: Int) async throws {
        let (name, reason, change) = Self.refusals[index]
        let world = try ServerWorld()
        let package = try await world.start(Self.request)
        let wallet = world.wallet(package)
        let response = try await wallet.post("proofs", message(proofs(wallet), change: change))
        #expect(try response.json() == ["proofStatus": "INVALID"], "\(name)")
        #expect(try await world.server.status(of: package.token) == .done)
        let report = try #require(await world.server.verification(of: package.token))
        #expect(
            report.refusal?.reason == reason.name && report.refusal?.path?.first == "proofs[1]",
            "\(name): \(report)"
        )
    }

    @Test func readsWhatPasses() async throws {
        let world = try ServerWorld()
        var wallet = world.wallet(try await world.start(Self.request))
        var response = try await wallet.post("proofs", message(proofs(wallet)) { _ in })
        #expect(try response.json() == ["proofStatus": "VALID"])
        // An attribute may be a picture.
        wallet = world.wallet(try await world.start())
        response = try await wallet.showName(world.scene.card(String(repeating: "x", count: 45_000)))
        #expect(try response.json() == ["proofStatus": "VALID"])
    }

    /// The issuer's and the wallet's schemes are newer than the server's: the further attribute stays hidden.
    @Test func readsProofsOfATypeThatHasGrownMeanwhile() async throws {
        let world = try ServerWorld()
        let mail = try world.scene.credential(ServerScene.mail, ["a@example.com", "example.com", "later"])
        func answer(showing indices: Set<Int>, isLong: Bool) async throws -> InMemoryResponse {
            let wallet = world.wallet(try await world.start(Self.request))
            let shown: [(IdemixCredential, Set<Int>)] = [(try world.scene.card(), [2]), (mail, indices)]
            let proofs = try wallet.proofs(shown, [[(0, 2)], [(1, 2)]], for: await wallet.request())
            return try await wallet.post("proofs", isLong ? message(proofs) { _ in } : proofs.encoded())
        }
        for isLong in [false, true] {
            let hidden = try await answer(showing: [2], isLong: isLong)
            #expect(try hidden.json() == ["proofStatus": "VALID"])
            let disclosed = try await answer(showing: [2, 4], isLong: isLong)
            #expect(try disclosed.json() == ["proofStatus": "INVALID"])
        }
        // An issuance session screens the disclosures before its commitments.
        let issuance = ServerScene.issuance(ServerScene.cardRequest, disclose: [[["demo.bank.mail.address"]]])
        let wallet = world.wallet(try await world.start(issuance))
        let (commitments, _) = try wallet.commitments(for: await wallet.request(), showing: [(mail, [2])], [[(0, 2)]])
        let issued = try await wallet.post("commitments", message(commitments, "combinedProofs") { _ in })
        #expect(try issued.json().objectValue?["proofStatus"] == "VALID")
    }

    @Test func namesAnUnknownKey() async throws {
        let world = try ServerWorld()
        let package = try await world.start(Self.request)
        let wallet = world.wallet(package)
        let metadata = try MetadataAttribute(
            credentialType: "demo.bank.other",
            keyCounter: 3,
            signedAt: ServerScene.now,
            expiresAt: ServerScene.now + 1e7
        )
        let body = try await message(proofs(wallet)) { $0["a_disclosed"] = ["1": try metadata.integer.json()] }
        try expectError(.unknownPublicKey, in: await wallet.post("proofs", body))
        #expect(try await world.server.status(of: package.token) == .cancelled)
    }

    @Test func refusesASignatureOfAnotherMessage() async throws {
        let world = try ServerWorld()
        let request = SessionRequest(.signing(message: "a"), disclose: [[["demo.bank.card.name"]]])
        let package = try await world.start(request)
        let filler = String(repeating: "x", count: 9000)
        let body = "{\"signature\": [{\"A\": \"AQ==\"}], \"message\": \"b\", \"filler\": \"\(filler)\"}"
        let wallet = world.wallet(package)
        _ = try await wallet.request()
        let response = try await wallet.post("proofs", Array(body.utf8))
        #expect(try response.json() == ["proofStatus": "UNMATCHED_REQUEST"])
        #expect(try await world.server.result(of: package.token).signature == nil)
    }

    @Test func refusesAProofThatLacksAMember() async throws {
        let world = try ServerWorld()
        let package = try await world.start(Self.request)
        let wallet = world.wallet(package)
        let body = try await message(proofs(wallet)) { $0.removeValue(forName: "v_response") }
        try expectError(.malformedInput, in: await wallet.post("proofs", body))
        #expect(try await world.server.status(of: package.token) == .connected)
    }

    @Test func screensCommitments() async throws {
        let changes: [(RemoteError.Name, (inout JSONObject) -> Void)] = [
            (.invalidProofs, { $0["m_user_responses"] = ["2": "AQ=="] }),
            (.invalidProofs, { $0["s_response"] = .string(String(repeating: "A", count: 400)) }),
            (.malformedInput, { $0["A"] = $0["U"] }),
        ]
        for (name, change) in changes {
            let world = try ServerWorld()
            let package = try await world.start(ServerScene.issuance(ServerScene.cardRequest))
            let wallet = world.wallet(package)
            let (commitments, _) = try wallet.commitments(for: await wallet.request())
            let body = try message(commitments, "combinedProofs", change: change)
            try expectError(name, in: await wallet.post("commitments", body))
            #expect(try await world.server.status(of: package.token) == .cancelled)
        }
    }
}
