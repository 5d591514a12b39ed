import CryptoCore
import Foundation
import IRMAMessages
import JOSEKit
import JSONKit
import KeyshareServer
import KeyshareServerContracts
import TestSupport
import Testing

/// Enrolment, login, change of PIN and registration of keys, as wallets call them.
@Suite struct AccountFlowTests {
    private let world: World

    init() throws {
        world = try World()
    }

    @Test(arguments: AccountStoreLaw.all)
    func memoryKeeps(_ law: AccountStoreLaw) async throws {
        let store = MemoryKeyshareAccountStore()
        try await law.check([store, store])
    }

    // MARK: Enrolment

    @Test(arguments: ["", "/api/v1"])
    func enrols(prefix: String) async throws {
        var phone = try Phone(world)
        let answer = try await phone.register(path: prefix + "/client/register", language: "nl")
        #expect(answer.status == 200 && answer.contentType == "application/json; charset=UTF-8")
        #expect(answer.json == ["u": "https://irma.example/session/abc", "irmaqr": "issuing"])
        let request = try #require(world.issuer.requests.first)
        let credential = try #require(request.credentials.first)
        #expect(credential.credential == "test.test.mijnirma" && request.disclose.disjunctions.isEmpty)
        #expect(credential.validity == world.time.seconds + 365 * 86_400)
        phone.username = try #require(credential.attributes["email"])
        #expect(phone.username.utf8.count == 12)
        let stored = try #require(try await world.accounts.account(named: phone.username)).account
        #expect(stored.language == "nl" && stored.lastSeen == world.time.seconds && stored.pinCounter == 0)
        #expect(try .pin(await phone.login()) == "success")
    }

    @Test func deletesAnAccountThatGotNoAttribute() async throws {
        world.issuer.breakDown()
        let answer = try await Phone(world).register()
        #expect(answer.outcome == "500 INTERNAL_ERROR")
        let name = try #require(world.issuer.requests.first?.credentials.first?.attributes["email"])
        #expect(try await world.accounts.account(named: name) == nil)
    }

    @Test func refusesEnrolmentsOfOthersKeys() async throws {
        let (phone, other) = (try Phone(world), try Phone(world))
        let claims = KeyshareEnrollmentClaims(pin: "a", email: nil, language: "en", publicKey: other.publicKey)
        func register(_ token: String) async throws -> String {
            try await world.post("/client/register", KeyshareTokenMessage(.enrollment, token: token).json()).outcome
        }
        #expect(try await register(try await phone.sign(claims)) == "400 INVALID_REQUEST")
        let good = try await other.sign(claims)
        #expect(try await register(String(good.dropLast(2))) == "400 INVALID_REQUEST")
        let key = try SoftwareSigner(PrivateKey.generate(.p384))
        let wide = KeyshareEnrollmentClaims(
            pin: "a",
            email: nil,
            language: "en",
            publicKey: key.publicKey.subjectPublicKeyInfo
        )
        let token = try await JWS.sign(wide.encodedBytes(), header: JOSEHeader(type: "JWT"), with: key)
        #expect(try await register(token.compactSerialization()) == "400 INVALID_REQUEST")
        #expect(world.issuer.requests.isEmpty)
        #expect(try await register(good) == "200 -")
    }

    @Test func refusesEnrolmentsOutOfBounds() async throws {
        for pin in ["", String(repeating: "a", count: 65)] {
            #expect(try await Phone(world, pin: pin).register().outcome == "400 INVALID_REQUEST")
        }
        let language = String(repeating: "n", count: 65)
        #expect(try await Phone(world).register(language: language).outcome == "400 INVALID_REQUEST")
        // The form without a key, which the reference still takes.
        let bare: JSONValue = ["pin": "a", "language": "en"]
        #expect(try await world.post("/client/register", bare).outcome == "400 INVALID_REQUEST")
        #expect(world.issuer.requests.isEmpty)
    }

    // MARK: Login

