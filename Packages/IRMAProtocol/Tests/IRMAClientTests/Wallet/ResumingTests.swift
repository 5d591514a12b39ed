import CredentialTransport
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
        _ store: InMemoryWalletStore,
        _ request: SessionRequest = issuing(offer(Stage.card, ["name": "Alice"]))
    ) async throws -> (PlayServer, SessionPointer) {
        let server = try PlayServer(try Stage.shared.get())
        let wallet = try await Stage.shared.get().wallet(server, store: store)
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
        let store = InMemoryWalletStore()
        var vote = offer(Stage.vote, ["election": "x", "place": "y"])
        vote.randomBlindNames = ["place"]
        let (server, _) = try await interrupted(store, issuing(offer(Stage.card, ["name": "Alice"]), vote))
        let again = try await Stage.shared.get().wallet(server, store: store)
        let results = try await again.resumeIssuances()
        #expect(try results.map { try $0.get().issued.map(\.type) } == [[Stage.card, Stage.vote]])
        #expect(await again.credentials().count == 2)
        #expect(await store.places(in: .issuances).isEmpty)
        #expect(try await again.resumeIssuances().isEmpty)
        let pointer = server.start(disclosing([[["demo.bank.card.name"]]]))
        try await again.finish(pointer)
        #expect(server.session(pointer)?.proofStatus == .valid)
    }

    @Test func keepsWhatCannotBeReached() async throws {
        let store = InMemoryWalletStore()
        let (server, _) = try await interrupted(store)
        let again = try await Stage.shared.get().wallet(server, store: store)
        server.fault { $0.lostRequests = 3 }
        let failed = try await again.resumeIssuances()
        #expect(failed.count == 1)
        await expectRefusal(.transport) { try failed[0].get() }
        #expect(try await again.resumeIssuances().count == 1)
        #expect(await again.credentials().count == 1)
    }

    @Test func keepsWhatTheSchemesLack() async throws {
        let store = InMemoryWalletStore()
        let (server, _) = try await interrupted(store)
        let bare = try await Stage.shared.get().wallet(server, store: store, schemes: SchemeSnapshot())
        let failed = try await bare.resumeIssuances()
        await expectRefusal(.unknownIdentifier) { try failed[0].get() }
        let again = try await Stage.shared.get().wallet(server, store: store)
        #expect(try await again.resumeIssuances().count == 1)
        #expect(await again.credentials().count == 1)
    }

    @Test func forgetsWhatTheServerForgot() async throws {
        let store = InMemoryWalletStore()
        let (server, pointer) = try await interrupted(store)
        server.change(pointer) { $0.replay = nil }
        let again = try await Stage.shared.get().wallet(server, store: store)
        let failed = try await again.resumeIssuances()
        #expect(failed.count == 1)
        let error = await expectRefusal(.api) { try failed[0].get() }
        #expect(error?.remoteError?.name == .unexpectedRequest)
        #expect(await store.places(in: .issuances).isEmpty)
    }

    @Test func keepsAnAnswerThatCouldNotBeStored() async throws {
        let store = FullStore()
        let server = try PlayServer(try Stage.shared.get())
        let wallet = try await Stage.shared.get().wallet(server, store: store)
        let session = try wallet.session(with: server.start(issuing(offer(Stage.card, ["name": "Alice"]))))
        let choice = try #require(try await session.request().firstChoice)
        await store.refuse(.credentials)
        await expectRefusal(.storageFailed) { try await session.answer(choice) }
        #expect(await wallet.credentials().isEmpty)
        #expect(try await store.places(in: .issuances).count == 1)
        await store.refuse(nil)
        _ = try await session.resend()
        #expect(await wallet.credentials().count == 1)
        #expect(try await store.places(in: .issuances).isEmpty)
        #expect(try await wallet.log().count == 1)
    }

    /// A store without room for values of a collection.
    private actor FullStore: WalletStore {
        private let store = InMemoryWalletStore()
        private var refused: WalletCollection?
        /// Runs after the next write of an issuance.
        private var written: (@Sendable () async -> Void)?

        func refuse(_ collection: WalletCollection?) { refused = collection }

        func afterNextIssuance(_ body: @escaping @Sendable () async -> Void) { written = body }

        func value(at place: WalletPlace) async throws(WalletError) -> SecretBytes? { await store.value(at: place) }

        func places(in collection: WalletCollection) async throws(WalletError) -> [WalletPlace] {
            await store.places(in: collection)
        }

        func write(_ changes: [WalletChange]) async throws(WalletError) {
            guard !changes.contains(where: { $0.place.collection == refused }) else {
                throw WalletError(.storageFailed, "no room on the disk")
            }
            try await store.write(changes)
            guard changes.contains(where: { $0.place.collection == .issuances }), let body = written else { return }
            written = nil
            await body()
        }
    }

    /// The server has signed, and a proxy has lost its answer.
    @Test(arguments: [500, 502, 503, 504]) func asksAgainAfterAProxysError(status: Int) async throws {
        let store = InMemoryWalletStore()
        let server = try PlayServer(try Stage.shared.get())
        let wallet = try await Stage.shared.get().wallet(server, store: store)
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
        #expect(await store.places(in: .issuances).count == 1)
        // After a restart the proxy fails again, and then no longer.
        let again = try await Stage.shared.get().wallet(server, store: store)
        server.fault { $0.lostAnswers = 1 }
        let failed = try await again.resumeIssuances()
        await expectRefusal(.serverResponse) { try failed[0].get() }
        #expect(try await again.resumeIssuances().map { try $0.get().issued.count } == [1])
        #expect(await again.credentials().map { $0.values[2] } == ["Bob"])
        #expect(await store.places(in: .issuances).isEmpty)
    }

    /// The server says that it has too much to do, or a limit before it does.
    @Test(arguments: [false, true]) func asksAgainWhereTheServerIsOverloaded(isProxys: Bool) async throws {
        let store = InMemoryWalletStore()
        let server = try PlayServer(try Stage.shared.get())
        let wallet = try await Stage.shared.get().wallet(server, store: store)
        let session = try wallet.session(with: server.start(issuing(offer(Stage.card, ["name": "Alice"]))))
        _ = try await session.request()
        server.fault { $0.overload = isProxys ? InMemoryHTTPAnswer(status: 429) : PlayServer.error(.tooManyRequests) }
        await expectRefusal(isProxys ? .serverResponse : .api) { try await session.answer(WalletChoice()) }
        let again = try await Stage.shared.get().wallet(server, store: store)
        let failed = try #require(try await again.resumeIssuances().first)
        await expectRefusal(isProxys ? .serverResponse : .api) { try failed.get() }
        #expect(await store.places(in: .issuances).count == 1)
        server.fault { $0.overload = nil }
        _ = try await session.resend()
        #expect(await wallet.credentials().count == 1)
    }

    /// The user's refusal comes while the issuance is kept, and the server has seen nothing of it.
    @Test func forgetsWhatWasCancelledBeforeTheAnswer() async throws {
        let store = FullStore()
        let server = try PlayServer(try Stage.shared.get())
        let wallet = try await Stage.shared.get().wallet(server, store: store)
        let pointer = server.start(issuing(offer(Stage.card, ["name": "Alice"])))
        let session = try wallet.session(with: pointer)
        let choice = try #require(try await session.request().firstChoice)
        await store.afterNextIssuance { #expect(await session.cancel()) }
        await expectRefusal(.cancelled) { try await session.answer(choice) }
        #expect(try await store.places(in: .issuances).isEmpty)
        #expect(server.session(pointer)?.posts == 0)
        let again = try await Stage.shared.get().wallet(server, store: store)
        #expect(try await again.resumeIssuances().isEmpty)
    }

    @Test func keepsNothingOfACancelledSession() async throws {
        let scene = try await KeyshareTests.Scene()
        let pointer = scene.server.start(issuing(offer(Stage.id, ["name": "Alice"])))
        let session = try scene.wallet.session(with: pointer)
        let choice = try #require(try await session.request().firstChoice)
        scene.keyshare.afterNextCommitment { #expect(await session.cancel()) }
        await expectRefusal(.cancelled) { try await session.answer(choice) { _ in "12345" } }
        #expect(try await scene.store.places(in: .issuances).isEmpty)
        #expect(scene.server.session(pointer)?.posts == 0)
    }

    @Test func leavesNothingBehind() async throws {
        let store = InMemoryWalletStore()
        let server = try PlayServer(try Stage.shared.get())
        let wallet = try await Stage.shared.get().wallet(server, store: store)
        try await wallet.finish(server.start(issuing(offer(Stage.card, ["name": "Alice"]))))
        #expect(await store.places(in: .issuances).isEmpty)
        server.fault { $0.signatures = { _ in [] } }
        await expectRefusal(.serverResponse) {
            try await wallet.finish(server.start(issuing(offer(Stage.card, ["name": "Bob"]))))
        }
        #expect(await store.places(in: .issuances).isEmpty)
    }

    /// The server may have signed before the user lost patience.
    @Test func finishesWhatWasCancelledAfterTheAnswer() async throws {
        let store = InMemoryWalletStore()
        let server = try PlayServer(try Stage.shared.get())
        let wallet = try await Stage.shared.get().wallet(server, store: store)
        func cancelled(_ name: String, _ change: @escaping @Sendable (inout PlayServer.Faults) -> Void) async throws {
            let session = try wallet.session(with: server.start(issuing(offer(Stage.card, ["name": .init(name)]))))
            let choice = try #require(try await session.request().firstChoice)
            server.fault(change)
            await expectRefusal(.transport) { try await session.answer(choice) }
            #expect(await session.cancel())
            #expect(await !session.cancel())
        }
        try await cancelled("Carol") { $0.lostAnswers = 3 }
        #expect(try await wallet.resumeIssuances().map { try $0.get().issued.map(\.type) } == [[Stage.card]])
        try await cancelled("Dave") { $0.lostRequests = 3 }
        let failed = try await wallet.resumeIssuances()
        #expect(failed.count == 1)
        await expectRefusal(.api) { try failed[0].get() }
        #expect(await store.places(in: .issuances).isEmpty)
        #expect(await wallet.credentials().map { $0.values[2] } == ["Carol"])
    }

    @Test func refusesDamage() async throws {
        let store = InMemoryWalletStore()
        let (server, _) = try await interrupted(store)
        let place = try #require(await store.places(in: .issuances).first)
        let value = try #require(await store.value(at: place)).withUnsafeBytes { [UInt8]($0) }
        for damaged in [[], [0], [0xff, 0xff, 0xff, 0xff], Array(value.prefix(100)), [0, 0, 0, 1, 0xa0]] as [[UInt8]] {
            try await store.write([.put(place, SecretBytes(damaged))])
            let again = try await Stage.shared.get().wallet(server, store: store)
            let results = try await again.resumeIssuances()
            await expectRefusal(.storageDamaged) { try results[0].get() }
            #expect(await store.places(in: .issuances).isEmpty)
        }
    }
}
