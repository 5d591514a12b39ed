import CredentialServing
import CredentialTransport
import CryptoCore
import Foundation
import IRMAMessages
import IRMAServerContracts
import IdemixCore
import Testing

@testable import IRMAServer

/// Work without a session: rounds in the background, and the records themselves.
@Suite struct RevocationRoundTests {
    @Test(arguments: RevocationRecordsLaw.all)
    func memoryKeeps(_ law: RevocationRecordsLaw) async throws {
        try await law.check([InMemoryRevocationRecords()])
    }

    @Test func signsAnewAndDeletesInTheBackground() async throws {
        let scene = try RevocationWorld()
        _ = try await scene.issuePass("first")
        let schemes = scene.world.scene.material.schemes
        let rounds = Task { await scene.authority.run(schemes: { schemes }) }
        func time() async throws -> Int64? {
            try await scene.records.accumulator(of: ServerScene.pass, keyCounter: 3)?.signedAccumulator
                .unverifiedAccumulator().time
        }
        await scene.world.time.waitForSleeper(.seconds(10))
        let first = try #require(try await time())
        for _ in 0..<6 {
            scene.world.time.advance(by: .seconds(10))
            await scene.world.time.waitForSleeper(.seconds(10))
        }
        #expect(try await time() == first + 60)
        scene.world.time.advance(by: .seconds(86_400 * 200))
        await scene.world.time.waitForSleeper(.seconds(10))
        #expect(await scene.records.records(of: ServerScene.pass, revocationKey: "first").isEmpty)
        rounds.cancel()
        await rounds.value
    }

    @Test func goesOnWhereAKeyFails() async throws {
        let scene = try await RevocationWorld.withFailingKey(beside: [7])
        let expiring = IssuanceRecord(
            revocationKey: "first",
            credentialType: ServerScene.pass,
            issued: 1,
            keyCounter: 7,
            attribute: 7,
            validUntil: 2
        )
        try await scene.records.add(expiring)
        let schemes = scene.world.scene.material.schemes
        let (failures, sink) = AsyncStream.makeStream(of: IRMAServerError.self)
        let service = scene.authority
        let rounds = Task { await service.run(schemes: { schemes }, onFailure: { _, error in sink.yield(error) }) }
        await scene.world.time.waitForSleeper(.seconds(10))
        #expect(await scene.records.keyCounters(of: ServerScene.pass) == [3, 7])
        var iterator = failures.makeAsyncIterator()
        #expect(await iterator.next()?.code == .revocationFailed)
        scene.world.time.advance(by: .seconds(RevocationAuthorityService.deletionInterval))
        await scene.world.time.waitForSleeper(.seconds(10))
        #expect(await scene.records.records(of: ServerScene.pass, revocationKey: "first").isEmpty)
        rounds.cancel()
        await rounds.value
    }

    @Test func asksOtherAuthoritiesInTheBackground() async throws {
        let scene = try RemoteRevocationWorld(try RevocationSettings(tolerance: 120))
        try await scene.authority.revokeSamples(0..<1)
        let schemes = scene.reader.world.scene.material.schemes
        let (failures, sink) = AsyncStream.makeStream(of: IRMAServerError.self)
        let service = scene.reader.authority
        let rounds = Task { await service.run(schemes: { schemes }, onFailure: { _, error in sink.yield(error) }) }
        let time = scene.reader.world.time
        for _ in 0..<7 {
            await time.waitForSleeper(.seconds(10))
            time.advance(by: .seconds(10))
        }
        await time.waitForSleeper(.seconds(10))
        #expect(scene.paths == ["update/16", "update/16"])
        scene.answer(with: .init(status: 500))
        time.advance(by: .seconds(60))
        var iterator = failures.makeAsyncIterator()
        #expect(await iterator.next()?.code == .revocationFailed)
        rounds.cancel()
        await rounds.value
    }

    @Test func severalCredentialsOfOneMomentAreAllOnRecord() async throws {
        let scene = try RevocationWorld()
        for _ in 0..<3 {
            _ = try await scene.authority.makeWitness(
                for: ServerScene.pass,
                revocationKey: "same",
                keys: scene.world.scene.keys,
                issued: 7_000_000,
                expiry: 1_900_000_000,
                schemes: scene.world.scene.material.schemes,
                using: .system
            )
        }
        let records = await scene.records.records(of: ServerScene.pass, revocationKey: "same")
        #expect(records.map(\.issued) == [7_000_000, 7_000_001, 7_000_002])
        try await scene.authority.revoke(RevocationRequest(ServerScene.pass, revocationKey: "same"))
        let update = try await scene.records.accumulator(of: ServerScene.pass, keyCounter: 3)
        #expect(update?.events?.lastIndex == 3)
    }
}
