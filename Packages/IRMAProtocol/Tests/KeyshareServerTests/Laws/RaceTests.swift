import CryptoCore
import IRMAMessages
import Synchronization
import TestSupport
import Testing

@testable import KeyshareServer

/// Requests that come between the steps of another, and other chances.
@Suite struct RaceTests {
    /// Changes an account's record before the third reading of a request, which is that of its last step; other writers may
    /// win every time.
    private final class RacingStore: KeyshareAccountStore {
        let store = MemoryKeyshareAccountStore()
        let isContested = Mutex(false)
        private let countdown = Mutex<(count: Int, record: [UInt8])?>(nil)

        func intrude(with record: [UInt8]) {
            countdown.withLock { $0 = (3, record) }
        }

        func account(named username: String) async throws(KeyshareServerError) -> StoredKeyshareAccount? {
            let record = countdown.withLock { countdown -> [UInt8]? in
                guard let (count, record) = countdown else { return nil }
                countdown = count > 1 ? (count - 1, record) : nil
                return count > 1 ? nil : record
            }
            if let record {
                try await store.change(username) { account in
                    account.coreData = record
                    return KeyshareAccountChange(())
                }
            }
            return try await store.account(named: username)
        }

        func insert(_ account: KeyshareAccount) async throws(KeyshareServerError) { try await store.insert(account) }

        func update(
            _ account: StoredKeyshareAccount,
            recording events: [KeyshareAccountEvent]
        ) async throws(KeyshareServerError) -> StoredKeyshareAccount {
            guard !isContested.withLock(\.self) else {
                throw KeyshareServerError(.conflict, "another writer was first")
            }
            return try await store.update(account, recording: events)
        }

        func delete(_ username: String) async throws(KeyshareServerError) -> Bool { try await store.delete(username) }

        func events(
            of username: String,
            skipping offset: Int,
            atMost count: Int
        ) async throws(KeyshareServerError) -> [KeyshareAccountEvent] {
            try await store.events(of: username, skipping: offset, atMost: count)
        }

        func check() async throws(KeyshareServerError) { try await store.check() }
    }

    @Test func aChangeOfPINNeverUndoesAnother() async throws {
        let store = RacingStore()
        let world = try World(accounts: store)
        let phone = try await Phone.enrolled(at: world)
        store.intrude(with: [1, 2, 3])
        #expect(try await phone.changePIN(from: phone.pin, to: "new").outcome == "403 UNEXPECTED_REQUEST")
        #expect(try await store.account(named: phone.username)?.account.coreData == [1, 2, 3])
    }

    @Test func aRewrittenRecordNeverUndoesAChangeOfPIN() async throws {
        let store = RacingStore()
        let world = try World(storageKeys: StorageKeyring(writing: ReferenceRecord.storageKey()), accounts: store)
        try await world.insertOldAccount("oldaccount")
        store.intrude(with: [1, 2, 3])
        let message = KeyshareLoginResponse(id: "oldaccount", pin: ReferenceRecord.pin, token: nil)
        #expect(try .pin(await world.post("/users/verify/pin", message.json())) == "success")
        #expect(try await store.account(named: "oldaccount")?.account.coreData == [1, 2, 3])
    }

    @Test func refusesPINsWhileTooManyWait() async throws {
        let world = try World()
        let phone = try await Phone.enrolled(at: world)
        let gate = world.service.parts.stretcher.gate
        let challenge = try await phone.challenge()
        try await gate.acquire()
        let waiting = (0..<64).map { _ in Task { try await gate.run {} } }
        while gate.waitingCount < 64 { await Task.yield() }
        let answer = try await phone.answer(challenge)
        #expect(answer.outcome == "429 TOO_MANY_REQUESTS")
        #expect(try await phone.register().outcome == "429 TOO_MANY_REQUESTS")
        gate.release()
        for task in waiting { try await task.value }
        // The attempt was counted before, and is taken back.
        #expect(try await world.accounts.account(named: phone.username)?.account.pinCounter == 0)
        #expect(try .pin(await phone.login()) == "success")
    }

    @Test func refusesRequestsThatLoseToOthersOfTheAccount() async throws {
        let sessions = RecordingSessionStore()
        let world = try World(sessions: sessions)
        let phone = try await Phone.enrolled(at: world)
        #expect(try await phone.startLogin().status == 200)
        sessions.isContested.withLock { $0 = true }
        #expect(try await phone.startLogin().outcome == "429 TOO_MANY_REQUESTS")
        let accounts = RacingStore()
        let other = try await Phone.enrolled(at: World(accounts: accounts))
        let challenge = try await other.challenge()
        accounts.isContested.withLock { $0 = true }
        #expect(try await other.answer(challenge).outcome == "429 TOO_MANY_REQUESTS")
    }

    @Test func givesNoNameTwice() async throws {
        let world = try World()
        let bytes = [UInt8](repeating: 5, count: 12)
        func register(repeating count: Int) async throws -> World.Answer {
            for _ in 0..<count { world.random.append(bytes) }
            return try await Phone(world).register()
        }
        #expect(try await register(repeating: 1).status == 200)
        #expect(try await register(repeating: 1).status == 200)
        let names = world.issuer.requests.compactMap { $0.credentials.first?.attributes["email"] }
        #expect(names.first == "FFFFFFFFFFFF" && names.last != names.first)
        // Four names, each followed by the nonce that seals the account's secrets, which has as many bytes.
        #expect(try await register(repeating: 8).outcome == "500 INTERNAL_ERROR")
    }

    @Test func drawsFairNames() {
        // Bytes that would favor the first characters are passed over.
        let random = ScriptedRandom([[UInt8](repeating: 255, count: 12), [UInt8](repeating: 248, count: 12)])
        let name = RandomText.lettersAndDigits(12, using: random)
        #expect(name.utf8.count == 12 && Set(name).count > 1)
    }
}
