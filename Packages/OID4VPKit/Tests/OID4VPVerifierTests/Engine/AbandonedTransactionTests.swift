import CredentialServing
import CredentialTransport
import CryptoCore
import HTTPTypes
import JSONKit
import TestSupport
import Testing

@testable import OID4VPVerifier

/// Transactions of a process that is gone, which another one over the same store ends and tells.
struct AbandonedTransactionTests {
    private static let callback = #""callback_uri": "https://shop.example/result""#

    private func world(_ change: (inout EngineWorld.Setup) throws -> Void = { _ in }) throws -> EngineWorld {
        try EngineWorld {
            $0.signer = try SoftwareSigner(PrivateKey.generate(.p256))
            try change(&$0)
        }
    }

    /// The number of results that a process has sent after a look at the transactions of others.
    private func told(by world: EngineWorld) async -> Int {
        await world.server.endAbandonedTransactions()
        await world.server.finishDeliveries()
        return world.callbacks.requests.count
    }

    @Test func theEndOfATransactionThatNobodyTouchesIsTold() async throws {
        let world = try world()
        let transaction = try await world.begin(Self.callback)
        let other = try world.restarted()
        world.wait(.seconds(301))
        // Its own process has some seconds for it.
        #expect(await told(by: other) == 0)
        world.wait(.seconds(12))
        #expect(await told(by: other) == 1)
        #expect(await told(by: other) == 1)
        #expect(try await transaction.on(other).events() == ["created", "expired", "callback_accepted"])
        // The first process is back, and finds that all is done.
        await world.server.endExpiredTransactions()
        #expect(await told(by: world) == 0)
        #expect(world.server.awaited.count == 0)
    }

    @Test func anEndThatItsOwnProcessToldIsNotToldAgain() async throws {
        let world = try world()
        _ = try await world.begin(Self.callback)
        world.wait(.seconds(300))
        await world.server.endExpiredTransactions()
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.count == 1)
        world.wait(.seconds(12))
        #expect(await told(by: try world.restarted()) == 0)
    }

    /// The process is gone while it verifies a response: the transaction ends long before its request expires.
    @Test func aVerificationOfAProcessThatIsGoneIsTold() async throws {
        let gate = Gate()
        let world = try world {
            $0.party = ScriptedParty(gate: gate)
            $0.timer = ManualClock()
        }
        let transaction = try await world.begin(Self.callback)
        let form = TestTransaction.form("good", state: try await transaction.state())
        let answer = Task { try await transaction.post(transaction.responsePath, form) }
        await gate.waitForTasks(1)
        let other = try world.restarted()
        #expect(await told(by: other) == 0)
        world.wait(.seconds(43))
        #expect(await told(by: other) == 1)
        #expect(try await transaction.on(other).result().json()["failure"]?["code"] == "interrupted")
        gate.open()
        _ = try await answer.value
        world.wait(.seconds(300))
        #expect(await told(by: other) == 1)
    }

    /// The process is gone between the end of a transaction and its callback: nothing of the delivery is left but the note.
    @Test(arguments: [false, true]) func aResultThatNoCallbackTookIsSentAgain(isFetched: Bool) async throws {
        let world = try world {
            $0.callbackHandler = { _ throws(TransportError) in InMemoryHTTPAnswer(status: 503) }
            $0.timer = ManualClock()
        }
        let transaction = try await world.begin(Self.callback)
        try await transaction.answer()
        let other = try world.restarted()
        world.wait(.seconds(29))
        #expect(await told(by: other) == 0)
        if isFetched { _ = try await transaction.on(other).result() }
        world.wait(.seconds(14))
        #expect(await told(by: other) == (isFetched ? 0 : 1))
        world.wait(.seconds(60))
        #expect(await told(by: other) == (isFetched ? 0 : 1))
        let last = isFetched ? "result_fetched" : "callback_accepted"
        #expect(try await transaction.on(other).events().last == last)
    }

    /// The receiver takes its time: its answer may still come.
    @Test func aResultOnItsWayIsNotSentBesides() async throws {
        let gate = Gate()
        let world = try world {
            $0.callbackHandler = { _ throws(TransportError) in
                await gate.wait()
                return InMemoryHTTPAnswer(status: 204)
            }
            $0.timer = ManualClock()
        }
        let transaction = try await world.begin(Self.callback)
        try await transaction.answer()
        await gate.waitForTasks(1)
        world.wait(.seconds(43))
        await world.server.endAbandonedTransactions()
        gate.open()
        await world.server.finishDeliveries()
        #expect(world.callbacks.requests.count == 1)
    }

    @Test func theFirstLookOfAProcessGoesBackInTime() async throws {
        let world = try world()
        _ = try await world.begin(Self.callback)
        world.wait(.seconds(500))
        let other = try world.restarted()
        #expect(await told(by: other) == 1)
    }
}
