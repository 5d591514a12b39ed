import CBORKit
import CredentialTransport
import CredentialWallet
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import Synchronization
import TestSupport
import Testing

@testable import IRMAClient

/// Witnesses: issued, moved on, too old, and of revoked credentials.
struct RevocationTests {
    /// A wallet with a credential that can be revoked, and a revocation server.
    final class Scene: Sendable {
        let server: PlayServer
        let wallet: IRMAWallet
        let storage = InMemoryCredentialStorage()
        /// The paths that the revocation server was asked for.
        let asked: AskedPaths

        final class AskedPaths: Sendable {
            private let state = Mutex<(paths: [String], isDown: Bool, server: PlayServer?)>(([], false, nil))
            /// The number of answers before the server goes down, or nil.
            private let answersLeft = Mutex<Int?>(nil)
            func goDown(after answers: Int) { answersLeft.withLock { $0 = answers } }
            /// The index of an event that has a made-up prime, or nil.
            private let forgedIndex = Mutex<UInt64?>(nil)
            func forge(_ index: UInt64?) { forgedIndex.withLock { $0 = index } }
            /// Indicates answers with all events from the first that was asked for.
            private let givesAll = Mutex(false)
            func giveAll() { givesAll.withLock { $0 = true } }
            var paths: [String] { state.withLock { $0.paths } }
            func set(_ server: PlayServer) { state.withLock { $0.server = server } }
            func set(isDown: Bool) { state.withLock { $0.isDown = isDown } }

            func answer(_ request: HTTPTransportRequest) throws(TransportError) -> InMemoryHTTPAnswer? {
                guard request.url.host.description == "revocation.example" else { return nil }
                let isLast = answersLeft.withLock { left in
                    guard let number = left else { return false }
                    left = number == 0 ? nil : number - 1
                    return number == 0
                }
                if isLast { set(isDown: true) }
                let (isDown, server) = state.withLock { state in
                    state.paths.append(request.url.path)
                    return (state.isDown, state.server)
                }
                guard !isDown, let server else { return InMemoryHTTPAnswer(status: 404, body: Array("none".utf8)) }
                do {
                    let parts = request.url.path.split(separator: "/").map(String.init)
                    var writer = CBORWriter()
                    if parts[3] == "update" {
                        writer.write(try server.update(events: Int(parts[4])))
                    } else {
                        let (from, to) = (UInt64(parts[5]) ?? 0, UInt64(parts[6]) ?? 0)
                        let isLavish = givesAll.withLock { $0 }
                        let events = (try server.update().events?.events() ?? [])
                            .filter { $0.index >= from && (isLavish || $0.index < to) }
                        let forged = forgedIndex.withLock { $0 }
                        writer.write(
                            try RevocationEventList(
                                firstIndex: from,
                                firstParent: events.first?.parent ?? .none,
                                primes: events.map { $0.index == forged ? 11 : $0.prime }
                            )
                        )
                    }
                    return .ok(writer.finish(), type: try MediaType("application/octet-stream"))
                } catch {
                    throw TransportError(.exchangeFailed, "\(error)")
                }
            }
        }

        init(_ options: WalletOptions = WalletOptions(pairingInterval: .zero)) async throws {
            let asked = AskedPaths()
            self.asked = asked
            let timestamps = PlayTimestampServer(try Stage.shared.get())
            server = try PlayServer(try Stage.shared.get()) { request throws(TransportError) in
                if let answer = try asked.answer(request) { return answer }
                return try timestamps.answer(request)
            }
            asked.set(server)
            wallet = try await Stage.shared.get().wallet(server, storage: storage, options: options)
            try await issue()
        }

        func issue() async throws {
            var pass = offer(Stage.pass, ["id": "1"])
            pass.isRevocationSupported = true
            try await wallet.finish(server.start(issuing(pass)))
        }

        var witness: RevocationWitness? {
            get async throws {
                await wallet.core.vault.credentials(wallet.core.schemes.snapshot).first?.credential.witness
            }
        }

        /// A request for a proof of non-revocation, with so many events.
        func request(events: Int?, tolerance: UInt64? = nil) throws -> SessionRequest {
            var request = disclosing([[["demo.bank.pass.id"]]])
            let updates = try events.map { [3 as UInt: try server.update(events: $0)] } ?? [:]
            request.parameters.revocation = [
                Stage.pass: NonRevocationDemand(tolerance: tolerance, updates: updates)
            ]
            return request
        }

