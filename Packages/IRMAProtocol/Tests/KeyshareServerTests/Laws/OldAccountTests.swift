import IRMAMessages
import JSONKit
import KeyshareServer
import Testing

/// Accounts whose records another server or another key wrote.
@Suite struct OldAccountTests {
    @Test func registersAKeyForAnOldAccountOnce() async throws {
        let world = try World(storageKeys: StorageKeyring(writing: try ReferenceRecord.storageKey()))
        try await world.insertOldAccount("oldaccount")
        var phone = try Phone(world, username: "oldaccount", pin: "wrong")
        #expect(try await phone.startLogin().outcome == "403 UNEXPECTED_REQUEST")
        #expect(try .pin(await phone.registerKey()) == "failure 2")
        phone.pin = ReferenceRecord.pin
        #expect(try .pin(await phone.registerKey()) == "success")
        // The same key once more, as a device does that has not seen the answer; its PIN counts as at a login. The answer
        // has no token: anyone who has seen the message can replay it.
        let record = try #require(try await world.accounts.account(named: "oldaccount")).account.coreData
        phone.pin = "wrong"
        #expect(try .pin(await phone.registerKey()) == "failure 2")
        phone.pin = ReferenceRecord.pin
        let repeated = try await phone.registerKey()
        #expect(try .pin(repeated) == "success")
        #expect(try repeated.pinStatus().message.isEmpty)
        #expect(try #require(try await world.accounts.account(named: "oldaccount")).account.coreData == record)
        #expect(try await world.accounts.account(named: "oldaccount")?.account.pinCounter == 0)
        let other = try Phone(world, username: "oldaccount", pin: ReferenceRecord.pin)
        #expect(try await other.registerKey().outcome == "403 UNEXPECTED_REQUEST")
        #expect(try .pin(await phone.login()) == "success")
        let bare = KeyshareLoginResponse(id: phone.username, pin: phone.pin, token: nil).json()
        #expect(try await world.post("/users/verify/pin", bare).outcome == "403 UNEXPECTED_REQUEST")
        phone.username = "doesnotexist"
        #expect(try await phone.registerKey().outcome == "403 USER_NOT_REGISTERED")
        let unknown = KeyshareLoginResponse(id: phone.username, pin: phone.pin, token: nil).json()
        #expect(try await world.post("/users/verify/pin", unknown).outcome == "403 USER_NOT_REGISTERED")
    }

    @Test func rewritesAnOldRecordAtASuccessfulLogin() async throws {
        let world = try World(storageKeys: StorageKeyring(writing: try ReferenceRecord.storageKey()))
        try await world.insertOldAccount("oldaccount")
        func record() async throws -> [UInt8] {
            try #require(try await world.accounts.account(named: "oldaccount")).account.coreData
        }
        func login(_ pin: String, at world: World) async throws -> String {
            try .pin(
                await world.post(
                    "/users/verify/pin",
                    KeyshareLoginResponse(id: "oldaccount", pin: pin, token: nil).json()
                )
            )
        }
        let old = try await record()
        #expect(try await login("wrong", at: world) == "failure 2")
        #expect(try await record() == old)
        let keeper = try World(sharing: world, recordForm: .reference)
        #expect(try await login(ReferenceRecord.pin, at: keeper) == "success")
        #expect(try await record() == old)
        #expect(try await login(ReferenceRecord.pin, at: world) == "success")
        let new = try await record()
        #expect(new != old)
        #expect(try await login(ReferenceRecord.pin, at: world) == "success")
        #expect(try await record() == new)
        #expect(try await login("wrong", at: world) == "failure 2")
        // There is no way back to the PIN itself.
        #expect(try await login(ReferenceRecord.pin, at: keeper) == "success")
        #expect(try await record() == new)
    }

    @Test func rewritesARecordOfAnOlderStorageKey() async throws {
        let old = StorageKey.random(id: 1)
        let new = StorageKey.random(id: 2)
        let world = try World(storageKeys: StorageKeyring(writing: old))
        let phone = try await Phone.enrolled(at: world)
        let next = try World(sharing: world, storageKeys: StorageKeyring(writing: new, reading: [old]))
        let moved = try Phone(next, key: nil, username: phone.username)
        #expect(try await moved.startLogin().outcome == "400 INVALID_REQUEST")
        let twin = Phone(world: next, signer: phone.signer, username: phone.username)
        #expect(try .pin(await twin.login()) == "success")
        let record = try #require(try await world.accounts.account(named: phone.username)).account.coreData
        #expect(Array(record.prefix(4)) == [2, 0, 0, 0])
        let last = try World(sharing: world, storageKeys: StorageKeyring(writing: new))
        #expect(try .pin(await Phone(world: last, signer: phone.signer, username: phone.username).login()) == "success")
        // A server without the key says nothing about why.
        #expect(try await phone.startLogin().outcome == "500 INTERNAL_ERROR")
    }
}

extension World {
    /// Inserts the account of a record that the reference wrote, without a key.
    func insertOldAccount(_ username: String) async throws {
        let record = try ReferenceRecord.bytes(ReferenceRecord.old)
        try await accounts.insert(KeyshareAccount(username: username, language: "", coreData: record, lastSeen: 0))
    }
}
