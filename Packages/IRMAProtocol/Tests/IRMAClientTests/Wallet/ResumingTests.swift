import CredentialTransport
import CredentialWallet
import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import Testing

@testable import IRMAClient

/// Issuances that an ended process left behind.
struct ResumingTests {
    /// A process that ended after the server had signed, and before the wallet saw it.
    private func interrupted(
        _ storage: InMemoryCredentialStorage,
        _ request: SessionRequest = issuing(offer(Stage.card, ["name": "Alice"]))
    ) async throws -> (PlayServer, SessionPointer) {
        let server = try PlayServer(try Stage.shared.get())
        let wallet = try await Stage.shared.get().wallet(server, storage: storage)
        let pointer = server.start(request)
        let session = try wallet.session(with: pointer)
        let choice = try #require(try await session.request().firstChoice)
        server.fault { $0.lostAnswers = 3 }
        await expectRefusal(.transport) { try await session.answer(choice) }
        #expect(await wallet.credentials().isEmpty)
        // The session of this process can still ask itself.
        #expect(try await wallet.resumeIssuances().isEmpty)
        return (server, pointer)
    }

    @Test func finishesAfterARestart() async throws {
        let storage = InMemoryCredentialStorage()
        var vote = offer(Stage.vote, ["election": "x", "place": "y"])
        vote.randomBlindNames = ["place"]
        let (server, _) = try await interrupted(storage, issuing(offer(Stage.card, ["name": "Alice"]), vote))
        let again = try await Stage.shared.get().wallet(server, storage: storage)
        let results = try await again.resumeIssuances()
        #expect(results.map { $0.entry?.issued.map(\.type) } == [[Stage.card, Stage.vote]])
        #expect(await again.credentials().count == 2)
        #expect(try await storage.places(in: .irmaIssuances).isEmpty)
        #expect(try await again.resumeIssuances().isEmpty)
        let pointer = server.start(disclosing([[["demo.bank.card.name"]]]))
        try await again.finish(pointer)
        #expect(server.session(pointer)?.proofStatus == .valid)
    }

    @Test func keepsWhatCannotBeReached() async throws {
        let storage = InMemoryCredentialStorage()
        let (server, _) = try await interrupted(storage)
        let again = try await Stage.shared.get().wallet(server, storage: storage)
        server.fault { $0.lostRequests = 3 }
        let failed = try await again.resumeIssuances()
        #expect(failed.count == 1)
        #expect(failed[0].kept?.code == .transport)
        #expect(try await again.resumeIssuances().count == 1)
        #expect(await again.credentials().count == 1)
    }

    @Test func keepsWhatTheSchemesLack() async throws {
        let storage = InMemoryCredentialStorage()
        let (server, _) = try await interrupted(storage)
        let bare = try await Stage.shared.get().wallet(server, storage: storage, schemes: SchemeSnapshot())
        let failed = try await bare.resumeIssuances()
        #expect(failed[0].kept?.code == .unknownIdentifier)
        let again = try await Stage.shared.get().wallet(server, storage: storage)
        #expect(try await again.resumeIssuances().count == 1)
        #expect(await again.credentials().count == 1)
    }

    @Test func forgetsWhatTheServerForgot() async throws {
        let storage = InMemoryCredentialStorage()
        let (server, pointer) = try await interrupted(storage)
        server.change(pointer) { $0.replay = nil }
        let again = try await Stage.shared.get().wallet(server, storage: storage)
        let failed = try await again.resumeIssuances()
        #expect(failed.count == 1)
        #expect(failed[0].forgotten?.code == .api)
        #expect(failed[0].forgotten?.remoteError?.name == .unexpectedRequest)
        #expect(try await storage.places(in: .irmaIssuances).isEmpty)
    }

    @Test func keepsAnAnswerThatCouldNotBeStored() async throws {
        let storage = FullStorage()
        let server = try PlayServer(try Stage.shared.get())
        let wallet = try await Stage.shared.get().wallet(server, storage: storage)
        let session = try wallet.session(with: server.start(issuing(offer(Stage.card, ["name": "Alice"]))))
        let choice = try #require(try await session.request().firstChoice)
        await storage.refuse(.irmaCredentials)
        await expectRefusal(.storageFailed) { try await session.answer(choice) }
        #expect(await wallet.credentials().isEmpty)
        #expect(try await storage.places(in: .irmaIssuances).count == 1)
        await storage.refuse(nil)
        _ = try await session.resend()
        #expect(await wallet.credentials().count == 1)
        #expect(try await storage.places(in: .irmaIssuances).isEmpty)
        #expect(try await wallet.log().count == 1)
    }

