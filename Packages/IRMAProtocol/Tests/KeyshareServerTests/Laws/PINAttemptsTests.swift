import TestSupport
import Testing

@testable import KeyshareServer

@Suite struct PINAttemptsTests {
    private var account: KeyshareAccount {
        KeyshareAccount(username: "a", language: "", coreData: [1], lastSeen: 0)
    }

    @Test func letsThreeThroughAndThenOneAfterEachBlock() {
        var account = account
        var now: Int64 = 1_000
        #expect(PINAttempts.reserve(on: &account, at: now) == .allowed(remaining: 2, block: 0))
        #expect(PINAttempts.reserve(on: &account, at: now) == .allowed(remaining: 1, block: 0))
        #expect(PINAttempts.reserve(on: &account, at: now) == .allowed(remaining: 0, block: 60))
        #expect(PINAttempts.reserve(on: &account, at: now) == .blocked(seconds: 60))
        now += 59
        #expect(PINAttempts.reserve(on: &account, at: now) == .blocked(seconds: 1))
        for block: Int64 in [120, 240, 480] {
            now += account.pinBlockDate - now
            #expect(PINAttempts.reserve(on: &account, at: now) == .allowed(remaining: 0, block: block))
            #expect(PINAttempts.reserve(on: &account, at: now) == .blocked(seconds: block))
        }
        PINAttempts.reset(&account)
        #expect(account.pinCounter == 0 && account.pinBlockDate == 0)
        #expect(PINAttempts.reserve(on: &account, at: now) == .allowed(remaining: 2, block: 0))
    }

    @Test func takesBackAnAttemptWithItsBlock() {
        var account = account
        for _ in 0..<3 { _ = PINAttempts.reserve(on: &account, at: 1_000) }
        PINAttempts.takeBack(60, of: &account, reservedAt: 1_000)
        #expect(PINAttempts.reserve(on: &account, at: 1_000) == .allowed(remaining: 0, block: 60))
        // The block of a later attempt stays.
        PINAttempts.takeBack(0, of: &account, reservedAt: 1_000)
        #expect(account.pinCounter == 2 && account.pinBlockDate == 1_060)
        account.pinCounter = 0
        PINAttempts.takeBack(.max, of: &account, reservedAt: 1_000)
        #expect(account.pinCounter == 0 && account.pinBlockDate == 1_060)
    }

    /// Numbers that only a damaged table has.
    @Test(arguments: [Int64.max, .min, -1, 40, 1 << 40])
    func trapsOnNoNumber(counter: Int64) {
        for (now, date) in [(0, 0), (Int64.max, Int64.max), (1, Int64.min), (0, Int64.max), (-5, 3)] as [(Int64, Int64)]
        {
            var account = account
            account.pinCounter = counter
            account.pinBlockDate = date
            if case .allowed(let remaining, let block) = PINAttempts.reserve(on: &account, at: now) {
                #expect((0...2).contains(remaining) && block >= 0 && account.pinCounter > 0)
                #expect(account.pinBlockDate >= now)
            } else {
                #expect(date > now)
            }
        }
    }
}

@Suite struct WorkGateTests {
    @Test func letsSoManyWaitAndRefusesTheNext() async throws {
        let gate = WorkGate(maximumRunning: 1, maximumWaiting: 0)
        let inner = try await gate.run { true }
        #expect(inner)
        // A second piece is refused while the first runs.
        try await gate.acquire()
        do {
            _ = try await gate.run { true }
            Issue.record("not refused")
        } catch {
            #expect(error.code == .overloaded)
        }
        gate.release()
        #expect(try await gate.run { true })
    }

    @Test func handsItsPlaceToTheFirstThatWaits() async throws {
        let gate = WorkGate(maximumRunning: 1, maximumWaiting: 2)
        try await gate.acquire()
        let first = Task { try await gate.run { 1 } }
        let second = Task { try await gate.run { 2 } }
        while gate.waitingCount < 2 { await Task.yield() }
        gate.release()
        #expect(try await first.value + second.value == 3)
        #expect(gate.waitingCount == 0)
    }

    @Test func forgetsACancelledTask() async throws {
        let gate = WorkGate(maximumRunning: 1, maximumWaiting: 1)
        try await gate.acquire()
        let waiting = Task { try await gate.run { 1 } }
        while gate.waitingCount < 1 { await Task.yield() }
        waiting.cancel()
        let outcome = await waiting.result
        #expect(throws: KeyshareServerError.self) { try outcome.get() }
        #expect(gate.waitingCount == 0)
        gate.release()
        #expect(try await gate.run { true })
    }
}
