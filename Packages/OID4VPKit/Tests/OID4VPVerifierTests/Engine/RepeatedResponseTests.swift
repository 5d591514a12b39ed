import CredentialServing
import HTTPTypes
import JSONKit
import Synchronization
import TestSupport
import Testing

@testable import OID4VPVerifier

/// Wallets whose first answer was lost, and that send the very same response again.
struct RepeatedResponseTests {
    private func answered(
        _ presentation: String = "good",
        _ members: String = EngineWorld.redirect,
        _ change: (inout EngineWorld.Setup) throws -> Void = { _ in }
    ) async throws -> (TestTransaction, form: String, first: InMemoryResponse) {
        let world = try EngineWorld(change)
        let transaction = try await world.begin(members)
        let form = TestTransaction.form(presentation, state: try await transaction.state())
        return (transaction, form, try await transaction.post(transaction.responsePath, form))
    }

    @Test(arguments: ["good", "bad"])
    func theSameResponseHasTheSameAnswer(presentation: String) async throws {
        let (transaction, form, first) = try await answered(presentation)
        let second = try await transaction.post(transaction.responsePath, form)
        #expect(second.status == .ok && second.body == first.body)
        #expect(transaction.world.party.verifications.withLock { $0 } == 1)
        #expect(try await transaction.events().last == "response_repeated")
        let result = try await transaction.result(try second.responseCode())
        #expect(try result.json()["status"] == (presentation == "good" ? "verified" : "failed"))
    }

    /// Anybody who has seen the request can write such an error.
    @Test func anErrorInTheClearIsNotRepeated() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin(EngineWorld.redirect)
        let form = "error=access_denied&state=" + (try await transaction.state())
        #expect(try await transaction.post(transaction.responsePath, form).responseCode() != "")
        try expectRefusal(.refusedResponse, try await transaction.post(transaction.responsePath, form))
        #expect(try await transaction.status() == "declined")
    }

    @Test func aRefusalIsRepeatedToo() async throws {
        let (transaction, form, first) = try await answered("bad", "")
        try expectRefusal(.rejectedResponse, first)
        try expectRefusal(.rejectedResponse, try await transaction.post(transaction.responsePath, form))
    }

    @Test func anyOtherBodyIsRefused() async throws {
        let (transaction, form, _) = try await answered()
        for other in [form + "&n=1", form.replacing("good", with: "bad"), form.replacing("%22", with: "\"")] {
            try expectRefusal(.refusedResponse, try await transaction.post(transaction.responsePath, other))
        }
        // A response to another transaction does not count here.
        let stranger = try await transaction.world.begin(EngineWorld.redirect)
        try expectRefusal(.refusedResponse, try await stranger.post(stranger.responsePath, form))
    }

    @Test func aUsedCodeIsNotGivenAgain() async throws {
        let (transaction, form, first) = try await answered()
        #expect(try await transaction.result(try first.responseCode()).status == .ok)
        try expectRefusal(.refusedResponse, try await transaction.post(transaction.responsePath, form))
    }

    @Test func theTimeForARepetitionIsBounded() async throws {
        let (transaction, form, first) = try await answered()
        transaction.world.wait(.milliseconds(59_999))
        let second = try await transaction.post(transaction.responsePath, form)
        #expect(try second.responseCode() == first.responseCode())
        transaction.world.wait(.milliseconds(1))
        try expectRefusal(.refusedResponse, try await transaction.post(transaction.responsePath, form))
    }

    @Test func aServerMayRefuseEveryRepetition() async throws {
        let (transaction, form, _) = try await answered { $0.options.repetitionLifetime = .zero }
        try expectRefusal(.refusedResponse, try await transaction.post(transaction.responsePath, form))
        #expect(throws: TransactionError.self) { try EngineWorld { $0.options.repetitionLifetime = .seconds(-1) } }
    }

    @Test func aRepetitionWaitsForTheVerification() async throws {
        let gate = Gate()
        let world = try EngineWorld { $0.party = ScriptedParty(gate: gate) }
        let transaction = try await world.begin(EngineWorld.redirect)
        let form = TestTransaction.form("good", state: try await transaction.state())
        let first = Task { try await transaction.post(transaction.responsePath, form) }
        await gate.waitForTasks(1)
        let other = try world.restarted()
        let second = Task { try await transaction.on(other).post(transaction.responsePath, form) }
        // The first waits for its verification, the second for the end of the transaction.
        await world.clock.waitForSleeper(.seconds(30), count: 2)
        gate.open()
        #expect(try await second.value.responseCode() == first.value.responseCode())
        #expect(world.party.verifications.withLock { $0 } == 1)
    }

    @Test func aCancelledTransactionHasNoAnswer() async throws {
        let gate = Gate()
        let world = try EngineWorld { $0.party = ScriptedParty(gate: gate) }
        let transaction = try await world.begin(EngineWorld.redirect)
        let form = TestTransaction.form("good", state: try await transaction.state())
        let first = Task { try await transaction.post(transaction.responsePath, form) }
        await gate.waitForTasks(1)
        try await world.server.cancel(transaction.id)
        try expectRefusal(.refusedResponse, try await transaction.post(transaction.responsePath, form))
        gate.open()
        try expectRefusal(.refusedResponse, try await first.value)
    }
}