    @Test func givesATokenThatSaysWhatTheReferenceSays() async throws {
        let phone = try await Phone.enrolled(at: world)
        let token = try JWT(compact: try await phone.token())
        #expect(try token.unverifiedHeader().members == ["alg": "RS256", "kid": "0", "typ": "JWT"])
        let claims = try KeyshareAccountClaims(decoding: try #require(token.jws.unverifiedPayload))
        #expect(claims.issuer == "keyshare_server" && claims.tokenID.count == 32)
        #expect(claims.issuedAt == world.time.seconds && claims.expiresAt == world.time.seconds + 300)
        #expect(throws: Never.self) {
            _ = try token.jws.verify(with: TestKeys.signer.get().publicKey, policy: [.rs256])
        }
        let account = try #require(try await world.accounts.account(named: phone.username)).account
        #expect(account.pinCounter == 0 && account.lastSeen == world.time.seconds)
        let events = try await world.accounts.events(of: phone.username, atMost: 5)
        #expect(events == [KeyshareAccountEvent(.pinCheckSuccess, at: world.time.seconds)])
    }

    @Test func beginsLoginsOfSignedAndTimelyTokensAlone() async throws {
        let phone = try await Phone.enrolled(at: world)
        #expect(try await phone.startLogin(expiresIn: 360).status == 200)
        let answer = try KeyshareChallenge(decoding: try await phone.startLogin().body)
        #expect(answer.candidates == ["pin_challengeresponse"] && answer.challenge?.count == 32)
        #expect(try await phone.startLogin(expiresIn: 361).outcome == "400 INVALID_REQUEST")
        #expect(try await phone.startLogin(expiresIn: 0).outcome == "400 INVALID_REQUEST")
        #expect(try await phone.startLogin(expiresIn: .max / 2).outcome == "400 INVALID_REQUEST")
        // The reader of messages takes names in any letter case, that of tokens does not.
        let shouted = try await phone.sign(RawClaims(json: ["id": .string(phone.username), "EXP": 1]))
        let body = KeyshareTokenMessage(.login, token: shouted).json()
        #expect(try await world.post("/users/verify_start", body).outcome == "400 INVALID_REQUEST")
        let thief = try Phone(world, username: phone.username)
        #expect(try await thief.startLogin().outcome == "400 INVALID_REQUEST")
        let stranger = try Phone(world, username: "doesnotexist")
        #expect(try await stranger.startLogin().outcome == "403 USER_NOT_REGISTERED")
        #expect(try await Phone(world, username: "").startLogin().outcome == "403 USER_NOT_REGISTERED")
        let endless = String(repeating: "x", count: 1000)
        #expect(try await Phone(world, username: endless).startLogin().outcome == "403 USER_NOT_REGISTERED")
    }

    @Test func takesAChallengeOnce() async throws {
        let phone = try await Phone.enrolled(at: world)
        let challenge = try await phone.challenge()
        #expect(try .pin(await phone.answer(challenge)) == "success")
        #expect(try await phone.answer(challenge).outcome == "409 MISSING_CHALLENGE")
        // A wrong PIN uses the challenge up as well.
        let next = try await phone.challenge()
        #expect(try .pin(await phone.answer(next, pin: "wrong")) == "failure 2")
        #expect(try await phone.answer(next).outcome == "409 MISSING_CHALLENGE")
    }

    @Test func takesTheLastChallengeAlone() async throws {
        let phone = try await Phone.enrolled(at: world)
        let first = try await phone.challenge()
        let second = try await phone.challenge()
        #expect(first != second)
        #expect(try await phone.answer(first).outcome == "403 UNEXPECTED_REQUEST")
        #expect(try await phone.answer(second).outcome == "409 MISSING_CHALLENGE")
        // None of that was an attempt.
        #expect(try await world.accounts.account(named: phone.username)?.account.pinCounter == 0)
    }

    @Test func forgetsAChallengeAfterAMinute() async throws {
        let phone = try await Phone.enrolled(at: world)
        let challenge = try await phone.challenge()
        world.time.advance(by: 60)
        #expect(try await phone.answer(challenge).outcome == "409 MISSING_CHALLENGE")
        let late = try await phone.challenge()
        world.time.advance(by: 59)
        #expect(try .pin(await phone.answer(late)) == "success")
    }

