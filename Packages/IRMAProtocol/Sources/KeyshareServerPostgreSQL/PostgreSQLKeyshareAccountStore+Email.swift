#if PostgreSQL
public import KeyshareServer

extension PostgreSQLKeyshareAccountStore: KeyshareEmailStore {
    /// Keeps a token that verifies an address of an account.
    public func insertVerificationToken(
        _ token: KeyshareEmailToken,
        of username: String,
        limit: KeyshareTokenLimit
    ) async throws(KeyshareServerError) {
        try token.checkSizes()
        guard KeyshareAccount.isName(username) else { throw .unknownAccount }
        try await transaction(.change) { db in
            try EmailStatements.insertVerificationToken(db, token, of: username, limit: limit)
        }
    }

    /// Adds the address that a token verifies to its account, and deletes the token.
    public func redeemVerificationToken(
        _ token: String,
        at now: Int64
    ) async throws(KeyshareServerError) -> String? {
        guard KeyshareEmailToken.isToken(token) else { return nil }
        return try await transaction(.change) { db in try EmailStatements.redeemVerificationToken(db, token, at: now) }
    }

    /// Keeps a token that logs in to the accounts of an address.
    public func insertLoginToken(
        _ token: KeyshareEmailToken,
        limit: KeyshareTokenLimit,
        at now: Int64
    ) async throws(KeyshareServerError) {
        try token.checkSizes()
        try await transaction(.change) { db in try EmailStatements.insertLoginToken(db, token, limit: limit, at: now) }
    }

    /// The accounts that a token logs in to; none for a token that is unknown or has expired.
    public func loginCandidates(
        _ token: String,
        at now: Int64
    ) async throws(KeyshareServerError) -> [KeyshareLoginCandidate] {
        guard KeyshareEmailToken.isToken(token) else { return [] }
        return try await transaction(.read) { db in try EmailStatements.loginCandidates(db, token, at: now) }
    }

    /// Deletes a token that logs in to an account.
    public func redeemLoginToken(
        _ token: String,
        for username: String,
        at now: Int64
    ) async throws(KeyshareServerError) -> Bool {
        guard KeyshareEmailToken.isToken(token), KeyshareAccount.isName(username) else { return false }
        return try await transaction(.change) { db in
            try EmailStatements.redeemLoginToken(db, token, for: username, at: now)
        }
    }

    /// The account with a name, also without secrets; nil for an unknown one.
    public func summary(
        of username: String,
        at now: Int64
    ) async throws(KeyshareServerError) -> KeyshareAccountSummary? {
        guard KeyshareAccount.isName(username) else { return nil }
        return try await transaction(.read) { db in try UpkeepStatements.summary(db, of: username, at: now) }
    }

    /// Notes an account's use, which takes the deletion of an unused one back.
    @discardableResult
    public func markSeen(_ username: String, at now: Int64) async throws(KeyshareServerError) -> Bool {
        guard KeyshareAccount.isName(username) else { return false }
        return try await transaction(.change) { db in try UpkeepStatements.markSeen(db, username, at: now) }
    }

    /// Adds an address to an account, or takes its deletion back.
    public func addEmail(_ address: String, to username: String) async throws(KeyshareServerError) {
        try KeyshareEmail.check(address)
        guard KeyshareAccount.isName(username) else { throw .unknownAccount }
        try await transaction(.change) { db in try EmailStatements.addEmail(db, address, to: username) }
    }

    /// Lets an address of an account be deleted at a time.
    public func scheduleDeletion(
        ofEmail address: String,
        of username: String,
        on time: Int64
    ) async throws(KeyshareServerError) -> Bool {
        guard KeyshareAccount.isName(address), KeyshareAccount.isName(username) else { return false }
        return try await transaction(.change) { db in
            try EmailStatements.scheduleDeletion(db, ofEmail: address, of: username, on: time)
        }
    }

    /// Deletes the secrets of an account at once, and lets the rest of it be deleted at a time.
    public func scheduleDeletion(of username: String, on time: Int64) async throws(KeyshareServerError) -> Bool {
        guard KeyshareAccount.isName(username) else { return false }
        return try await transaction(.change) { db in try UpkeepStatements.scheduleDeletion(db, of: username, on: time)
        }
    }

    /// Deletes the tokens that have expired.
    public func deleteExpiredTokens(at now: Int64) async throws(KeyshareServerError) {
        try await transaction(.change) { db in try UpkeepStatements.deleteExpiredTokens(db, at: now) }
    }

    /// Deletes the addresses whose time of deletion has passed.
    public func deleteExpiredEmails(at now: Int64) async throws(KeyshareServerError) {
        try await transaction(.change) { db in try UpkeepStatements.deleteExpiredEmails(db, at: now) }
    }

    /// Deletes the accounts whose time of deletion has passed, without secrets or unused in the time before it.
    public func deleteExpiredAccounts(at now: Int64, unusedFor delay: Int64) async throws(KeyshareServerError) {
        try await transaction(.change) { db in try UpkeepStatements.deleteExpiredAccounts(db, at: now, unusedFor: delay)
        }
    }

    /// Accounts that were last used before a time, have addresses to write to and are not being deleted.
    public func unusedAccounts(
        since time: Int64,
        atMost count: Int
    ) async throws(KeyshareServerError) -> [KeyshareAccountSummary] {
        try await transaction(.read) { db in try UpkeepStatements.unusedAccounts(db, since: time, atMost: max(0, count))
        }
    }

    /// Lets an account be deleted at a time, unless it was used after another, or is being deleted.
    public func scheduleDeletion(
        ofUnused username: String,
        since lastUse: Int64,
        on time: Int64
    ) async throws(KeyshareServerError) -> Bool {
        guard KeyshareAccount.isName(username) else { return false }
        return try await transaction(.change) { db in
            try UpkeepStatements.scheduleDeletion(db, ofUnused: username, since: lastUse, on: time)
        }
    }
}
#endif
