import CredentialServing
import CredentialTransport
import Foundation
import IRMAMessages
import Synchronization
import Testing

@testable import IRMAServer

/// Sessions of a process that is gone, which another one over the same store ends and tells.
@Suite struct AbandonedSessionTests {
    private static let callback = "https://shop.example/result"

    private let time = TestTime(ServerScene.now)
    private let store: FailingStore

    init() {
        store = FailingStore(time.sessionClock)
    }

    /// A process over the store.
    private func process(_ change: (inout ServerWorld.Setup) -> Void = { _ in }) throws -> ServerWorld {
        try ServerWorld {
            $0.time = time
            $0.store = store
            $0.options.allowsUnsignedCallbacks = true
            change(&$0)
        }
    }

    /// A process whose callbacks nobody takes.
    private func lonelyProcess() throws -> ServerWorld {
        try process { $0.callbackHandler = { _ throws(TransportError) in InMemoryHTTPAnswer(status: 503) } }
    }

    private func start(_ world: ServerWorld) async throws -> SessionPackage {
        try await world.start { $0.callbackURL = Self.callback }
    }

    /// The results that a process has sent after a look at the sessions of others.
    private func told(by world: ServerWorld) async throws -> [SessionResult] {
        await world.server.endTimedOutSessions()
        await world.server.finishDeliveries()
        return try world.callbacks.requests.map { try SessionResult(decoding: $0.body) }
    }

    @Test func theEndOfASessionThatNobodyTouchesIsTold() async throws {
        let (first, other) = (try process(), try process())
        let package = try await start(first)
        time.advance(by: .seconds(901))
        // Its own process has some seconds for it.
        #expect(try await told(by: other).isEmpty)
        time.advance(by: .seconds(12))
        for _ in 0..<2 {
            let results = try await told(by: other)
            #expect(results.map(\.token) == [package.token] && results.first?.status == .timedOut)
        }
        // The first process is back, and finds that all is done.
        await first.server.endTimedOutSessions()
        #expect(try await told(by: first).isEmpty)
        time.advance(by: .seconds(60))
        #expect(try await told(by: other).count == 1)
    }

    @Test func anEndThatItsOwnProcessToldIsNotToldAgain() async throws {
        let (first, other) = (try process(), try process())
        let package = try await start(first)
        _ = try await first.wallet(package).showName()
        await first.server.finishDeliveries()
        #expect(first.callbacks.requests.count == 1)
        for seconds in [12, 43, 900] {
            time.advance(by: .seconds(seconds))
            #expect(try await told(by: other).isEmpty)
        }
    }

    /// The process is gone between the end of a session and its callback: nothing of the delivery is left but the note.
    @Test func aResultThatNoCallbackTookIsSentAgainByOneProcess() async throws {
        let (first, second, third) = (try lonelyProcess(), try process(), try process())
        let package = try await start(first)
        _ = try await first.wallet(package).showName()
        await time.waitForSleeper(.milliseconds(100))
        time.advance(by: .seconds(29))
        #expect(try await told(by: second).isEmpty)
        time.advance(by: .seconds(14))
        let results = try await told(by: second)
        #expect(results.map(\.token) == [package.token] && results.first?.proofStatus == .valid)
        #expect(try await told(by: third).isEmpty)
        time.advance(by: .seconds(60))
        #expect(try await told(by: second).count == 1)
        #expect(try await told(by: third).isEmpty)
    }

    /// The second process finds no receiver, and is gone, too.
    @Test func aResultIsSentUntilItIsTaken() async throws {
        let (first, second, third) = (try lonelyProcess(), try lonelyProcess(), try process())
        let package = try await start(first)
        try await first.server.cancel(package.token)
        await time.waitForSleeper(.milliseconds(100))
        time.advance(by: .seconds(43))
        await second.server.endTimedOutSessions()
        await time.waitForSleeper(.milliseconds(100))
        #expect(second.callbacks.requests.count == 1)
        #expect(try await told(by: third).isEmpty)
        for seconds in [43, 43, 300] {
            time.advance(by: .seconds(seconds))
            #expect(try await told(by: third).map(\.token) == [package.token])
        }
    }

