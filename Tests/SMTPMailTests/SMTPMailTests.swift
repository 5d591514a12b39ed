#if SMTP && Server
import Foundation
import KeyshareServer
import MailTesting
import SMTPMail
import Testing

/// E-mail by SMTP, with a mail server on this machine.
@Suite(.timeLimit(.minutes(1))) struct SMTPMailTests {
    private static let time = Date(timeIntervalSince1970: 1_800_000_000)

    private func message(
        to recipients: String...,
        subject: String = "Verify",
        body: String = "<p>x</p>"
    ) throws -> MailMessage {
        try MailMessage(
            from: MailAddress("irma@example.org"),
            to: recipients.map { address throws(KeyshareServerError) in try MailAddress(address) },
            subject: subject,
            body: body
        )
    }

    private func sender(_ configuration: SMTPConfiguration) -> SMTPMailSender {
        SMTPMailSender(configuration, clock: { Self.time })
    }

    private func failure(_ body: () async throws -> Void) async -> KeyshareServerError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? KeyshareServerError
        }
    }

    @Test func sendsAMessage() async throws {
        let server = try await PlaySMTPServer()
        let body = String(repeating: "<p>Grüße</p>\n.\n", count: 20)
        let sent = try message(to: "a@example.org", subject: "Bestätigung", body: body)
        try await sender(SMTPConfiguration(server.address)).send(sent)
        let lines = server.lines
        #expect(lines.contains("MAIL FROM:<irma@example.org>") && lines.contains("RCPT TO:<a@example.org>"))
        #expect(lines.contains("To: a@example.org") && lines.contains("From: irma@example.org"))
        #expect(lines.contains("Date: Fri, 15 Jan 2027 08:00:00 +0000"))
        let subject = try #require(lines.first { $0.hasPrefix("Subject: ") })
        #expect(subject == "Subject: =?UTF-8?B?\(Data("Bestätigung".utf8).base64EncodedString())?=")
        let start = try #require(lines.firstIndex(of: ""))
        let text = lines[(start + 1)...].prefix { $0 != "QUIT" }
        #expect(text.allSatisfy { $0.count <= 76 })
        #expect(Data(base64Encoded: text.joined()) == Data(body.utf8))
        #expect(!lines.contains { $0.hasPrefix("AUTH") || $0 == "STARTTLS" })
        try await server.stop()
    }

    @Test func namesNoRecipientToOthers() async throws {
        let server = try await PlaySMTPServer()
        try await sender(SMTPConfiguration(server.address)).send(try message(to: "a@example.org", "b@example.org"))
        #expect(server.lines.filter { $0.hasPrefix("RCPT") }.count == 2)
        #expect(!server.lines.contains { $0.hasPrefix("To:") })
        try await server.stop()
    }

    @Test func usesTLSAndTheAccount() async throws {
        let server = try await PlaySMTPServer(.init(tlsName: "mail.example.org", hasAccounts: true))
        let configuration = try SMTPConfiguration(
            server.address,
            tlsName: "mail.example.org",
            credentials: .init(username: "user", password: "pass"),
            certificatesPath: server.certificatesPath
        )
        try await sender(configuration).check()
        #expect(!server.lines.contains { $0.hasPrefix("MAIL") })
        try await sender(configuration).send(try message(to: "a@example.org"))
        let account = Data("\0user\0pass".utf8).base64EncodedString()
        #expect(server.lines.contains { $0.hasPrefix("AUTH PLAIN") })
        #expect(server.lines.contains { $0.hasSuffix(account) })
        let start = try #require(server.lines.firstIndex(of: "STARTTLS"))
        #expect(server.lines.firstIndex { $0.hasPrefix("AUTH") }.map { $0 > start } == true)
        try await server.stop()
    }

    /// Without the account, and without a word about it.
    @Test(arguments: [
        PlaySMTPServer.Manners(hasAccounts: true),
        PlaySMTPServer.Manners(tlsName: "other.example.org", hasAccounts: true),
    ])
    func refusesAServerWithoutTheTLSThatIsDemanded(manners: PlaySMTPServer.Manners) async throws {
        let server = try await PlaySMTPServer(manners)
        let configuration = try SMTPConfiguration(
            server.address,
            tlsName: "mail.example.org",
            credentials: .init(username: "user", password: "secret-word"),
            certificatesPath: server.certificatesPath
        )
        for body in [
            { try await sender(configuration).check() },
            { try await sender(configuration).send(try message(to: "a@example.org")) },
        ] {
            let error = await failure(body)
            #expect(error?.code == .mailNotSent && !"\(String(describing: error))".contains("secret-word"))
        }
        #expect(!server.lines.contains { $0.hasPrefix("AUTH") || $0.hasPrefix("MAIL") })
        try await server.stop()
    }

    @Test func saysThatAMessageWasRefused() async throws {
        let server = try await PlaySMTPServer(.init(recipientReply: "550 unknown"))
        let sender = sender(try SMTPConfiguration(server.address))
        let error = await failure { try await sender.send(try message(to: "a@example.org")) }
        #expect(error?.code == .mailNotSent && error?.message.contains("550") == true)
        #expect(error?.message.contains("a@example.org") == false)
        try await server.stop()
        #expect(await failure { try await sender.check() }?.code == .mailNotSent)
    }

    /// libcurl's own limit leaves out the farewell, for which it waits two minutes.
    @Test func leavesAServerThatFallsSilent() async throws {
        let silent = try await PlaySMTPServer(.init(silence: .message))
        let sender = sender(try SMTPConfiguration(silent.address, timeout: .milliseconds(100)))
        let error = await failure { try await sender.send(try message(to: "a@example.org")) }
        #expect(
            error?.code == .mailNotSent && error?.message.contains("Timeout") == true,
            "\(String(describing: error))"
        )
        try await silent.stop()
        let parting = try await PlaySMTPServer(.init(silence: .farewell))
        let patient = self.sender(try SMTPConfiguration(parting.address, timeout: .seconds(5)))
        try await patient.send(try message(to: "a@example.org"))
        #expect(parting.lines.last == "QUIT")
        try await parting.stop()
    }

    /// Addresses of RFC 6531, and quoted ones, as they are.
    @Test(arguments: ["josé@example.org", "\"a b\"@example.org"])
    func sendsToUncommonAddresses(address: String) async throws {
        let server = try await PlaySMTPServer(.init(takesUnicode: true))
        try await sender(SMTPConfiguration(server.address)).send(try message(to: address))
        let recipient = server.lines.first { $0.hasPrefix("RCPT") }
        #expect(recipient == "RCPT TO:<\(address)>")
        #expect(server.lines.contains("To: \(address)"))
        try await server.stop()
    }

    @Test(arguments: [
        "", "localhost", "localhost:", "localhost:0", "localhost:70000", ":25", "a b:25", "a/b:25", "[x:25",
    ])
    func refusesFaultyAddresses(address: String) {
        #expect(throws: KeyshareServerError.self) { try SMTPConfiguration(address) }
    }

    /// Otherwise somebody in between could ask for the password.
    @Test func refusesAnAccountWithoutTLS() throws {
        let credentials = SMTPConfiguration.Credentials(username: "user", password: "pass")
        #expect(throws: KeyshareServerError.self) {
            try SMTPConfiguration("mail.example.org:587", credentials: credentials)
        }
        #expect(throws: KeyshareServerError.self) { try SMTPConfiguration("mail.example.org:587", tlsName: "a\r\nb") }
        _ = try SMTPConfiguration("mail.example.org:587", tlsName: "mail.example.org", credentials: credentials)
        _ = try SMTPConfiguration("localhost:25", credentials: credentials)
        _ = try SMTPConfiguration("[::1]:25", credentials: credentials)
    }
}
#endif