        func revokeOthers(_ count: Int) async throws {
            for _ in 0..<count { try await server.revoke(try server.makeWitness().e) }
        }
    }

    @Test func provesNonRevocation() async throws {
        let scene = try await Scene()
        let pointer = scene.server.start(try scene.request(events: 1))
        try await scene.wallet.finish(pointer)
        #expect(scene.server.session(pointer)?.proofStatus == .valid)
        #expect(scene.asked.paths.isEmpty, "the request brought everything along")
        var signing = try scene.request(events: 1)
        signing.purpose = .signing(message: "x")
        let signed = scene.server.start(signing)
        try await scene.wallet.finish(signed)
        #expect(scene.server.session(signed)?.proofStatus == .valid)
    }

    @Test func movesOnWithTheEventsOfTheRequest() async throws {
        let scene = try await Scene()
        try await scene.revokeOthers(2)
        let pointer = scene.server.start(try scene.request(events: 3))
        try await scene.wallet.finish(pointer)
        #expect(scene.server.session(pointer)?.proofStatus == .valid)
        #expect(try await scene.witness?.accumulator.index == 2)
        #expect(scene.asked.paths.isEmpty)
    }

    @Test func fetchesEventsThatTheRequestLacks() async throws {
        let scene = try await Scene()
        try await scene.revokeOthers(20)
        let pointer = scene.server.start(try scene.request(events: 2))
        try await scene.wallet.finish(pointer)
        #expect(scene.server.session(pointer)?.proofStatus == .valid)
        #expect(scene.asked.paths == ["/irma/revocation/demo.bank.pass/events/3/0/32"])
        #expect(try await scene.witness?.accumulator.index == 20)
    }

    /// Others are revoked while the wallet is away, and the request brings the accumulator as it was signed anew since.
    @Test func fetchesAllEventsForAnAccumulatorWithout() async throws {
        let scene = try await Scene()
        try await scene.revokeOthers(20)
        scene.server.now += 60
        try await scene.server.refresh()
        let pointer = scene.server.start(try scene.request(events: 0))
        try await scene.wallet.finish(pointer)
        #expect(scene.server.session(pointer)?.proofStatus == .valid)
        #expect(scene.asked.paths == ["/irma/revocation/demo.bank.pass/events/3/0/32"])
        #expect(try await scene.witness?.accumulator.index == 20)
        // From its own index on, and nothing where only the time is newer.
        try await scene.revokeOthers(15)
        try await scene.wallet.finish(scene.server.start(try scene.request(events: 0)))
        let later = ["16/32", "32/48"].map { "/irma/revocation/demo.bank.pass/events/3/\($0)" }
        #expect(scene.asked.paths.dropFirst() == later[...])
        scene.server.now += 60
        try await scene.server.refresh()
        try await scene.wallet.finish(scene.server.start(try scene.request(events: 0)))
        #expect(scene.asked.paths.count == 3)
        #expect(try await scene.witness?.accumulator.date == scene.server.now)
    }