    /// A storage without room for values of a collection.
    private actor FullStorage: StorageOverMemory {
        nonisolated let base = InMemoryCredentialStorage()
        private var refused: StorageCollection?
        /// Runs after the next write of an issuance.
        private var written: (@Sendable () async -> Void)?

        func refuse(_ collection: StorageCollection?) { refused = collection }

        func afterNextIssuance(_ body: @escaping @Sendable () async -> Void) { written = body }

        func write(_ changes: [StorageChange]) async throws(CredentialStoreError) {
            guard !changes.contains(where: { $0.place.collection == refused }) else {
                throw CredentialStoreError(.storageFailed, "no room on the disk")
            }
            try await base.write(changes)
            guard changes.contains(where: { $0.place.collection == .irmaIssuances }), let body = written else { return }
            written = nil
            await body()
        }
    }

    /// The server has signed, and a proxy has lost its answer.
    @Test(arguments: [500, 502, 503, 504]) func asksAgainAfterAProxysError(status: Int) async throws {
        let storage = InMemoryCredentialStorage()
        let server = try PlayServer(try Stage.shared.get())
        let wallet = try await Stage.shared.get().wallet(server, storage: storage)
        func begun(_ name: ExactText) async throws -> (WalletSession, SessionPointer) {
            let pointer = server.start(issuing(offer(Stage.card, ["name": name.text])))
            let session = try wallet.session(with: pointer)
            _ = try await session.request()
            return (session, pointer)
        }
        let (first, _) = try await begun("Alice")
        #expect(await !first.canResend)
        server.fault { ($0.lostAnswers, $0.lostStatus) = (1, status) }
        await expectRefusal(.serverResponse) { try await first.answer(WalletChoice()) }
        #expect(await first.canResend)
        _ = try await first.resend()
        #expect(await !first.canResend)
        #expect(await wallet.credentials().count == 1)
        let (second, pointer) = try await begun("Bob")
        server.fault { $0.lostAnswers = 1 }
        await expectRefusal(.serverResponse) { try await second.answer(WalletChoice()) }
        #expect(server.session(pointer)?.deletions == 0)
        #expect(try await storage.places(in: .irmaIssuances).count == 1)
        // After a restart the proxy fails again, and then no longer.
        let again = try await Stage.shared.get().wallet(server, storage: storage)
        server.fault { $0.lostAnswers = 1 }
        let failed = try await again.resumeIssuances()
        #expect(failed[0].kept?.code == .serverResponse)
        #expect(try await again.resumeIssuances().map { $0.entry?.issued.count } == [1])
        #expect(await again.credentials().map { $0.values[2] } == ["Bob"])
        #expect(try await storage.places(in: .irmaIssuances).isEmpty)
    }

    /// The server says that it has too much to do, or a limit before it does.
    @Test(arguments: [false, true]) func asksAgainWhereTheServerIsOverloaded(isProxys: Bool) async throws {
        let storage = InMemoryCredentialStorage()
        let server = try PlayServer(try Stage.shared.get())
        let wallet = try await Stage.shared.get().wallet(server, storage: storage)
        let session = try wallet.session(with: server.start(issuing(offer(Stage.card, ["name": "Alice"]))))
        _ = try await session.request()
        server.fault { $0.overload = isProxys ? InMemoryHTTPAnswer(status: 429) : PlayServer.error(.tooManyRequests) }
        await expectRefusal(isProxys ? .serverResponse : .api) { try await session.answer(WalletChoice()) }
        let again = try await Stage.shared.get().wallet(server, storage: storage)
        let failed = try #require(try await again.resumeIssuances().first)
        #expect(failed.kept?.code == (isProxys ? .serverResponse : .api))
        #expect(try await storage.places(in: .irmaIssuances).count == 1)
        server.fault { $0.overload = nil }
        _ = try await session.resend()
        #expect(await wallet.credentials().count == 1)
    }

