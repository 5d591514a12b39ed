#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The periodic tasks of a keyshare server, to be run once a day or more often.
///
/// ```swift
/// let report = try await KeyshareTasks(accounts: accounts, expiryMail: mail).run()
/// for (task, error) in report.failures { log(task, error) }
/// ```
///
/// Accounts that were not used for a year get an e-mail, and are deleted a month later unless they are used until then. An account
/// without an address is kept, since its user cannot be notified.
public struct KeyshareTasks: Sendable {
    /// The e-mail that tells a user of the deletion of an unused account.
    public struct ExpiryMail: Sendable {
        let mailer: Mailer
        let texts: MailTexts

        /// An e-mail.
        ///
        /// - Parameters:
        ///   - mailer: Sends the e-mail.
        ///   - texts: The e-mail, with the variables ``MailTemplate/Variable/username``, ``MailTemplate/Variable/email`` and
        ///     ``MailTemplate/Variable/delay``.
        public init(_ mailer: Mailer, texts: MailTexts) {
            self.mailer = mailer
            self.texts = texts
        }
    }

    /// A task.
    public enum Name: String, CaseIterable, Sendable {
        /// Deletes addresses whose time of deletion has passed.
        case deleteExpiredEmails
        /// Deletes tokens that have expired.
        case deleteExpiredTokens
        /// Deletes accounts whose time of deletion has passed.
        case deleteExpiredAccounts
        /// Writes to the users of unused accounts, and lets those be deleted.
        case expireUnusedAccounts
    }

    /// The outcome of a run.
    public struct Report: Sendable {
        /// The number of accounts whose users were told of the deletion.
        public internal(set) var expiredCount = 0
        /// The number of unused accounts that were passed over, since none of their addresses is one.
        public internal(set) var passedOverCount = 0
        /// The number of unused accounts that are kept, since the mail server did not take the e-mail to their addresses.
        public internal(set) var unsentCount = 0
        /// The tasks that failed, with the reasons; of several e-mails that could not be sent, the first reason.
        public internal(set) var failures: [(task: Name, error: KeyshareServerError)] = []
    }

    /// The largest number of accounts that are told in a run: more messages at once look like unwanted ones.
    public static let maximumExpiryCount = 10
    /// The largest number of accounts that are looked at in a run: some may have no address that takes mail.
    public static let maximumAttempts = 100
    private static let day: Int64 = 86_400

    private let accounts: any KeyshareEmailStore
    private let expiryMail: ExpiryMail?
    private let expiryDelay: Int64
    private let deleteDelay: Int64
    private let clock: @Sendable () -> Date

    /// The tasks.
    ///
    /// - Parameters:
    ///   - accounts: The accounts.
    ///   - expiryMail: The e-mail to users of unused accounts; `nil` to keep those accounts.
    ///   - expiryDelay: The days without use after which the user is told that the account will be deleted: 365, from 1 to 36,500.
    ///   - deleteDelay: The days from then on after which it is deleted: 30, from 1 to 36,500.
    ///   - clock: Gives the time.
    /// - Throws: ``KeyshareServerError/Code-swift.struct/invalidConfiguration`` for days out of range.
    public init(
        accounts: any KeyshareEmailStore,
        expiryMail: ExpiryMail?,
        expiryDelay: Int64 = 365,
        deleteDelay: Int64 = 30,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) throws(KeyshareServerError) {
        for (name, days) in [("expiryDelay", expiryDelay), ("deleteDelay", deleteDelay)] {
            guard (1...36_500).contains(days) else {
                throw KeyshareServerError(.invalidConfiguration, "\(days) days", path: [name])
            }
        }
        self.accounts = accounts
        self.expiryMail = expiryMail
        self.expiryDelay = expiryDelay
        self.deleteDelay = deleteDelay
        self.clock = clock
    }

    /// Runs each task once, even if another fails.
    public func run() async -> Report {
        var report = Report()
        let now = Int64(clock().timeIntervalSince1970.rounded(.down))
        for task in Name.allCases {
            do throws(KeyshareServerError) {
                try await run(task, at: now, &report)
            } catch {
                report.failures.append((task, error))
            }
        }
        return report
    }

    private func run(_ task: Name, at now: Int64, _ report: inout Report) async throws(KeyshareServerError) {
        switch task {
        case .deleteExpiredEmails: try await accounts.deleteExpiredEmails(at: now)
        case .deleteExpiredTokens: try await accounts.deleteExpiredTokens(at: now)
        case .deleteExpiredAccounts:
            try await accounts.deleteExpiredAccounts(at: now, unusedFor: deleteDelay * Self.day)
        case .expireUnusedAccounts:
            if let expiryMail { try await expireUnusedAccounts(expiryMail, at: now, &report) }
        }
    }

    /// Writes to the users of unused accounts.
    ///
    /// One whose mail is refused keeps none of the others waiting.
    private func expireUnusedAccounts(
        _ mail: ExpiryMail,
        at now: Int64,
        _ report: inout Report
    ) async throws(KeyshareServerError) {
        let lastUse = now - expiryDelay * Self.day
        var failure: KeyshareServerError?
        for account in try await accounts.unusedAccounts(since: lastUse, atMost: Self.maximumAttempts) {
            guard report.expiredCount < Self.maximumExpiryCount else { break }
            do throws(KeyshareServerError) {
                try await expire(account, mail, since: lastUse, at: now, &report)
            } catch {
                guard error.code == .mailNotSent else { throw error }
                report.unsentCount += 1
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Writes to the user of an account, then lets it be deleted: no account is deleted without notice.
    private func expire(
        _ account: KeyshareAccountSummary,
        _ mail: ExpiryMail,
        since lastUse: Int64,
        at now: Int64,
        _ report: inout Report
    ) async throws(KeyshareServerError) {
        let addresses = account.emails.compactMap { try? MailAddress($0.address) }
        guard !addresses.isEmpty else {
            report.passedOverCount += 1
            return
        }
        try await mail.mailer.send(
            mail.texts,
            to: addresses,
            in: account.language,
            [
                .username: account.username, .email: addresses.map(\.text).joined(separator: ", "),
                .delay: "\(deleteDelay)",
            ]
        )
        let isScheduled = try await accounts.scheduleDeletion(
            ofUnused: account.username,
            since: lastUse,
            on: now + deleteDelay * Self.day
        )
        if isScheduled { report.expiredCount += 1 }
    }
}
