import Foundation
import KeyshareServer
import Testing

/// The periodic tasks.
@Suite struct KeyshareTasksTests {
    private let day: Int64 = 86_400
    private let sender = RecordingMailSender()
    private let accounts = MemoryKeyshareAccountStore()
    private let time = TestTime()

    private func tasks(sendsMail: Bool = true, expiryDelay: Int64 = 365) throws -> KeyshareTasks {
        let mail = KeyshareTasks.ExpiryMail(
            Mailer(sender, from: try MailAddress("irma@example.org")),
            texts: try MailTexts(
                subjects: ["en": "Unused", "nl": "Ongebruikt"],
                bodies: ["en": "{{.Username}} {{.Email}} {{.Delay}}"],
                default: "en"
            )
        )
        return try KeyshareTasks(
            accounts: accounts,
            expiryMail: sendsMail ? mail : nil,
            expiryDelay: expiryDelay,
            clock: { [time] in time.date }
        )
    }

    /// Inserts an account that was last used so many days ago.
    private func insert(_ name: String, unusedFor days: Int64, emails: String...) async throws {
        let account = KeyshareAccount(
            username: name,
            language: "nl",
            coreData: [1],
            lastSeen: time.seconds - days * day
        )
        try await accounts.insert(account)
        for email in emails { try await accounts.addEmail(email, to: name) }
    }

    @Test func tellsUsersBeforeTheirAccountsAreDeleted() async throws {
        try await insert("old", unusedFor: 366, emails: "a@example.org", "b@example.org")
        try await insert("recent", unusedFor: 364, emails: "c@example.org")
        try await insert("without an address", unusedFor: 4000)
        let report = try await tasks().run()
        #expect(report.failures.isEmpty && report.expiredCount == 1 && report.passedOverCount == 0)
        let message = try #require(sender.messages.first)
        #expect(sender.messages.count == 1 && message.subject == "Ongebruikt")
        #expect(message.recipients.map(\.text) == ["a@example.org", "b@example.org"])
        #expect(message.body == "old a@example.org, b@example.org 30")
        let account = try #require(try await accounts.account(named: "old")).account
        #expect(account.deleteOn == time.seconds + 30 * day)
        #expect(try await accounts.account(named: "recent")?.account.deleteOn == nil)

        // The next day, nobody is told again.
        time.advance(by: 3600)
        _ = try await tasks().run()
        #expect(sender.messages.count == 1)
        time.advance(by: TimeInterval(30 * day))
        _ = try await tasks().run()
        #expect(try await accounts.summary(of: "old", at: 0) == nil)
        #expect(try await accounts.account(named: "without an address") != nil)
    }

    @Test func keepsAnAccountThatIsUsedAgain() async throws {
        try await insert("old", unusedFor: 400, emails: "a@example.org")
        _ = try await tasks().run()
        try await accounts.markSeen("old", at: time.seconds + day)
        time.advance(by: TimeInterval(31 * day))
        _ = try await tasks().run()
        #expect(try await accounts.account(named: "old")?.account.deleteOn == nil)
    }

    @Test func keepsAccountsWhoseUsersCannotBeTold() async throws {
        try await insert("old", unusedFor: 400, emails: "a@example.org")
        sender.breakDown()
        let report = try await tasks().run()
        #expect(report.failures.map(\.task) == [.expireUnusedAccounts] && report.expiredCount == 0)
        #expect(report.failures.first?.error.code == .mailNotSent)
        #expect(try await accounts.account(named: "old")?.account.deleteOn == nil)
        sender.breakDown(false)
        // Without a mail server, too.
        #expect(try await tasks(sendsMail: false).run().expiredCount == 0)
        #expect(try await accounts.account(named: "old")?.account.deleteOn == nil)
        #expect(try await tasks().run().expiredCount == 1)
    }

    /// A mailbox that is gone keeps nobody else from being told.
    @Test func goesOnBehindAnAddressThatTakesNoMail() async throws {
        for number in 0..<12 { try await insert("\(number)", unusedFor: 400, emails: RecordingMailSender.dead) }
        try await insert("alice", unusedFor: 400, emails: "a@example.org")
        let report = try await tasks().run()
        #expect(report.unsentCount == 12 && report.expiredCount == 1)
        #expect(report.failures.map(\.task) == [.expireUnusedAccounts])
        #expect(try await accounts.account(named: "alice")?.account.deleteOn != nil)
        #expect(try await accounts.account(named: "0")?.account.deleteOn == nil)
    }

    /// The reference's servers took other addresses than this one sends to.
    @Test func passesOverAddressesThatAreNone() async throws {
        try await insert("odd", unusedFor: 400, emails: "Alice <a@example.org>")
        try await insert("half", unusedFor: 400, emails: "x", "b@example.org")
        let report = try await tasks().run()
        #expect(report.passedOverCount == 1 && report.expiredCount == 1 && report.failures.isEmpty)
        #expect(sender.messages.map { $0.recipients.map(\.text) } == [["b@example.org"]])
    }

    @Test func tellsTenUsersAtATime() async throws {
        for number in 0..<11 { try await insert("\(number)", unusedFor: 400, emails: "\(number)@example.org") }
        #expect(try await tasks().run().expiredCount == 10)
        #expect(try await tasks().run().expiredCount == 1)
        #expect(Set(sender.messages.flatMap(\.recipients)).count == 11)
    }

    @Test func deletesWhatHasExpired() async throws {
        try await insert("alice", unusedFor: 0, emails: "a@example.org", "b@example.org")
        let now = time.seconds
        _ = try await accounts.scheduleDeletion(ofEmail: "b@example.org", of: "alice", on: now)
        try await insert("deleted", unusedFor: 0)
        _ = try await accounts.scheduleDeletion(of: "deleted", on: now)
        let token = KeyshareEmailToken("x", for: "a@example.org", expiry: now)
        try await accounts.insertVerificationToken(token, of: "alice", limit: .verification)
        time.advance(by: 1)
        #expect(try await tasks(sendsMail: false).run().failures.isEmpty)
        #expect(try await accounts.summary(of: "alice", at: 0)?.emails.map(\.address) == ["a@example.org"])
        #expect(try await accounts.summary(of: "deleted", at: 0) == nil)
        #expect(try await accounts.redeemVerificationToken("x", at: 0) == nil)
    }

    @Test(arguments: [0, 36_501, Int64.min, Int64.max])
    func refusesDaysOutOfRange(days: Int64) {
        let error = #expect(throws: KeyshareServerError.self) { try tasks(expiryDelay: days) }
        #expect(error?.code == .invalidConfiguration)
    }
}
