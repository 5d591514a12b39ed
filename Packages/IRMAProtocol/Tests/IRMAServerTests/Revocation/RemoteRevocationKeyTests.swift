import CredentialTransport
import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import Testing

@testable import IRMAServer

/// Several keys of one type at the server of its authority, of which some fail.
@Suite struct RemoteRevocationKeyTests {
    private let scene: RemoteRevocationWorld
    private let pairs: [UInt: IdemixIssuerKeyPair]
    private let schemes: SchemeSnapshot
    private let good: [UInt: RevocationUpdate]

    init() async throws {
        let scene = try RemoteRevocationWorld(try RevocationSettings(serverURL: RemoteRevocationWorld.ownURL))
        var (pairs, good): ([UInt: IdemixIssuerKeyPair], [UInt: RevocationUpdate]) = ([:], [:])
        for counter: UInt in 3...5 {
            let keys = try ServerScene.shared.get().copy(counter: counter, withRevocation: true)
            let signer = try keys.privateKey.revocationSigner()
            let authority = try await RevocationAuthority(keys: keys, at: ServerScene.now, signer: signer)
            pairs[counter] = keys
            good[counter] = try authority.update(lastEvents: 1)
        }
        (self.scene, self.pairs, self.good) = (scene, pairs, good)
        schemes = try SchemeSnapshot([ServerScene.demo((3...5).compactMap { pairs[$0]?.publicKey })])
    }

    /// Answers with the accumulators of all keys, some of them damaged.
    private func answer(damaging counters: Set<UInt>) throws {
        var updates = good
        for counter in counters {
            let update = try #require(good[counter])
            var data = update.signedAccumulator.data
            data[data.count / 2] ^= 1
            updates[counter] = RevocationUpdate(
                signedAccumulator: SignedAccumulator(data: data, keyCounter: counter),
                events: update.events
            )
        }
        scene.answer(with: InMemoryHTTPAnswer(status: 200, body: RevocationUpdates(updates).cborEncoded()))
    }

    private func synchronize() async throws(IRMAServerError) {
        try await scene.reader.authority.synchronize(ServerScene.pass, schemes: schemes)
    }

    private func witness(_ counter: UInt) async throws -> ReceivedWitness {
        try await scene.reader.authority.makeWitness(
            for: ServerScene.pass,
            revocationKey: "a",
            keys: try #require(pairs[counter]),
            issued: 1,
            expiry: 1_900_000_000,
            schemes: schemes,
            using: .system
        )
    }

    @Test func aKeyThatFailsHidesNoOther() async throws {
        try answer(damaging: [3, 5])
        let error = await #expect(throws: IRMAServerError.self) { try await synchronize() }
        #expect(error?.code == .revocationFailed)
        #expect(error?.message.contains("key 3: ") == true && error?.message.contains("key 5: ") == true)
        let authority = scene.reader.authority
        #expect(await scene.reader.records.keyCounters(of: ServerScene.pass) == [4])
        #expect(await Array(authority.knownAccumulators(of: ServerScene.pass).keys) == [4])
        let updates = try await authority.updates(of: ServerScene.pass, lastEvents: 1, schemes: schemes)
        #expect(updates == good.filter { $0.key == 4 })
        // The server is left alone for five seconds, as after a failure.
        await #expect(throws: IRMAServerError.self) { try await synchronize() }
        #expect(scene.paths.count == 1)
        try answer(damaging: [])
        scene.reader.world.time.advance(by: .seconds(5))
        try await synchronize()
        #expect(scene.paths.count == 2)
        #expect(await scene.reader.records.keyCounters(of: ServerScene.pass) == [3, 4, 5])
        #expect(await authority.knownAccumulators(of: ServerScene.pass).keys.sorted() == [3, 4, 5])
    }

    @Test func namesTheOnlyKeyThatFails() async throws {
        try answer(damaging: [3])
        let error = await #expect(throws: IRMAServerError.self) { try await synchronize() }
        #expect(error?.code == .revocationFailed && error?.path == ["demo.bank.pass"])
        #expect(await scene.reader.records.keyCounters(of: ServerScene.pass) == [4, 5])
    }

    @Test func issuesWithAKeyBesideOneThatFails() async throws {
        try answer(damaging: [3])
        #expect(try await witness(4).signedAccumulator == good[4]?.signedAccumulator)
        await #expect(throws: IRMAServerError.self) { try await witness(3) }
        // A record for the one, and none for the other.
        #expect(scene.paths.filter { $0.hasPrefix("issuancerecord") } == ["issuancerecord/4"])
    }

    /// A server that does not have the newest accumulator says nothing about it.
    @Test func aServerThatIsBehindConfirmsNothing() async throws {
        try answer(damaging: [])
        try await synchronize()
        let keys = try #require(pairs[4])
        let signer = try keys.privateKey.revocationSigner()
        let first = try RevocationAuthority(keys: keys, continuing: try #require(good[4]))
        let witness = try first.makeWitness()
        let next = try await first.revoking(witness.e, at: ServerScene.now + 1, signer: signer)
        let update = try next.update(lastEvents: 2)
        try await scene.reader.authority.keep(
            update,
            of: ServerScene.pass,
            keyCounter: 4,
            schemes,
            [RemoteRevocationWorld.ownURL]
        )
        scene.reader.world.time.advance(by: .seconds(300))
        try await synchronize()
        #expect(scene.paths.count == 2)
        #expect(
            await scene.reader.authority.knownAccumulators(of: ServerScene.pass).keys.sorted() == [3, 5]
        )
    }
}
