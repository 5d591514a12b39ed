import CryptoCore
import IRMAMessages
import JOSEKit
import JSONKit
import KeyshareServer
import Testing

/// Logins with a challenge.
@Suite struct LoginTests {
    private let world: World

    init() throws {
        world = try World()
    }

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
        // Wallets tell the two apart by the message.
        let refusals = try await [phone.startLogin(expiresIn: -1), thief.startLogin(), thief.startLogin(expiresIn: -1)]
        let messages = try refusals.map { try RemoteError(decoding: $0.body).message ?? "" }
        let otherKey = "the token is not signed with the account's key"
        #expect(messages == ["the token is not valid now", otherKey, otherKey])
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
}
