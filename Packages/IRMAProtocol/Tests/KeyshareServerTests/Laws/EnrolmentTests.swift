import CryptoCore
import IRMAMessages
import JOSEKit
import JSONKit
import KeyshareServer
import KeyshareServerContracts
import Testing

/// Enrolment of wallets, and the renewal of their login attribute.
@Suite struct EnrolmentTests {
    private let world: World

    init() throws {
        world = try World()
    }

    @Test(arguments: AccountStoreLaw.all)
    func memoryKeeps(_ law: AccountStoreLaw) async throws {
        let store = MemoryKeyshareAccountStore()
        try await law.check([store, store])
    }

    @Test(arguments: EmailStoreLaw.all)
    func memoryKeeps(_ law: EmailStoreLaw) async throws {
        let store = MemoryKeyshareAccountStore()
        try await law.check([store, store])
    }

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
        let token = try await JWS.sign(wide.encoded(), header: JOSEHeader(type: "JWT"), with: key)
        #expect(try await register(token.compactSerialization()) == "400 INVALID_REQUEST")
        #expect(world.issuer.requests.isEmpty)
        #expect(try await register(good) == "200 -")
    }

    @Test func refusesEnrolmentsOutOfBounds() async throws {
        for pin in ["", String(repeating: "a", count: 65), "\0a", "a\0"] {
            #expect(try await Phone(world, pin: pin).register().outcome == "400 INVALID_REQUEST")
        }
        for language in [String(repeating: "n", count: 65), "e\0n"] {
            #expect(try await Phone(world).register(language: language).outcome == "400 INVALID_REQUEST")
        }
        // The form without a key, which the reference still takes.
        let bare: JSONValue = ["pin": "a", "language": "en"]
        #expect(try await world.post("/client/register", bare).outcome == "400 INVALID_REQUEST")
        #expect(world.issuer.requests.isEmpty)
    }

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
