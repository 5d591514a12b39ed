import IRMAMessages
import JSONKit
import KeyshareServer
import Testing

/// Enrolments and changes of the PIN of wallets that have no key.
@Suite struct UnsignedMessageTests {
    private let world: World

    init() throws {
        world = try World(acceptsUnsignedMessages: true)
    }

    private func login(_ username: String, _ pin: String) async throws -> String {
        let message = KeyshareLoginResponse(id: username, pin: pin, token: nil).json()
        return try .pin(await world.post("/users/verify/pin", message))
    }

    private func change(_ username: String, _ old: String, _ new: String) async throws -> World.Answer {
        let claims = KeysharePINChangeClaims(id: username, oldPIN: old, newPIN: new).json()
        return try await world.post("/users/change/pin", claims)
    }

    /// The account of a wallet without a key.
    private func enrolled(_ body: JSONValue = ["pin": "a\n", "language": "nl"]) async throws -> String {
        let answer = try await world.post("/client/register", body)
        #expect(answer.json == ["u": "https://irma.example/session/abc", "irmaqr": "issuing"])
        return try #require(world.issuer.requests.last?.credentials.first?.attributes["email"])
    }

    @Test(
        arguments: [
            ["pin": "a\n", "language": "nl"], ["pin": "a\n", "email": "a@example.com"],
            ["pin": "a\n", "enrollment_jwt": "", "publickey": nil],
        ] as [JSONValue]
    )
    func enrolsWithoutAKey(body: JSONValue) async throws {
        let username = try await enrolled(body)
        let stored = try #require(try await world.accounts.account(named: username)).account
        #expect(stored.language == body["language"]?.stringValue ?? "")
        #expect(try await login(username, "b\n") == "failure 2")
        #expect(try await login(username, "a\n") == "success")
        // The wallet may get a key later.
        let phone = try Phone(world, username: username, pin: "a\n")
        #expect(try .pin(await phone.registerKey()) == "success")
        #expect(try .pin(await phone.login()) == "success")
    }

    @Test func changesThePINOfAnAccountWithoutAKey() async throws {
        let username = try await enrolled()
        #expect(try .pin(await change(username, "x\n", "b\n")) == "failure 2")
        #expect(try .pin(await change(username, "a\n", "b\n")) == "success")
        #expect(try await login(username, "b\n") == "success")
        for _ in 0..<2 { _ = try await change(username, "a\n", "c\n") }
        // A third wrong one blocks, and then the right one is refused, too.
        #expect(try .pin(await change(username, "a\n", "c\n")) == "error 60")
        #expect(try .pin(await change(username, "b\n", "c\n")) == "error 60")
    }

    @Test func keysHaveToSign() async throws {
        let phone = try await Phone.enrolled(at: world)
        #expect(try await change(phone.username, phone.pin, "b\n").outcome == "403 UNEXPECTED_REQUEST")
        #expect(try .pin(await phone.changePIN(from: phone.pin, to: "b\n")) == "success")
        #expect(try await change("doesnotexist", "a\n", "b\n").outcome == "403 USER_NOT_REGISTERED")
        let bodies: [JSONValue] = [
            ["pin": "a\n", "publickey": "AAEC"], ["language": "en"], ["pin": ""], ["pin": 5], [],
            ["pin": "a\n", "language": "e\0n"], ["pin": "a\n", "enrollment_jwt": "x"],
        ]
        for body in bodies {
            #expect(try await world.post("/client/register", body).outcome == "400 INVALID_REQUEST", "\(body)")
        }
        for body: JSONValue in [["id": "a", "oldpin": "b"], ["id": "a", "oldpin": "b", "newpin": "c", "jwt": "x"]] {
            let outcome = try await world.post("/users/change/pin", body).outcome
            #expect(["400 INVALID_REQUEST", "403 USER_NOT_REGISTERED"].contains(outcome), "\(body)")
        }
    }

    @Test func strictServersTakeNoUnsignedMessages() async throws {
        let strict = try World(sharing: world)
        let username = try await enrolled()
        let claims = KeysharePINChangeClaims(id: username, oldPIN: "a\n", newPIN: "b\n").json()
        #expect(try await strict.post("/users/change/pin", claims).outcome == "400 INVALID_REQUEST")
        #expect(try await login(username, "a\n") == "success")
    }
}