    /// Events beyond the interval that a server was asked for are passed over.
    @Test func fetchesManyEventsInSeveralAttempts() async throws {
        let scene = try await Scene()
        try await scene.revokeOthers(17)
        try await scene.wallet.finish(scene.server.start(try scene.request(events: 18)))
        try await scene.revokeOthers(30)
        scene.asked.giveAll()
        let (core, update) = (scene.wallet.core, try scene.server.update(events: 1))
        let credential = try #require(await core.vault.credentials(core.schemes.snapshot).first)
        let updater = await WitnessUpdater(core, schemes: core.schemes.snapshot, maximumIntervals: 1)
        let error = await #expect(throws: WalletError.self) {
            try await updater.update(credential, with: update, atLeast: nil)
        }
        #expect(error?.code == .revocation)
        #expect(error?.message == "there are 16 more events to fetch, at the next attempt")
        try await updater.update(credential, with: update, atLeast: 47)
        #expect(scene.asked.paths == ["16/32", "32/48"].map { "/irma/revocation/demo.bank.pass/events/3/\($0)" })
        #expect(try await scene.witness?.accumulator.index == 47)
    }

    /// An attempt that ends after it has reached an earlier accumulator is not lost.
    @Test func keepsTheWitnessOfAnAccumulatorOnTheWay() async throws {
        let scene = try await Scene()
        try await scene.revokeOthers(17)
        try await scene.wallet.finish(scene.server.start(try scene.request(events: 18)))
        let core = scene.wallet.core
        let updater = await WitnessUpdater(core, schemes: core.schemes.snapshot, maximumIntervals: 1)
        for (revocations, reached) in [(30, 17), (20, 47), (0, 47), (0, 67)] as [(Int, UInt64)] {
            try await scene.revokeOthers(revocations)
            let update = try scene.server.update(events: 1)
            let credential = try #require(await core.vault.credentials(core.schemes.snapshot).first)
            _ = try? await updater.update(credential, with: update, atLeast: nil)
            #expect(try await scene.witness?.accumulator.index == reached)
        }
        let paths = ["16/32", "32/48", "48/64", "64/80"].map { "/irma/revocation/demo.bank.pass/events/3/\($0)" }
        #expect(scene.asked.paths == paths)
    }

    /// A wallet that was away for long need not begin anew each time that a server fails or a session does not wait.
    @Test func getsOnWithTheEventsThatItHas() async throws {
        let scene = try await Scene()
        try await scene.revokeOthers(17)
        try await scene.wallet.finish(scene.server.start(try scene.request(events: 18)))
        try await scene.revokeOthers(30)
        scene.asked.goDown(after: 1)
        let session = try scene.wallet.session(with: scene.server.start(try scene.request(events: 1)))
        let choice = try #require(try await session.request().firstChoice)
        await expectRefusal(.revocation) { try await session.answer(choice) }
        let base = "/irma/revocation/demo.bank.pass/events/3/"
        #expect(scene.asked.paths == ["16/32", "32/48", "32/48"].map { base + $0 })
        #expect(try await scene.witness?.accumulator.index == 17)
        // The accumulator has moved on when the server is back.
        try await scene.revokeOthers(1)
        scene.asked.set(isDown: false)
        let pointer = scene.server.start(try scene.request(events: 1))
        try await scene.wallet.finish(pointer)
        #expect(scene.server.session(pointer)?.proofStatus == .valid)
        #expect(scene.asked.paths.dropFirst(3) == [base + "32/48"])
        #expect(try await scene.witness?.accumulator.index == 48)
    }

    /// Made-up events are noticed at the end of the chain, and spoil no later attempt.
    @Test func beginsAnewAfterEventsThatWereMadeUp() async throws {
        let scene = try await Scene()
        try await scene.revokeOthers(17)
        try await scene.wallet.finish(scene.server.start(try scene.request(events: 18)))
        try await scene.revokeOthers(30)
        scene.asked.forge(20)
        let session = try scene.wallet.session(with: scene.server.start(try scene.request(events: 1)))
        let choice = try #require(try await session.request().firstChoice)
        let error = await #expect(throws: WalletError.self) { try await session.answer(choice) }
        #expect((error?.cause as? IdemixError)?.code == .invalidEventChain)
        scene.asked.forge(nil)
        let pointer = scene.server.start(try scene.request(events: 1))
        try await scene.wallet.finish(pointer)
        #expect(scene.server.session(pointer)?.proofStatus == .valid)
        #expect(try await scene.witness?.accumulator.index == 47)
    }

    @Test func beginsAnewInTheSameAttemptAfterEventsOfAnEarlierOne() async throws {
        let scene = try await Scene()
        try await scene.revokeOthers(17)
        try await scene.wallet.finish(scene.server.start(try scene.request(events: 18)))
        try await scene.revokeOthers(30)
        scene.asked.forge(20)
        scene.asked.goDown(after: 1)
        _ = try await scene.wallet.session(with: scene.server.start(try scene.request(events: 1))).request()
        let before = scene.asked.paths.count
        scene.asked.forge(nil)
        scene.asked.set(isDown: false)
        let pointer = scene.server.start(try scene.request(events: 1))
        try await scene.wallet.finish(pointer)
        #expect(scene.server.session(pointer)?.proofStatus == .valid)
        let base = "/irma/revocation/demo.bank.pass/events/3/"
        #expect(Array(scene.asked.paths.dropFirst(before)) == ["32/48", "16/32", "32/48"].map { base + $0 })
        #expect(try await scene.witness?.accumulator.index == 47)
    }

    @Test func forgetsTheWayOfAGoneCredential() async throws {
        let scene = try await Scene()
        try await scene.revokeOthers(17)
        try await scene.wallet.finish(scene.server.start(try scene.request(events: 18)))
        try await scene.revokeOthers(30)
        scene.asked.goDown(after: 1)
        _ = try await scene.wallet.session(with: scene.server.start(try scene.request(events: 1))).request()
        let (witness, advances) = (try #require(try await scene.witness), scene.wallet.core.advances)
        let hash = try #require(await scene.wallet.credentials().first?.hash)
        let begun = try #require(await advances.take(hash, of: witness))
        #expect(begun.index == 31)
        await advances.keep(begun, hash)
        try await scene.wallet.delete(credential: hash)
        #expect(await advances.take(hash, of: witness) == nil)
        // An attempt may end after that.
        let core = scene.wallet.core
        await core.keep(begun, hash, schemes: core.schemes.snapshot)
        #expect(await advances.take(hash, of: witness) == nil)
    }

    @Test func keepsTheFurthestOfAFewWays() async throws {
        let scene = try await Scene()
        let witness = try #require(try await scene.witness)
        try await scene.revokeOthers(3)
        let update = try scene.server.update(events: 3)
        let publicKey = scene.server.stage.keys.publicKey
        let start = try RevocationWitnessAdvance(
            of: witness,
            to: update.verified(by: publicKey),
            publicKey: publicKey
        )
        var further = start
        try further.add(try #require(update.events))
        let advances = WitnessAdvances()
        await advances.keep(further, [0])
        await advances.keep(start, [0])
        #expect(await advances.take([0], of: witness)?.index == 3)
        for name: UInt8 in 0..<20 { await advances.keep(start, [name]) }
        var count = 0
        for name: UInt8 in 0..<20 where await advances.take([name], of: witness) != nil { count += 1 }
        #expect(count == 16)
        // That of a witness which has moved on since is of no use.
        await advances.keep(start, [0])
        #expect(await advances.take([0], of: try further.witness()) == nil)
    }

    @Test func noticesARevocationByAnAccumulatorWithoutEvents() async throws {
        let scene = try await Scene()
        try await scene.server.revoke(try #require(try await scene.witness?.e))
        try await scene.server.refresh()
        let session = try scene.wallet.session(with: scene.server.start(try scene.request(events: 0)))
        #expect(try await session.request().disjunctions[0].candidates.first?.credentials.first?.isRevoked == true)
    }

    @Test func failsOnlyWhereNoWitnessReaches() async throws {
        let scene = try await Scene()
        try await scene.revokeOthers(3)
        scene.asked.set(isDown: true)
        // The request is shown all the same.
        let pointer = scene.server.start(try scene.request(events: 1))
        let session = try scene.wallet.session(with: pointer)
        let request = try await session.request()
        #expect(request.isSatisfiable)
        await expectRefusal(.revocation) { try await session.answer(try #require(request.firstChoice)) }
        #expect(scene.server.session(pointer)?.status == .cancelled)
        // Without the demand nothing is missing.
        let open = scene.server.start(disclosing([[["demo.bank.pass.id"]]]))
        try await scene.wallet.finish(open)
        #expect(scene.server.session(open)?.proofStatus == .valid)
        // The server is back between the question and the answer.
        let other = try scene.wallet.session(with: scene.server.start(try scene.request(events: 1)))
        let choice = try #require(try await other.request().firstChoice)
        scene.asked.set(isDown: false)
        _ = try await other.answer(choice)
    }

    @Test func noticesThatACredentialIsRevoked() async throws {
        let scene = try await Scene()
        try await scene.server.revoke(try #require(try await scene.witness?.e))
        let pointer = scene.server.start(try scene.request(events: 2))
        let session = try scene.wallet.session(with: pointer)
        let request = try await session.request()
        #expect(!request.isSatisfiable)
        #expect(request.disjunctions[0].candidates.first?.credentials.first?.isRevoked == true)
        await session.cancel()
        #expect(await scene.wallet.credentials().map(\.isRevoked) == [true])
        // Nothing is fetched for it any more.
        _ = try await scene.wallet.session(with: scene.server.start(try scene.request(events: nil))).request()
        #expect(scene.asked.paths.isEmpty)
        // Also after a restart; another one takes its place.
        let again = try await Stage.shared.get().wallet(scene.server, storage: scene.storage)
        #expect(await again.credentials().map(\.isRevoked) == [true])
        try await scene.issue()
        #expect(await scene.wallet.credentials().map(\.isRevoked) == [false])
    }

    @Test func saysThatAWitnessIsMissing() async throws {
        let scene = try await Scene()
        try await scene.wallet.deleteAll()
        try await scene.wallet.finish(scene.server.start(issuing(offer(Stage.pass, ["id": "1"]))))
        let session = try scene.wallet.session(with: scene.server.start(try scene.request(events: 1)))
        let request = try await session.request()
        #expect(!request.isSatisfiable)
        #expect(request.disjunctions[0].candidates.first?.credentials.first?.lacksWitness == true)
    }

    @Test func refusesWitnessesThatWereNotAnnounced() async throws {
        let scene = try await Scene()
        let witness = try scene.server.makeWitness().message
        scene.server.fault {
            $0.signatures = { signatures in
                signatures.map {
                    IssuedCLSignature(
                        signature: $0.signature,
                        proof: $0.proof,
                        issuerShares: $0.issuerShares,
                        witness: $0.witness == nil ? witness : nil
                    )
                }
            }
        }
        await expectRefusal(.revocation) {
            try await scene.wallet.finish(scene.server.start(issuing(offer(Stage.pass, ["id": "2"]))))
        }
        await expectRefusal(.revocation) { try await scene.issue() }
    }

    @Test func doesNotWaitForASlowServer() async throws {
        let stage = try Stage.shared.get()
        let scene = try await Scene()
        try await scene.revokeOthers(3)
        let clock = ManualClock()
        let server = try PlayServer(stage) { request throws(TransportError) in
            guard request.url.host.description == "revocation.example" else { return nil }
            do { try await clock.sleep(for: .seconds(3600)) } catch {
                throw TransportError(.cancelled, "the task was cancelled")
            }
            return nil
        }
        let wallet = try await stage.wallet(server, storage: scene.storage, options: .default, timer: clock)
        let session = try wallet.session(with: server.start(try scene.request(events: 1)))
        let task = Task { try await session.request() }
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        #expect(try await task.value.isSatisfiable)
    }

    @Test func dividesEventsIntoAlignedIntervals() {
        #expect(RevocationIntervals.first(of: 1..<2) == 0..<16)
        #expect(RevocationIntervals.first(of: 5..<5) == 0..<16)
        #expect(RevocationIntervals.first(of: 20..<50) == 16..<32)
        #expect(RevocationIntervals.first(of: 32..<50) == 32..<64)
        #expect(RevocationIntervals.first(of: 512..<1100) == 512..<1024)
        #expect(RevocationIntervals.first(of: 1024..<1100) == 1024..<1152)
        #expect(RevocationIntervals.first(of: UInt64.max - 1..<UInt64.max) == nil)
        var next: UInt64 = 3
        while next < 5000, let interval = RevocationIntervals.first(of: next..<5000) {
            let size = interval.upperBound - interval.lowerBound
            #expect(interval.lowerBound % size == 0 && (16...512).contains(size) && size & (size - 1) == 0)
            next = interval.upperBound
        }
        #expect(next == 5120)
    }

    // MARK: Prepared disclosures

    @Test func movesPreparedDisclosuresToTheNewerWitness() async throws {
        let scene = try await Scene()
        try await scene.wallet.finish(scene.server.start(try scene.request(events: 1)))
        try await prepare(scene)
        #expect(await scene.wallet.core.prepared.count == 1)
        try await scene.revokeOthers(2)
        let pointer = scene.server.start(try scene.request(events: 3))
        let session = try scene.wallet.session(with: pointer)
        let request = try await session.request()
        #expect(await scene.wallet.core.prepared.count == 1, "moved, not thrown away")
        _ = try await session.answer(try #require(request.firstChoice))
        #expect(scene.server.session(pointer)?.proofStatus == .valid)
    }

    @Test func usesAPreparedDisclosureOnce() async throws {
        let scene = try await Scene(WalletOptions(pairingInterval: .zero, preparedDisclosures: 2))
        try await prepare(scene)
        let pointers = try (0..<5).map { _ in scene.server.start(try scene.request(events: 1)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for pointer in pointers { group.addTask { _ = try await scene.wallet.finish(pointer) } }
            try await group.waitForAll()
        }
        #expect(pointers.allSatisfy { scene.server.session($0)?.proofStatus == .valid })
    }

    @Test func forgetsPreparedDisclosuresOfAGoneCredential() async throws {
        let scene = try await Scene()
        try await prepare(scene)
        let hash = try #require(await scene.wallet.credentials().first?.hash)
        try await scene.wallet.delete(credential: hash)
        #expect(await scene.wallet.core.prepared.count == 0)
    }

    @Test func forgetsPreparedDisclosuresOfARevokedCredential() async throws {
        let scene = try await Scene()
        try await prepare(scene)
        try await scene.server.revoke(try #require(try await scene.witness?.e))
        _ = try await scene.wallet.session(with: scene.server.start(try scene.request(events: 2))).request()
        #expect(await scene.wallet.core.prepared.count == 0)
    }

    private func prepare(_ scene: Scene) async throws {
        let credentials = await scene.wallet.core.vault.credentials(scene.wallet.core.schemes.snapshot)
        let credential = try #require(credentials.first)
        let kind = PreparedDisclosures.Kind(hash: credential.hash, disclosed: [1, 2], provesNonRevocation: true)
        let request = try IdemixDisclosureRequest(
            credential.credential,
            disclosing: [1, 2],
            provingNonRevocation: true
        )
        await scene.wallet.core.prepared.prepare(kind, for: request)
    }

    // MARK: In the background

    @Test func updatesAllWitnesses() async throws {
        let scene = try await Scene()
        try await scene.revokeOthers(3)
        #expect(await scene.wallet.updateWitnesses().isEmpty)
        #expect(try await scene.witness?.accumulator.index == 3)
        scene.asked.set(isDown: true)
        #expect(await scene.wallet.updateWitnesses().values.map(\.code) == [.revocation])
        scene.asked.set(isDown: false)
        try await scene.server.revoke(try #require(try await scene.witness?.e))
        #expect(await scene.wallet.updateWitnesses().values.map(\.code) == [.revocation])
        #expect(await scene.wallet.credentials().map(\.isRevoked) == [true])
    }

    @Test func updatesWitnessesThatAreDue() async throws {
        let scene = try await Scene()
        await scene.wallet.updateDueWitnesses()
        #expect(scene.asked.paths.isEmpty)
        scene.server.now += 168 * 3600
        await scene.wallet.updateDueWitnesses()
        #expect(scene.asked.paths.count == 1)
        await scene.wallet.updateDueWitnesses()
        #expect(scene.asked.paths.count == 1, "it has just been updated")
    }

    @Test func runsUntilItIsCancelled() async throws {
        let stage = try Stage.shared.get()
        let scene = try await Scene()
        let clock = ManualClock()
        let wallet = try await stage.wallet(scene.server, storage: scene.storage, options: .default, timer: clock)
        scene.server.now += 168 * 3600
        let task = Task { await wallet.run() }
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(10))
        while clock.durations.filter({ $0 == .seconds(10) }).count < 2 { await Task.yield() }
        #expect(scene.asked.paths.count == 1)
        task.cancel()
        await task.value
        // The update of the witness has a limit.
        #expect(Set(clock.durations) == [.seconds(10), .seconds(60), .seconds(3600)])
    }

    /// The first that is asked gives no answer.
    @Test(.timeLimit(.minutes(15))) func updatesOthersBesideASlowServer() async throws {
        let stage = try Stage.shared.get()
        let scene = try await Scene()
        try await scene.issue()
        try await scene.revokeOthers(3)
        let clock = ManualClock()
        let isFirst = Mutex(true)
        let server = try PlayServer(stage) { request throws(TransportError) in
            guard request.url.host.description == "revocation.example" else { return nil }
            let isSlow = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isSlow {
                do { try await clock.sleep(for: .seconds(3600)) } catch {
                    throw TransportError(.cancelled, "the task was cancelled")
                }
            }
            return try scene.asked.answer(request)
        }
        let wallet = try await stage.wallet(server, storage: scene.storage, options: .default, timer: clock)
        let task = Task { await wallet.updateWitnesses() }
        func indices() async -> [UInt64] {
            await wallet.core.vault.credentials(wallet.core.schemes.snapshot)
                .compactMap { $0.credential.witness?.accumulator.index }.sorted()
        }
        while await indices() != [0, 3] { await Task.yield() }
        while clock.durations.filter({ $0 == .seconds(60) }).count < 2 { await Task.yield() }
        clock.advance(by: .seconds(60))
        let errors = await task.value
        #expect(errors.values.map(\.code) == [.revocation])
        #expect(await indices() == [0, 3])
        // The next attempt finds it in order.
        #expect(await wallet.updateWitnesses().isEmpty)
        #expect(await indices() == [3, 3])
    }
}
