import CredentialServing
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import JSONKit
import Testing

@testable import IRMAServer

/// Sessions in the process of their requestor: start, states, results, time limits.
@Suite struct SessionServerTests {
    @Test func startsAndDisclosesWithoutHTTPForTheRequestor() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        #expect(package.pointer.url == "https://shop.example/irma/session/\(world.wallet(package).token)")
        #expect(package.pointer.kind == .disclosing)
        #expect(package.frontend?.isPairingAdvised == false)
        #expect([package.token, package.frontend?.authorization ?? ""].allSatisfy { SessionTokens.isToken($0) })
        #expect(try await world.server.status(of: package.token) == .initialized)
        #expect(try await world.server.result(of: package.token).proofStatus == nil)

        let response = try await world.wallet(package).showName()
        #expect(response.status == .ok)
        #expect(try response.json() == ["proofStatus": "VALID"])
        let result = try await world.server.result(of: package.token)
        #expect(result.status == .done)
        #expect(result.proofStatus == .valid)
        #expect(result.disclosed.first??.first?.rawValue == "Alice")
    }

    @Test func keepsTheChecksOfAnAnswer() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        #expect(try await world.server.verification(of: package.token) == nil)
        _ = try await world.wallet(package).showName()
        let verified = try #require(try await world.server.verification(of: package.token))
        #expect(verified.verdict == .verified)
        #expect(verified.checks.contains { $0.check == "requestedAttributes" && $0.result == .passed })

        // Nothing is shown: the proofs are fine, the answer is not.
        let other = try await world.start()
        let wallet = world.wallet(other)
        let request = try await wallet.request()
        let proofs = try wallet.proofs([(world.scene.card(), [])], [[]], for: request)
        _ = try await wallet.post("proofs", proofs)
        let refused = try #require(try await world.server.verification(of: other.token))
        #expect(try await world.server.result(of: other.token).proofStatus == .missingAttributes)
        #expect(refused.verdict == .refused)
        #expect(refused.refusal?.check == "requestedAttributes")

        let cancelled = try await world.start()
        try await world.server.cancel(cancelled.token)
        #expect(try await world.server.verification(of: cancelled.token) == nil)
    }

    @Test func everyStateFollowsOnlyItsOwn() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        let wallet = world.wallet(package)

        // INITIALIZED: no request, no proofs, no completed pairing.
        try expectError(.unexpectedRequest, in: await wallet.get("request"))
        try expectError(.unexpectedRequest, in: await wallet.post("proofs", Array("{}".utf8)))
        await expectError(.unexpectedRequest) { try await world.server.completePairing(of: package.token) }
        #expect(try await world.server.status(of: package.token) == .initialized)

        // PAIRING: no request, no proofs, no options, no second wallet.
        let options = try await world.server.setPairing(.pin, of: package.token)
        #expect(options.pairingCode?.utf8.count == 4)
        let first = try await SessionRequest.firstMessage(decoding: wallet.connect().body)
        #expect(first.request == nil)
        #expect(first.options == options)
        #expect(try await world.server.status(of: package.token) == .pairing)
        try expectError(.pairingRequired, in: await wallet.get("request"))
        try expectError(.pairingRequired, in: await wallet.post("proofs", Array("{}".utf8)))
        await expectError(.unexpectedRequest) { try await world.server.setPairing(.none, of: package.token) }
        try expectError(.unexpectedRequest, in: await world.wallet(package, authorization: "other").connect())

        // CONNECTED: no options, no pairing, no first message for another.
        try await world.server.completePairing(of: package.token)
        #expect(try await world.server.status(of: package.token) == .connected)
        let request = try SessionRequest(decoding: await wallet.get("request").body)
        await expectError(.unexpectedRequest) { try await world.server.completePairing(of: package.token) }
        await expectError(.unexpectedRequest) { try await world.server.setPairing(.pin, of: package.token) }
        try expectError(.unexpectedRequest, in: await world.wallet(package, authorization: "other").connect())
        #expect(try await world.server.status(of: package.token) == .connected)

        // DONE: nothing more, and a cancellation changes nothing.
        let card = try world.scene.card()
        let proofs = try wallet.proofs([(card, [2])], [[(0, 2)]], for: request)
        #expect(try await wallet.post("proofs", proofs).status == .ok)
        try expectError(.unexpectedRequest, in: await wallet.get("request"))
        try expectError(.unexpectedRequest, in: await wallet.post("proofs", Array("{}".utf8)))
        try await world.server.cancel(package.token)
        #expect(try await world.server.status(of: package.token) == .done)
        #expect(try await world.server.result(of: package.token).proofStatus == .valid)
    }

    @Test(arguments: ["initialized", "pairing", "connected"])
    func everyOpenStateCanBeCancelled(state: String) async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        if state == "pairing" { try await world.server.setPairing(.pin, of: package.token) }
        if state != "initialized" { _ = try await world.wallet(package).connect() }
        try await world.server.cancel(package.token)
        let result = try await world.server.result(of: package.token)
        #expect(result.status == .cancelled)
        #expect(result.error == nil)
        try expectError(.unexpectedRequest, in: await world.wallet(package, authorization: "new").connect())
        try expectError(.unexpectedRequest, in: await world.wallet(package).get("request"))
    }

    @Test func unknownTokensAreUnknownSessions() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        let token = String(repeating: "a", count: 20)
        // The wallet's token is not the requestor's, nor the other way round.
        for wrong in [token, "", world.wallet(package).token] {
            await expectError(.sessionUnknown) { try await world.server.status(of: wrong) }
            await expectError(.sessionUnknown) { try await world.server.result(of: wrong) }
            await expectError(.sessionUnknown) { try await world.server.cancel(wrong) }
            await expectError(.sessionUnknown) { try await world.server.setPairing(.pin, of: wrong) }
            await expectError(.sessionUnknown) { try await world.server.completePairing(of: wrong) }
            await expectError(.sessionUnknown) { try await world.server.statuses(of: wrong) }
        }
        try expectError(.sessionUnknown, in: await world.response(.get, "/irma/session/\(package.token)/status"))
    }

    @Test func twoServersServeOneSession() async throws {
        let time = TestTime(ServerScene.now)
        let store = MemorySessionStore(clock: time.sessionClock)
        let change: (inout ServerWorld.Setup) -> Void = { setup in
            setup.store = store
            setup.time = time
        }
        let (first, second) = (try ServerWorld(change), try ServerWorld(change))
        let package = try await first.start()
        let request = try await second.wallet(package).request()
        let wallet = first.wallet(package)
        let proofs = try wallet.proofs([(first.scene.card(), [2])], [[(0, 2)]], for: request)
        #expect(try await wallet.post("proofs", proofs).json() == ["proofStatus": "VALID"])
        #expect(try await second.server.result(of: package.token).proofStatus == .valid)
        // The other server repeats the answer to the same wallet.
        let again = try await second.wallet(package).post("proofs", proofs)
        #expect(try again.json() == ["proofStatus": "VALID"])
        #expect(again.headerFields[.contentType] == nil)
    }

    @Test func sessionsKeepTheirSchemes() async throws {
        let world = try ServerWorld()
        let package = try await world.start(ServerScene.issuance(ServerScene.cardRequest))
        world.server.replaceMaterial(ServerMaterial(schemes: try SchemeSnapshot()))
        await expectError(.invalidRequest, "Unknown identifiers") { try await world.start() }
        let wallet = world.wallet(package)
        let (commitments, _) = try wallet.commitments(for: await wallet.request())
        #expect(try await wallet.post("commitments", commitments).status == .ok)
    }

    @Test func replacedSchemesAreForgottenWhenNoSessionCanUseThem() throws {
        let material = try ServerScene.shared.get().material
        let history = MaterialHistory(material, lifetime: 1000)
        let first = history.current.id
        history.replace(with: ServerMaterial(schemes: try SchemeSnapshot()), at: 0)
        #expect(history.material(first).schemes.schemes.count == 3)
        history.replace(with: ServerMaterial(schemes: try SchemeSnapshot()), at: 1001)
        #expect(history.material(first).schemes.schemes.isEmpty)
    }
}