    /// The user's refusal comes while the issuance is kept, and the server has seen nothing of it.
    @Test func forgetsWhatWasCancelledBeforeTheAnswer() async throws {
        let storage = FullStorage()
        let server = try PlayServer(try Stage.shared.get())
        let wallet = try await Stage.shared.get().wallet(server, storage: storage)
        let pointer = server.start(issuing(offer(Stage.card, ["name": "Alice"])))
        let session = try wallet.session(with: pointer)
        let choice = try #require(try await session.request().firstChoice)
        await storage.afterNextIssuance { #expect(await session.cancel()) }
        await expectRefusal(.cancelled) { try await session.answer(choice) }
        #expect(try await storage.places(in: .irmaIssuances).isEmpty)
        #expect(server.session(pointer)?.posts == 0)
        let again = try await Stage.shared.get().wallet(server, storage: storage)
        #expect(try await again.resumeIssuances().isEmpty)
    }

    @Test func keepsNothingOfACancelledSession() async throws {
        let scene = try await KeyshareTests.Scene()
        let pointer = scene.server.start(issuing(offer(Stage.id, ["name": "Alice"])))
        let session = try scene.wallet.session(with: pointer)
        let choice = try #require(try await session.request().firstChoice)
        scene.keyshare.afterNextCommitment { #expect(await session.cancel()) }
        await expectRefusal(.cancelled) { try await session.answer(choice) { _ in "12345" } }
        #expect(try await scene.storage.places(in: .irmaIssuances).isEmpty)
        #expect(scene.server.session(pointer)?.posts == 0)
    }

    /// The user deletes everything while the server's answer is on its way.
    @Test func addsNothingAfterEverythingWasDeleted() async throws {
        let storage = InMemoryCredentialStorage()
        let server = try PlayServer(try Stage.shared.get())
        let wallet = try await Stage.shared.get().wallet(server, storage: storage)
        let session = try wallet.session(with: server.start(issuing(offer(Stage.card, ["name": "Alice"]))))
        _ = try await session.request()
        server.fault { $0.lostAnswers = 3 }
        await expectRefusal(.transport) { try await session.answer(WalletChoice()) }
        try await wallet.deleteAll()
        await expectRefusal(.keyshareUnenrolled) { try await session.resend() }
        #expect(await !session.canResend)
        #expect(try await storage.places(in: .irmaCredentials).isEmpty)
    }

    @Test func leavesNothingBehind() async throws {
        let storage = InMemoryCredentialStorage()
        let server = try PlayServer(try Stage.shared.get())
        let wallet = try await Stage.shared.get().wallet(server, storage: storage)
        try await wallet.finish(server.start(issuing(offer(Stage.card, ["name": "Alice"]))))
        #expect(try await storage.places(in: .irmaIssuances).isEmpty)
        server.fault { $0.signatures = { _ in [] } }
        await expectRefusal(.serverResponse) {
            try await wallet.finish(server.start(issuing(offer(Stage.card, ["name": "Bob"]))))
        }
        #expect(try await storage.places(in: .irmaIssuances).isEmpty)
    }

    /// The server may have signed before the user lost patience.
    @Test func finishesWhatWasCancelledAfterTheAnswer() async throws {
        let storage = InMemoryCredentialStorage()
        let server = try PlayServer(try Stage.shared.get())
        let wallet = try await Stage.shared.get().wallet(server, storage: storage)
        func cancelled(_ name: String, _ change: @escaping @Sendable (inout PlayServer.Faults) -> Void) async throws {
            let session = try wallet.session(with: server.start(issuing(offer(Stage.card, ["name": .init(name)]))))
            let choice = try #require(try await session.request().firstChoice)
            server.fault(change)
            await expectRefusal(.transport) { try await session.answer(choice) }
            #expect(await session.cancel())
            #expect(await !session.cancel())
        }
        try await cancelled("Carol") { $0.lostAnswers = 3 }
        #expect(try await wallet.resumeIssuances().map { $0.entry?.issued.map(\.type) } == [[Stage.card]])
        try await cancelled("Dave") { $0.lostRequests = 3 }
        let failed = try await wallet.resumeIssuances()
        #expect(failed.count == 1)
        #expect(failed[0].forgotten?.code == .api)
        #expect(try await storage.places(in: .irmaIssuances).isEmpty)
        #expect(await wallet.credentials().map { $0.values[2] } == ["Carol"])
    }

    @Test func refusesDamage() async throws {
        let storage = InMemoryCredentialStorage()
        let (server, _) = try await interrupted(storage)
        let place = try #require(try await storage.places(in: .irmaIssuances).first)
        let value = try #require(try await storage.value(at: place)).withUnsafeBytes { [UInt8]($0) }
        for damaged in [[], [0], [0xff, 0xff, 0xff, 0xff], Array(value.prefix(100)), [0, 0, 0, 1, 0xa0]] as [[UInt8]] {
            try await storage.put(SecretBytes(damaged), at: place)
            let again = try await Stage.shared.get().wallet(server, storage: storage)
            let results = try await again.resumeIssuances()
            #expect(results[0].forgotten?.code == .storageDamaged)
            #expect(try await storage.places(in: .irmaIssuances).isEmpty)
        }
    }
}
