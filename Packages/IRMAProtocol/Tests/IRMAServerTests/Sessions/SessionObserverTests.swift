import CredentialServing
import Foundation
import IRMAMessages
import Synchronization
import Testing

@testable import IRMAServer

/// The starts and ends of sessions, which an operator counts.
@Suite struct SessionObserverTests {
    /// The observations, in their order.
    private final class Told: Sendable {
        private let lines = Mutex<[String]>([])

        var observer: SessionObserver { SessionObserver { told in self.lines.withLock { $0.append("\(told)") } } }

        /// The lines since the last look.
        func take() -> [String] {
            lines.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
    }

    private let told = Told()
    private let time = TestTime(ServerScene.now)

    private func world(_ change: (inout ServerWorld.Setup) -> Void = { _ in }) throws -> ServerWorld {
        try ServerWorld {
            $0.time = time
            $0.observer = told.observer
            $0.options.allowsUnsignedCallbacks = true
            change(&$0)
        }
    }

    @Test func isToldOfASessionThatIsDone() async throws {
        let world = try world()
        let package = try await world.start()
        #expect(told.take() == ["started disclosing"])
        let wallet = world.wallet(package)
        let proofs = try wallet.proofs([(world.scene.card(), [2])], [[(0, 2)]], for: await wallet.request())
        #expect(told.take().isEmpty)
        // The wallet's message comes twice.
        for _ in 0..<2 { _ = try await wallet.post("proofs", proofs) }
        #expect(told.take() == ["done disclosing"])
        time.advance(by: .seconds(1000))
        await world.server.endTimedOutSessions()
        #expect(told.take().isEmpty)
    }

    @Test(arguments: [
        (SessionRequest(.signing(message: "terms"), disclose: [[[AttributeRequest(ServerScene.name)]]]), "signing"),
        (ServerScene.issuance(ServerScene.cardRequest), "issuing"),
    ])
    func isToldOfTheKind(request: SessionRequest, kind: String) async throws {
        let world = try world()
        let package = try await world.start(request)
        try await world.server.cancel(package.token)
        try await world.server.cancel(package.token)
        #expect(told.take() == ["started \(kind)", "cancelled \(kind)"])
    }

    /// A request that is refused starts no session.
    @Test func isToldOfNoSessionThatDoesNotStart() async throws {
        let world = try world()
        await #expect(throws: RemoteError.self) {
            try await world.start(SessionRequest(.disclosing, disclose: [[["nobody.knows.it.name"]]]))
        }
        #expect(told.take().isEmpty)
    }

    /// Nobody asks for the session, with and without a callback.
    @Test(arguments: [nil, "https://shop.example/result"])
    func isToldOfATimeout(callback: String?) async throws {
        let world = try world()
        _ = try await world.start { $0.callbackURL = callback }
        time.advance(by: .seconds(899))
        await world.server.endTimedOutSessions()
        #expect(told.take() == ["started disclosing"])
        time.advance(by: .seconds(1))
        for _ in 0..<2 { await world.server.endTimedOutSessions() }
        #expect(told.take() == ["timeout disclosing"])
        #expect(world.server.observed.count == 0 && world.server.awaited.count == 0)
    }

    /// Without an observer, a session that nobody hears of is left to the store.
    @Test func costsNothingWithoutOne() async throws {
        let world = try world { $0.observer = nil }
        _ = try await world.start()
        #expect(world.server.observed.count == 0)
    }

    /// The store has the end, and its answer is lost; it may be away for a while.
    @Test(arguments: [FailingStore.Fault.lostAnswer, .lostAnswerAndAway, .lostRequestAndAway])
    func isToldOnceOfAnEndWhoseAnswerIsLost(fault: FailingStore.Fault) async throws {
        let store = FailingStore(time.sessionClock)
        let world = try world { $0.store = store }
        let package = try await world.start()
        store.fail(fault)
        try? await world.server.cancel(package.token)
        store.comeBack()
        await world.server.endTimedOutSessions()
        if fault == .lostRequestAndAway { try await world.server.cancel(package.token) }
        await world.server.endTimedOutSessions()
        #expect(told.take() == ["started disclosing", "cancelled disclosing"])
    }
}
