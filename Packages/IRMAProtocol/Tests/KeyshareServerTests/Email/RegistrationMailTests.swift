import IRMAMessages
import JSONKit
import KeyshareServer
import Testing

/// The verification of addresses that wallets give when they enrol.
@Suite struct RegistrationMailTests {
    private let sender = RecordingMailSender()
    private let accounts = MemoryKeyshareAccountStore()
    private let world: World

    init() throws {
        world = try World(
            acceptsUnsignedMessages: true,
            accounts: accounts,
            registrationMail: try Self.mail(sender, accounts)
        )
    }

    private static func mail(
        _ sender: RecordingMailSender,
        _ accounts: MemoryKeyshareAccountStore,
        validity: Int64 = 168
    ) throws -> RegistrationMail {
        try RegistrationMail(
            Mailer(sender, from: MailAddress("irma@example.org")),
            texts: MailTexts(
                subjects: ["en": "Verify", "nl": "Bevestig"],
                bodies: ["en": "{{.VerificationURL}}", "nl": "nl {{.VerificationURL}}"],
                default: "en"
            ),
            links: LocalizedText(["en": "https://example.org/#verify="], default: "en"),
            tokens: accounts,
            validity: validity
        )
    }

    private var username: String? { world.issuer.requests.last?.credentials.first?.attributes["email"] }

    /// The token in the last message.
    private func token() throws -> String {
        let body = try #require(sender.messages.last).body
        return String(try #require(body.split(separator: "=").last))
    }

    @Test func mailsALinkThatVerifiesTheAddress() async throws {
        let answer = try await Phone(world).register(language: "nl", email: "a@example.org")
        #expect(answer.status == 200)
        let message = try #require(sender.messages.first)
        #expect(message.recipients.map(\.text) == ["a@example.org"] && message.sender.text == "irma@example.org")
        #expect(message.subject == "Bevestig" && message.body.hasPrefix("nl https://example.org/#verify="))
        let token = try token()
        #expect(token.utf8.count == 20 && token.allSatisfy { $0.isLetter || $0.isNumber })
        let name = try #require(username)
        #expect(try await accounts.summary(of: name, at: 0)?.emails.isEmpty == true)
        let end = world.time.seconds + 168 * 3600
        #expect(try await accounts.redeemVerificationToken(token, at: end + 1) == nil)
        #expect(try await accounts.redeemVerificationToken(token, at: end) == name)
        #expect(try await accounts.summary(of: name, at: 0)?.emails == [KeyshareEmail("a@example.org")])
    }

    @Test func takesEnrolmentsWithoutAnAddress() async throws {
        for email in [nil, ""] {
            #expect(try await Phone(world).register(email: email).status == 200)
        }
        let unsigned: JSONValue = ["pin": "cGlu", "email": "b@example.org", "language": "de"]
        #expect(try await world.post("/client/register", unsigned).status == 200)
        // The text in the default language stands in.
        #expect(sender.messages.map(\.subject) == ["Verify"])
    }

    @Test(arguments: ["a", "a@example.org\r\nBcc: b@example.org", "Alice <a@example.org>"])
    func refusesWhatIsNoAddress(email: String) async throws {
        #expect(try await Phone(world).register(email: email).outcome == "400 INVALID_REQUEST")
        #expect(sender.messages.isEmpty && world.issuer.requests.isEmpty)
    }

    /// A server without a mail server keeps no address, whatever it is.
    @Test func ignoresAddressesWithoutAMailServer() async throws {
        let world = try World(accounts: accounts)
        #expect(try await Phone(world).register(email: "no address").status == 200)
    }

    @Test func mailsThreeLinksToAnAddressInAnHour() async throws {
        for _ in 0..<3 { #expect(try await Phone(world).register(email: "a@example.org").status == 200) }
        let count = world.issuer.requests.count
        #expect(try await Phone(world).register(email: "a@example.org").outcome == "429 TOO_MANY_REQUESTS")
        #expect(sender.messages.count == 3 && world.issuer.requests.count == count)
        #expect(try await Phone(world).register(email: "b@example.org").status == 200)
        world.time.advance(by: 3600)
        #expect(try await Phone(world).register(email: "a@example.org").status == 200)
    }

    @Test func deletesAnAccountWhoseLinkWasNotMailed() async throws {
        sender.breakDown()
        #expect(try await Phone(world).register(email: "a@example.org").outcome == "500 INTERNAL_ERROR")
        #expect(world.issuer.requests.isEmpty)
        // Nor does its token count.
        sender.breakDown(false)
        for _ in 0..<3 { #expect(try await Phone(world).register(email: "a@example.org").status == 200) }
    }

    @Test(arguments: [0, 8761, -1, Int64.max])
    func refusesValiditiesOutOfRange(validity: Int64) {
        let error = #expect(throws: KeyshareServerError.self) {
            try Self.mail(sender, accounts, validity: validity)
        }
        #expect(error?.code == .invalidConfiguration)
    }
}
