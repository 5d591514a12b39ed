import CredentialServing
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import Testing

@testable import IRMAServer

/// Servers that are not the authority of a type: what they ask its server, and what they make of the answers.
@Suite struct RemoteRevocationTests {
    private func expectFailure(
        _ text: String = "",
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            Issue.record("not refused", sourceLocation: sourceLocation)
        } catch {
            #expect((error as? IRMAServerError)?.code == .revocationFailed, "\(error)", sourceLocation: sourceLocation)
            #expect(text.isEmpty || "\(error)".contains(text), sourceLocation: sourceLocation)
        }
    }

    @Test func verifiersAskTheServerOfTheScheme() async throws {
        let scene = try RemoteRevocationWorld()
        let pass = try await scene.authority.issuePass("first")
        let (answer, result) = try await scene.reader.show(pass)
        #expect(answer == "{\"proofStatus\":\"VALID\"}")
        #expect(result.disclosed.first??.first?.isNotRevoked == true)
        #expect(
            scene.transport.requests.map(\.url.description) == [
                "https://revocation.example/irma/revocation/demo.bank.pass/update/16"
            ]
        )
        // Half of the tolerance later, and not before, they ask again.
        scene.reader.world.time.advance(by: .seconds(299))
        _ = try await scene.reader.show(pass)
        #expect(scene.paths.count == 1)
        try await scene.authority.authority.revoke(RevocationRequest(ServerScene.pass, revocationKey: "first"))
        scene.reader.world.time.advance(by: .seconds(1))
        #expect(try await scene.reader.show(pass).answer == "{\"proofStatus\":\"INVALID\"}")
        #expect(scene.paths.count == 2)
    }

    @Test func noHeaderKeepsAnAnswerBeyondHalfOfTheTolerance() async throws {
        let scene = try RemoteRevocationWorld(try RevocationSettings(tolerance: 60))
        _ = try await scene.authority.issuePass("first")
        try await scene.synchronize()
        // The answer may be kept for 60 seconds by caches.
        scene.reader.world.time.advance(by: .seconds(29))
        try await scene.synchronize()
        #expect(scene.paths.count == 1)
        scene.reader.world.time.advance(by: .seconds(1))
        try await scene.synchronize()
        #expect(scene.paths.count == 2)
    }

    @Test func theToleranceOfARequestCounts() async throws {
        let scene = try RemoteRevocationWorld()
        let pass = try await scene.authority.issuePass("first")
        #expect(try await scene.reader.show(pass).answer == "{\"proofStatus\":\"VALID\"}")
        try await scene.authority.authority.revoke(RevocationRequest(ServerScene.pass, revocationKey: "first"))
        // The tolerance of the settings applies, also to a request with a tolerance of 0; half of it has not passed.
        scene.reader.world.time.advance(by: .seconds(61))
        let (answer, result) = try await scene.reader.show(pass, tolerance: 0)
        #expect(answer == "{\"proofStatus\":\"VALID\"}")
        #expect(result.disclosed.first??.first?.notRevokedBefore == nil)
        #expect(scene.paths.count == 1)
        #expect(try await scene.reader.show(pass, tolerance: 60).answer == "{\"proofStatus\":\"INVALID\"}")
        #expect(scene.paths.count == 2)
    }

    @Test func aProofIsAsFreshAsTheLastVisit() async throws {
        let scene = try RemoteRevocationWorld()
        let pass = try await scene.authority.issuePass("first")
        func notRevokedBefore() async throws -> Int64? {
            let attribute = try await scene.reader.show(pass, tolerance: 40).result.disclosed.first??.first
            return try #require(attribute).notRevokedBefore
        }
        // The accumulator is 55 seconds old, but its server has just said that it is the newest.
        scene.reader.world.time.advance(by: .seconds(55))
        #expect(try await notRevokedBefore() == nil)
        let visited = Int64(scene.reader.world.time.date.timeIntervalSince1970)
        scene.answer(with: InMemoryHTTPAnswer(status: 503))
        scene.reader.world.time.advance(by: .seconds(41))
        #expect(try await notRevokedBefore() == visited)
    }

    @Test func issuersPostTheirRecordsToTheAuthority() async throws {
        let scene = try RemoteRevocationWorld(try RevocationSettings(serverURL: RemoteRevocationWorld.ownURL + "/"))
        try await scene.authority.revokeSamples(0..<1)
        let pass = try await scene.reader.issuePass("away")
        #expect(scene.paths == ["update/16", "issuancerecord/3"])
        #expect(scene.transport.requests.allSatisfy { $0.url.description.hasPrefix(RemoteRevocationWorld.ownURL) })
        let record = try #require(
            await scene.authority.records.records(of: ServerScene.pass, revocationKey: "away").first
        )
        #expect(await scene.reader.records.records(of: ServerScene.pass, revocationKey: "away").isEmpty)
        #expect(record.keyCounter == 3)
        #expect(try await scene.authority.show(pass).answer == "{\"proofStatus\":\"VALID\"}")
        try await scene.authority.authority.revoke(RevocationRequest(ServerScene.pass, revocationKey: "away"))
        #expect(try await scene.authority.show(pass).answer == "{\"proofStatus\":\"INVALID\"}")
        // Revoking is the authority's business.
        await expectFailure("not the authority") {
            try await scene.reader.authority.revoke(RevocationRequest(ServerScene.pass, revocationKey: "away"))
        }
    }

    /// The authority has one record of a revocation key and time.
    @Test func twoCredentialsOfASessionWithOneKeyAreOnRecord() async throws {
        let scene = try RemoteRevocationWorld(try RevocationSettings(serverURL: RemoteRevocationWorld.ownURL))
        try await scene.authority.revokeSamples(0..<1)
        let request = CredentialRequest(ServerScene.pass, attributes: ["id": "1"], revocationKey: "both")
        let world = scene.reader.world
        let wallet = world.wallet(try await world.start(ServerScene.issuance(request, request)))
        let (commitments, _) = try wallet.commitments(for: try await wallet.request())
        #expect(try await wallet.post("commitments", commitments).status == .ok)
        let records = await scene.authority.records.records(of: ServerScene.pass, revocationKey: "both")
        let issued = world.time.sessionClock.milliseconds * 1_000_000
        #expect(records.map(\.issued) == [issued, issued + 1])
    }

    @Test func noCredentialIsIssuedThatIsNotOnRecord() async throws {
        let scene = try RemoteRevocationWorld(try RevocationSettings(serverURL: RemoteRevocationWorld.ownURL))
        try await scene.authority.revokeSamples(0..<1)
        try await scene.synchronize()
        scene.answer(with: InMemoryHTTPAnswer(status: 502, body: Array("<html>bad gateway</html>".utf8)))
        let request = CredentialRequest(ServerScene.pass, attributes: ["id": "1"], revocationKey: "a")
        let wallet = scene.reader.world.wallet(try await scene.reader.world.start(ServerScene.issuance(request)))
        let (commitments, _) = try wallet.commitments(for: try await wallet.request())
        try expectError(.issuanceFailed, in: await wallet.post("commitments", commitments))
        #expect(await scene.authority.records.records(of: ServerScene.pass, revocationKey: "a").isEmpty)
    }

    @Test func anOutageLeavesWhatIsKnown() async throws {
        let scene = try RemoteRevocationWorld()
        let pass = try await scene.authority.issuePass("first")
        scene.answer(with: InMemoryHTTPAnswer(status: 503))
        let package = try await scene.reader.world.start(RevocationWorld.passRequest)
        let refusal = try await scene.reader.world.wallet(package).connect()
        try expectError(.revocation, in: refusal)
        let message = try RemoteError(decoding: refusal.body).message ?? ""
        #expect(message.hasPrefix("no revocation updates for demo.bank.pass: the revocation server "), "\(message)")
        // A server that failed is left alone for a while.
        await expectFailure("503") { try await scene.synchronize() }
        #expect(scene.paths.count == 1)
        scene.answer(with: nil)
        scene.reader.world.time.advance(by: .seconds(5))
        try await scene.synchronize()
        #expect(scene.paths.count == 2)

        scene.answer(with: InMemoryHTTPAnswer(status: 503))
        scene.reader.world.time.advance(by: .seconds(300))
        let (answer, result) = try await scene.reader.show(pass)
        #expect(scene.paths.count == 3)
        #expect(answer == "{\"proofStatus\":\"VALID\"}")
        #expect(result.disclosed.first??.first?.isNotRevoked == true)
    }

    @Test func readsErrorsOfServersAndProxies() async throws {
        let scene = try RemoteRevocationWorld()
        let bodies: [(Int, [UInt8], String)] = [
            (404, Array("404 page not found\n".utf8), "404 page not found"),
            (500, RemoteError(.revocation, message: "no such key").cborEncoded(), "REVOCATION, no such key"),
            (400, Array("{\"error\":\"INVALID_REQUEST\"}".utf8), "INVALID_REQUEST"), (502, [], "502"),
            (500, [0xa1, 0x65], "500"), (500, [UInt8](repeating: 0x9f, count: 60_000), "500"),
            (500, Array("line\u{1b}[31m\nbreak".utf8), "\\u{"),
        ]
        for (status, body, text) in bodies {
            scene.reader.world.time.advance(by: .seconds(5))
            scene.answer(with: InMemoryHTTPAnswer(status: status, body: body))
            await expectFailure(text) { try await scene.synchronize() }
        }
        for body in [[], Array("<html>".utf8), [0xa1, 0x03, 0x01], [UInt8](repeating: 0x81, count: 5 << 20)] {
            scene.reader.world.time.advance(by: .seconds(5))
            scene.answer(with: InMemoryHTTPAnswer(status: 200, body: body))
            await expectFailure { try await scene.synchronize() }
        }
        #expect(await scene.reader.records.keyCounters(of: ServerScene.pass).isEmpty)
    }

    @Test func refusesAccumulatorsOfOthers() async throws {
        let scene = try RemoteRevocationWorld()
        try await scene.authority.revokeSamples(0..<1)
        let good = try #require(try await scene.authority.records.accumulator(of: ServerScene.pass, keyCounter: 3))
        var damaged = good.signedAccumulator.data
        damaged[damaged.count / 2] ^= 1
        let forged = RevocationUpdate(
            signedAccumulator: SignedAccumulator(data: damaged, keyCounter: 3),
            events: good.events
        )
        scene.answer(with: InMemoryHTTPAnswer(status: 200, body: RevocationUpdates([3: forged]).cborEncoded()))
        await expectFailure { try await scene.synchronize() }
        #expect(await scene.reader.records.keyCounters(of: ServerScene.pass).isEmpty)
        // A key that the scheme does not have yet keeps no other key's accumulator away.
        scene.reader.world.time.advance(by: .seconds(5))
        let updates = RevocationUpdates([3: good, 9: forged])
        scene.answer(with: InMemoryHTTPAnswer(status: 200, body: updates.cborEncoded()))
        try await scene.synchronize()
        #expect(await scene.reader.records.keyCounters(of: ServerScene.pass) == [3])
    }

    @Test func fetchesTheEventsBetweenByIntervals() async throws {
        let scene = try RemoteRevocationWorld()
        try await scene.authority.revokeSamples(0..<1)
        try await scene.synchronize()
        try await scene.authority.revokeSamples(1..<40)
        scene.reader.world.time.advance(by: .seconds(300))
        try await scene.synchronize()
        #expect(scene.paths == ["update/16", "update/16", "events/3/0/32"])
        let all = try await scene.authority.records.accumulator(of: ServerScene.pass, keyCounter: 3)
        #expect(try await scene.reader.records.accumulator(of: ServerScene.pass, keyCounter: 3) == all)
        #expect(all?.events?.count == 41)
    }

    @Test func asksForNoMoreEventsThanItCanTake() async throws {
        let scene = try RemoteRevocationWorld()
        try await scene.authority.revokeSamples(0..<1)
        try await scene.synchronize()
        let keys = scene.authority.world.scene.keys
        let far = RevocationAccumulator(value: 4, index: 4_194_306, time: 1_900_000_000, eventHash: .none)
        let unsigned = try UnsignedAccumulator(far, publicKey: keys.publicKey)
        let signature = try keys.privateKey.revocationSigner().signature(for: unsigned.bytesToSign)
        let update = RevocationUpdate(signedAccumulator: try unsigned.completed(with: signature), events: nil)
        scene.answer(with: InMemoryHTTPAnswer(status: 200, body: RevocationUpdates([3: update]).cborEncoded()))
        scene.reader.world.time.advance(by: .seconds(300))
        await expectFailure("4194305 events are missing") { try await scene.synchronize() }
        #expect(scene.paths == ["update/16", "update/16"])
    }

    /// More events than one visit fetches, and a server that fails in between.
    @Test func catchesUpInSeveralVisits() async throws {
        let scene = try RemoteRevocationWorld()
        try await scene.authority.revokeSamples(0..<40)
        let remote = RevocationRemote(scene.transport, maximumIntervals: 1)
        func events(from start: UInt64 = 17) async throws -> [RevocationEventList] {
            let server = "https://revocation.example/irma"
            return try await remote.events(of: ServerScene.pass, keyCounter: 3, in: start..<40, from: [server])
        }
        await expectFailure("8 more events are missing") { _ = try await events() }
        scene.answer(with: InMemoryHTTPAnswer(status: 500))
        await expectFailure { _ = try await events() }
        scene.answer(with: nil)
        #expect(try await events().map(\.count) == [16, 8])
        #expect(scene.paths == ["events/3/16/32", "events/3/32/48", "events/3/32/48"])
        // What was taken is not kept: events that turn out to be made up are fetched anew, as those from another index are.
        await expectFailure("8 more events are missing") { _ = try await events() }
        #expect(try await events(from: 32).map(\.count) == [8])
        #expect(scene.paths.suffix(2) == ["events/3/16/32", "events/3/32/48"])
    }

    @Test func aRevocationServerHasAllEvents() async throws {
        let settings = try RevocationSettings(role: .server, serverURL: RemoteRevocationWorld.ownURL)
        let scene = try RemoteRevocationWorld(settings)
        try await scene.authority.revokeSamples(0..<20)
        let base = "/irma/revocation/demo.bank.pass"
        let update = try await scene.reader.world.response(.get, base + "/update/16/3")
        let expected = try await scene.authority.records.accumulator(
            of: ServerScene.pass,
            keyCounter: 3,
            lastEvents: 16
        )
        #expect(try RevocationUpdate(decodingCBOR: update.body) == expected)
        let events = try await scene.reader.world.response(.get, base + "/events/3/0/16")
        #expect(try RevocationEventList(decodingCBOR: events.body).count == 16)
        #expect(events.headerFields[.cacheControl] == "max-age=3600")
        let record = try await scene.reader.world.response(.post, base + "/issuancerecord/3")
        #expect(RemoteError(revocationBody: record.body, status: 400).name == .invalidRequest)
    }

    @Test func refusesAChainThatContradictsWhatIsKnown() async throws {
        let scene = try RemoteRevocationWorld()
        try await scene.authority.revokeSamples(0..<2)
        try await scene.synchronize()
        let known = try await scene.reader.records.accumulator(of: ServerScene.pass, keyCounter: 3)
        let other = try RevocationWorld()
        scene.redirect(to: other)
        // Another chain up to the same event, and beyond it.
        for samples in [0..<2, 2..<3] {
            other.world.time.advance(by: .seconds(600))
            try await other.revokeSamples(samples)
            scene.reader.world.time.advance(by: .seconds(300))
            await expectFailure { try await scene.synchronize() }
            #expect(try await scene.reader.records.accumulator(of: ServerScene.pass, keyCounter: 3) == known)
        }
        // An older state is no news.
        let behind = try RevocationWorld()
        try await behind.revokeSamples(0..<1)
        scene.redirect(to: behind)
        scene.reader.world.time.advance(by: .seconds(300))
        try await scene.synchronize()
        #expect(try await scene.reader.records.accumulator(of: ServerScene.pass, keyCounter: 3) == known)
    }

    /// An authority signs an accumulator again with another time, and with nothing else.
    @Test func refusesAnotherAccumulatorOfTheSameIndexAndTime() async throws {
        let scene = try RemoteRevocationWorld()
        try await scene.authority.revokeSamples(0..<2)
        try await scene.synchronize()
        let stored = try await scene.reader.records.accumulator(of: ServerScene.pass, keyCounter: 3)
        let known = try #require(stored).signedAccumulator.unverifiedAccumulator()
        let keys = scene.authority.world.scene.keys
        let others: [(BigInteger, RevocationEventHash)] = [(known.value, .none), (4, known.eventHash)]
        for (value, hash) in others {
            let other = RevocationAccumulator(value: value, index: known.index, time: known.time, eventHash: hash)
            let unsigned = try UnsignedAccumulator(other, publicKey: keys.publicKey)
            let signature = try keys.privateKey.revocationSigner().signature(for: unsigned.bytesToSign)
            let update = RevocationUpdate(signedAccumulator: try unsigned.completed(with: signature), events: nil)
            scene.answer(with: InMemoryHTTPAnswer(status: 200, body: RevocationUpdates([3: update]).cborEncoded()))
            scene.reader.world.time.advance(by: .seconds(300))
            await expectFailure("contradicts the one that is known") { try await scene.synchronize() }
        }
        #expect(try await scene.reader.records.accumulator(of: ServerScene.pass, keyCounter: 3) == stored)
    }

    @Test func settingsThatCannotWorkAreRefused() throws {
        func code(_ body: () throws -> Void) -> IRMAServerError.Code? {
            do {
                try body()
                return nil
            } catch {
                return (error as? IRMAServerError)?.code
            }
        }
        let url = RemoteRevocationWorld.ownURL
        #expect(code { _ = try RevocationSettings(role: .authority, serverURL: url) } == .invalidConfiguration)
        #expect(code { _ = try RevocationSettings(role: .server) } == .invalidConfiguration)
        #expect(code { _ = try RevocationSettings(tolerance: 29) } == .invalidConfiguration)
        for url in ["", "no url", "ftp://x.example", "https://x.example/?a=b"] {
            #expect(code { _ = try RevocationSettings(serverURL: url) } == .invalidConfiguration)
        }
        let settings = try RevocationSettings(serverURL: url + "//", tolerance: 30)
        #expect(settings.serverURL == url)
        #expect(try RevocationSettings(role: .authority).role == [.authority, .server])
    }
}