    /// The note of the next look is lost, with the process or with the store: the result is looked at again all the same.
    @Test func aResultIsSentThoughTheNextLookCannotBeNoted() async throws {
        let store = FailingStore(time.sessionClock)
        let first = try process {
            $0.store = store
            $0.callbackHandler = { _ throws(TransportError) in InMemoryHTTPAnswer(status: 503) }
        }
        let other = try process { $0.store = store }
        let package = try await start(first)
        try await first.server.cancel(package.token)
        await time.waitForSleeper(.milliseconds(100))
        time.advance(by: .seconds(43))
        store.failNextInsert()
        #expect(try await told(by: other).isEmpty)
        #expect(try await told(by: other).map(\.token) == [package.token])
    }

    /// Nobody keeps a result for longer than ``SessionServerOptions/resultLifetime``.
    @Test func aResultThatIsNoLongerKeptIsGivenUp() async throws {
        let (first, other) = (try lonelyProcess(), try process())
        try await first.server.cancel(try await start(first).token)
        await time.waitForSleeper(.milliseconds(100))
        time.advance(by: .seconds(301))
        #expect(try await told(by: other).isEmpty)
    }

    /// The receiver takes its time: its answer may still come.
    @Test func aResultOnItsWayIsNotSentBesides() async throws {
        let (arrival, release) = (ShutdownSignal(), ShutdownSignal())
        let world = try process {
            $0.callbackHandler = { _ throws(TransportError) in
                arrival.give()
                await release.wait()
                return InMemoryHTTPAnswer(status: 204)
            }
        }
        let package = try await start(world)
        try await world.server.cancel(package.token)
        await arrival.wait()
        time.advance(by: .seconds(43))
        await world.server.endTimedOutSessions()
        release.give()
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.count == 1)
    }

    /// The transport refuses the address: nobody tries it again.
    @Test func aResultWithoutAnAllowedAddressIsGivenUp() async throws {
        let (first, other) = (try process(), try process())
        let package = try await first.start { $0.callbackURL = "https://10.0.0.1/result" }
        try await first.server.cancel(package.token)
        await first.server.finishDeliveries()
        time.advance(by: .seconds(43))
        #expect(try await told(by: other).isEmpty)
        #expect(try await store.entry(for: SessionKey("irma result " + package.token)) == nil)
    }

    /// A wallet that connects gives the session more time.
    @Test func aSessionThatGoesOnIsNotEnded() async throws {
        let (first, other) = (try process(), try process())
        let package = try await start(first)
        time.advance(by: .seconds(600))
        _ = try await first.wallet(package).connect()
        time.advance(by: .seconds(400))
        #expect(try await told(by: other).isEmpty)
        #expect(try await other.server.status(of: package.token) == .connected)
        time.advance(by: .seconds(600))
        #expect(try await told(by: other).map(\.status) == [.timedOut])
    }

    /// A damaged session holds up no other.
    @Test func aSessionThatCannotBeReadIsLeftAside() async throws {
        let (first, other) = (try process(), try process())
        let packages = [try await start(first), try await start(first)]
        var entry = try #require(try await store.entry(for: SessionKey(packages[0].token)))
        entry.value = [1]
        _ = try await store.swap(entry)
        time.advance(by: .seconds(915))
        #expect(try await told(by: other).map(\.token) == [packages[1].token])
    }

    /// Notes cost a server look-ups every second, and room in the store.
    @Test func aServerWithAStoreThatNobodySharesNotesNothing() throws {
        #expect(try process().server.undelivered != nil)
        #expect(try process { $0.hasTransport = false }.server.undelivered == nil)
        #expect(try process { $0.store = nil }.server.undelivered == nil)
        let memory = MemorySessionStore(clock: time.sessionClock)
        #expect(try process { $0.store = memory }.server.undelivered == nil)
        let reporting = ReportingSessionStore(memory) { _ in }
        #expect(try process { $0.store = reporting }.server.undelivered == nil)
    }
}