    @Test func aChangedPINMakesAChallengeWorthless() async throws {
        let phone = try await Phone.enrolled(at: world)
        let challenge = try await phone.challenge()
        #expect(try .pin(await phone.changePIN(from: phone.pin, to: "new")) == "success")
        #expect(try await phone.answer(challenge, pin: "new").outcome == "409 MISSING_CHALLENGE")
    }

    @Test func aChallengeOfOneInstanceIsAnsweredByAnother() async throws {
        let other = try World(sharing: world)
        let phone = try await Phone.enrolled(at: world)
        let twin = try Phone(other, key: nil, username: phone.username)
        let challenge = try await phone.challenge()
        let token = try await phone.sign(
            KeyshareChallengeClaims(id: phone.username, pin: phone.pin, challenge: challenge)
        )
        let body = KeyshareLoginResponse(token: token).json()
        #expect(try .pin(await other.post("/users/verify/pin_challengeresponse", body)) == "success")
        #expect(try await phone.answer(challenge).outcome == "409 MISSING_CHALLENGE")
        #expect(try await twin.startLogin().outcome == "400 INVALID_REQUEST")
    }

    @Test func endpointsAndFormsOfALoginGoTogether() async throws {
        let phone = try await Phone.enrolled(at: world)
        let claims = KeyshareChallengeClaims(id: phone.username, pin: phone.pin, challenge: try await phone.challenge())
        let signed = KeyshareLoginResponse(token: try await phone.sign(claims)).json()
        let bare = KeyshareLoginResponse(id: phone.username, pin: phone.pin, token: nil).json()
        #expect(try await world.post("/users/verify/pin", signed).outcome == "400 INVALID_REQUEST")
        let path = "/users/verify/pin_challengeresponse"
        #expect(try await world.post(path, bare).outcome == "400 INVALID_REQUEST")
        // An account with a key logs in with it.
        #expect(try await world.post("/users/verify/pin", bare).outcome == "403 UNEXPECTED_REQUEST")
        #expect(try await world.accounts.account(named: phone.username)?.account.pinCounter == 0)
        #expect(try .pin(await world.post(path, signed)) == "success")
    }

    // MARK: Attempts

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

    // MARK: Change of PIN

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

    // MARK: Old accounts

    @Test func registersAKeyForAnOldAccountOnce() async throws {
        let world = try World(storageKeys: StorageKeyring(writing: try ReferenceRecord.storageKey()))
        try await world.insertOldAccount("oldaccount")
        var phone = try Phone(world, username: "oldaccount", pin: "wrong")
        #expect(try await phone.startLogin().outcome == "403 UNEXPECTED_REQUEST")
        #expect(try .pin(await phone.registerKey()) == "failure 2")
        phone.pin = ReferenceRecord.pin
        #expect(try .pin(await phone.registerKey()) == "success")
        #expect(try await phone.registerKey().outcome == "403 UNEXPECTED_REQUEST")
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

    // MARK: Renewal

    @Test func renewsTheAttributeOfItsOwnerAlone() async throws {
        let phone = try await Phone.enrolled(at: world)
        let path = "/api/v1/users/renewKeyshareAttribute"
        let answer = try await world.get(path, username: phone.username, token: try await phone.token())
        #expect(answer.json == ["u": "https://irma.example/session/abc", "irmaqr": "issuing"])
        let request = try #require(world.issuer.requests.last)
        let wanted = AttributeRequest("test.test.mijnirma.email", value: phone.username)
        #expect(request.disclose == [[[wanted]]] && request.skipExpiryCheck == ["test.test.mijnirma"])
        #expect(request.credentials.first?.attributes["email"] == phone.username)
        let count = world.issuer.requests.count
        #expect(try await world.get(path, username: phone.username).outcome == "400 INVALID_REQUEST")
        #expect(world.issuer.requests.count == count)
    }

    @Test func saysThatItIsThere() async throws {
        let answer = try await world.get("/health")
        #expect(answer.status == 200 && answer.text == "OK")
    }
}

extension World {
    /// Inserts the account of a record that the reference wrote, without a key.
    func insertOldAccount(_ username: String) async throws {
        let record = try ReferenceRecord.bytes(ReferenceRecord.old)
        try await accounts.insert(KeyshareAccount(username: username, language: "", coreData: record, lastSeen: 0))
    }
}
