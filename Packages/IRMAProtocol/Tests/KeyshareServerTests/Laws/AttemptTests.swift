import IRMAMessages
import JSONKit
import Testing

@testable import KeyshareServer

/// Wrong PINs and changes of the PIN.
@Suite struct AttemptTests {
    private let world: World

    init() throws {
        world = try World()
    }

    @Test func blocksAfterThreeWrongPINs() async throws {
        let phone = try await Phone.enrolled(at: world)
        #expect(try .pin(await phone.login(pin: "a")) == "failure 2")
        #expect(try .pin(await phone.login(pin: "b")) == "failure 1")
        #expect(try .pin(await phone.login(pin: "c")) == "error 60")
        world.time.advance(by: 13)
        #expect(try .pin(await phone.login()) == "error 47")
        #expect(try .pin(await phone.changePIN(from: phone.pin, to: "new")) == "error 47")
        world.time.advance(by: 47)
        #expect(try .pin(await phone.login(pin: "d")) == "error 120")
        world.time.advance(by: 120)
        #expect(try .pin(await phone.login()) == "success")
        #expect(try .pin(await phone.login(pin: "e")) == "failure 2")
        let events = try await world.accounts.events(of: phone.username, atMost: 20).map(\.kind.name)
        let expected = [
            "PIN_CHECK_FAILED", "PIN_CHECK_SUCCESS", "PIN_CHECK_BLOCKED", "PIN_CHECK_FAILED", "PIN_CHECK_REFUSED",
            "PIN_CHECK_REFUSED", "PIN_CHECK_BLOCKED", "PIN_CHECK_FAILED", "PIN_CHECK_FAILED", "PIN_CHECK_FAILED",
        ]
        #expect(events == expected)
    }

    /// The server had no time to look at the PINs.
    @Test func countsNoAttemptWhoseRequestIsRefusedForOverload() async throws {
        let world = try World(waitingPINs: 0)
        let phone = try await Phone.enrolled(at: world)
        let gate = world.service.parts.stretcher.gate
        try await gate.acquire()
        for _ in 0..<4 { #expect(try await phone.login().error == .tooManyRequests) }
        #expect(try await phone.changePIN(from: phone.pin, to: "new").error == .tooManyRequests)
        #expect(try await world.accounts.account(named: phone.username)?.account.pinCounter == 0)
        gate.release()
        #expect(try .pin(await phone.login(pin: "a")) == "failure 2")
        #expect(try .pin(await phone.login()) == "success")
    }

    /// The record of an old account is compared at once; only the PIN of the new record waits.
    @Test func countsNoRightPINAfterWhichTheServerHasNoTime() async throws {
        let world = try World(
            storageKeys: StorageKeyring(writing: try ReferenceRecord.storageKey()),
            waitingPINs: 0
        )
        try await world.insertOldAccount("oldaccount")
        let gate = world.service.parts.stretcher.gate
        func account() async throws -> KeyshareAccount {
            try #require(try await world.accounts.account(named: "oldaccount")).account
        }
        let old = try await account().coreData
        try await gate.acquire()
        let login = KeyshareLoginResponse(id: "oldaccount", pin: ReferenceRecord.pin, token: nil).json()
        for _ in 0..<4 { #expect(try .pin(await world.post("/users/verify/pin", login)) == "success") }
        #expect(try await account().coreData == old)
        let phone = try Phone(world, username: "oldaccount", pin: ReferenceRecord.pin)
        for _ in 0..<4 { #expect(try await phone.registerKey().error == .tooManyRequests) }
        #expect(try await account().pinCounter == 0)
        gate.release()
        #expect(try .pin(await phone.registerKey()) == "success")
        #expect(try await account().coreData != old)
    }

    /// Attempts are counted before PINs are compared, by whichever instance.
    @Test func parallelGuessesGainNothing() async throws {
        let world = try World(storageKeys: StorageKeyring(writing: try ReferenceRecord.storageKey()))
        let twin = try World(sharing: world)
        let username = "oldaccount"
        try await world.insertOldAccount(username)
        let body: @Sendable (String) -> JSONValue = { pin in
            KeyshareLoginResponse(id: username, pin: pin, token: nil).json()
        }
        let outcomes = try await withThrowingTaskGroup(of: String.self) { group in
            for guess in 0..<30 {
                let world = guess.isMultiple(of: 2) ? world : twin
                group.addTask { try .pin(await world.post("/users/verify/pin", body("guess \(guess)"))) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == "failure 2" }.count == 1)
        #expect(outcomes.filter { $0 == "failure 1" }.count == 1)
        #expect(outcomes.filter { $0 == "error 60" }.count == 28)
        #expect(try await world.accounts.account(named: username)?.account.pinCounter == 3)
        #expect(try .pin(await world.post("/users/verify/pin", body(ReferenceRecord.pin))) == "error 60")
    }

    @Test func strangersCannotBlockAnAccount() async throws {
        let phone = try await Phone.enrolled(at: world)
        let thief = try Phone(world, username: phone.username)
        let challenge = try await phone.challenge()
        for _ in 0..<5 {
            #expect(try await thief.answer(challenge).outcome == "400 INVALID_REQUEST")
            #expect(try await thief.changePIN(from: "a", to: "b").outcome == "400 INVALID_REQUEST")
            #expect(try await thief.registerKey().outcome == "403 UNEXPECTED_REQUEST")
        }
        // The challenge is still there too.
        #expect(try .pin(await phone.answer(challenge)) == "success")
    }

    @Test func changesThePINAndRenewsTheIdentifier() async throws {
        let phone = try await Phone.enrolled(at: world)
        let token = try await phone.token()
        #expect(
            try await world.get("/users/renewKeyshareAttribute", username: phone.username, token: token).status == 200
        )
        let answer = try await phone.changePIN(from: phone.pin, to: "new")
        #expect(answer.json == ["status": "success", "message": ""])
        let renewed = try await world.get("/users/renewKeyshareAttribute", username: phone.username, token: token)
        #expect(renewed.outcome == "400 INVALID_REQUEST")
        #expect(try .pin(await phone.login()) == "failure 2")
        #expect(try .pin(await phone.login(pin: "new")) == "success")
    }

    @Test func refusesChangesWithAWrongPIN() async throws {
        let phone = try await Phone.enrolled(at: world)
        #expect(try .pin(await phone.changePIN(from: "a", to: "new")) == "failure 2")
        #expect(try .pin(await phone.changePIN(from: "b", to: "new")) == "failure 1")
        #expect(try .pin(await phone.changePIN(from: "c", to: "new")) == "error 60")
        #expect(try .pin(await phone.changePIN(from: phone.pin, to: "new")) == "error 60")
        for pin in ["", String(repeating: "a", count: 65)] {
            #expect(try await phone.changePIN(from: phone.pin, to: pin).outcome == "400 INVALID_REQUEST")
        }
        let stranger = try Phone(world, username: "doesnotexist")
        #expect(try await stranger.changePIN(from: "a", to: "b").outcome == "403 USER_NOT_REGISTERED")
        let bare: JSONValue = ["id": .string(phone.username), "oldpin": .string(phone.pin), "newpin": "b"]
        #expect(try await world.post("/users/change/pin", bare).outcome == "400 INVALID_REQUEST")
    }
}
