import CryptoCore
import Synchronization

extension MemoryKeyshareAccountStore: KeyshareEmailStore {
    /// Keeps a token that verifies an address of an account.
    public func insertVerificationToken(
        _ token: KeyshareEmailToken,
        of username: String,
        limit: KeyshareTokenLimit
    ) async throws(KeyshareServerError) {
        try token.checkSizes()
        try state.withLock { state throws(KeyshareServerError) in
            guard let row = state.rows[Array(username.utf8)] else { throw .unknownAccount }
            try Self.check(token, limit, among: state.verifications.map(\.token))
            state.verifications.append((token, row.id))
        }
    }

    /// Adds the address that a token verifies to its account, and deletes the token.
    public func redeemVerificationToken(
        _ token: String,
        at now: Int64
    ) async throws(KeyshareServerError) -> String? {
        state.withLock { state in
            guard let position = state.verifications.firstIndex(where: { $0.token.isValid(token, at: now) }) else {
                return nil
            }
            let found = state.verifications.remove(at: position)
            guard let name = state.rows.first(where: { $0.value.id == found.account })?.key else { return nil }
            state.rows[name]?.add(found.token.address)
            return state.rows[name]?.stored.account.username
        }
    }

    /// Keeps a token that logs in to the accounts of an address.
    public func insertLoginToken(
        _ token: KeyshareEmailToken,
        limit: KeyshareTokenLimit,
        at now: Int64
    ) async throws(KeyshareServerError) {
        try token.checkSizes()
        try state.withLock { state throws(KeyshareServerError) in
            guard state.rows.values.contains(where: { $0.has(token.address, at: now) }) else {
                throw KeyshareServerError(.addressNotFound, "an address of no account")
            }
            try Self.check(token, limit, among: state.logins)
            state.logins.append(token)
        }
    }

    /// The accounts that a token logs in to; none for a token that is unknown or has expired.
    public func loginCandidates(
        _ token: String,
        at now: Int64
    ) async throws(KeyshareServerError) -> [KeyshareLoginCandidate] {
        state.withLock { state in
            guard let found = state.logins.first(where: { $0.isValid(token, at: now) }) else { return [] }
            return state.rows.values.filter { $0.has(found.address, at: now) }.sorted { $0.id < $1.id }.map { row in
                KeyshareLoginCandidate(username: row.stored.account.username, lastSeen: row.stored.account.lastSeen)
            }
        }
    }

    /// Deletes a token that logs in to an account.
    public func redeemLoginToken(
        _ token: String,
        for username: String,
        at now: Int64
    ) async throws(KeyshareServerError) -> Bool {
        state.withLock { state in
            guard let position = state.logins.firstIndex(where: { $0.isValid(token, at: now) }),
                state.rows[Array(username.utf8)]?.has(state.logins[position].address, at: now) == true
            else { return false }
            state.logins.remove(at: position)
            return true
        }
    }

    /// The account with a name, also without secrets; nil for an unknown one.
    public func summary(
        of username: String,
        at now: Int64
    ) async throws(KeyshareServerError) -> KeyshareAccountSummary? {
        state.withLock { $0.rows[Array(username.utf8)]?.summary { $0.isThere(at: now) } }
    }

    /// Notes an account's use, which takes the deletion of an unused one back.
    @discardableResult
    public func markSeen(_ username: String, at now: Int64) async throws(KeyshareServerError) -> Bool {
        change(username) { row in
            var account = row.stored.account
            account.lastSeen = now
            if row.hasSecrets { account.deleteOn = nil }
            row.replace(account)
            return true
        }
    }

    /// Adds an address to an account, or takes its deletion back.
    public func addEmail(_ address: String, to username: String) async throws(KeyshareServerError) {
        try KeyshareEmail.check(address)
        let isKnown = change(username) { row in
            row.add(address)
            return true
        }
        guard isKnown else { throw .unknownAccount }
    }

    /// Lets an address of an account be deleted at a time.
    public func scheduleDeletion(
        ofEmail address: String,
        of username: String,
        on time: Int64
    ) async throws(KeyshareServerError) -> Bool {
        change(username) { row in
            guard let position = row.position(of: address), row.emails[position].deleteOn == nil else { return false }
            let email = row.emails[position]
            row.emails[position] = KeyshareEmail(email.address, revalidateOn: email.revalidateOn, deleteOn: time)
            return true
        }
    }

    /// Deletes the secrets of an account at once, and lets the rest of it be deleted at a time.
    public func scheduleDeletion(of username: String, on time: Int64) async throws(KeyshareServerError) -> Bool {
        change(username) { row in
            guard row.hasSecrets else { return false }
            var account = row.stored.account
            account.coreData = []
            account.deleteOn = time
            row.replace(account)
            row.hasSecrets = false
            return true
        }
    }

    /// Deletes the tokens that have expired.
    public func deleteExpiredTokens(at now: Int64) async throws(KeyshareServerError) {
        state.withLock { state in
            state.logins.removeAll { $0.expiry < now }
            state.verifications.removeAll { $0.token.expiry < now }
        }
    }

    /// Deletes the addresses whose time of deletion has passed.
    public func deleteExpiredEmails(at now: Int64) async throws(KeyshareServerError) {
        state.withLock { state in
            for name in state.rows.keys { state.rows[name]?.emails.removeAll { !$0.isThere(at: now) } }
        }
    }

    /// Deletes the accounts whose time of deletion has passed, without secrets or unused in the time before it.
    public func deleteExpiredAccounts(at now: Int64, unusedFor delay: Int64) async throws(KeyshareServerError) {
        state.withLock { state in
            for (name, row) in state.rows {
                guard let deleteOn = row.stored.account.deleteOn, deleteOn < now else { continue }
                let isUnused = row.stored.account.lastSeen < deleteOn.subtractingReportingOverflow(delay).partialValue
                if !row.hasSecrets || isUnused { _ = state.remove(name) }
            }
        }
    }

    /// Accounts that were last used before a time, have addresses to write to and are not being deleted.
    public func unusedAccounts(
        since time: Int64,
        atMost count: Int
    ) async throws(KeyshareServerError) -> [KeyshareAccountSummary] {
        let rows = state.withLock { state in
            state.rows.values.filter { row in
                row.stored.account.lastSeen < time && row.stored.account.deleteOn == nil && !row.emails.isEmpty
                    && row.emails.allSatisfy { $0.revalidateOn == nil }
            }
        }
        return rows.sorted { $0.id < $1.id }.prefix(max(0, count)).map { $0.summary { _ in true } }
    }

    /// Lets an account be deleted at a time, unless it was used after another, or is being deleted.
    public func scheduleDeletion(
        ofUnused username: String,
        since lastUse: Int64,
        on time: Int64
    ) async throws(KeyshareServerError) -> Bool {
        change(username) { row in
            var account = row.stored.account
            guard account.deleteOn == nil, account.lastSeen < lastUse else { return false }
            account.deleteOn = time
            row.replace(account)
            return true
        }
    }

    /// Changes a row; false for an unknown account.
    private func change(_ username: String, _ body: (inout Row) -> Bool) -> Bool {
        state.withLock { state in
            let name = Array(username.utf8)
            guard var row = state.rows[name] else { return false }
            defer { state.rows[name] = row }
            return body(&row)
        }
    }

    private static func check(
        _ token: KeyshareEmailToken,
        _ limit: KeyshareTokenLimit,
        among tokens: [KeyshareEmailToken]
    ) throws(KeyshareServerError) {
        let count = tokens.count { other in
            other.address.utf8.elementsEqual(token.address.utf8) && other.expiry > token.expiry - limit.interval
        }
        guard count < limit.count else {
            throw KeyshareServerError(.tooManyTokens, "\(count) tokens were mailed to the address")
        }
    }
}

extension MemoryKeyshareAccountStore.Row {
    fileprivate func summary(_ isShown: (KeyshareEmail) -> Bool) -> KeyshareAccountSummary {
        KeyshareAccountSummary(
            username: stored.account.username,
            language: stored.account.language,
            emails: emails.filter(isShown),
            isBeingDeleted: !hasSecrets
        )
    }

    fileprivate func has(_ address: String, at now: Int64) -> Bool {
        position(of: address).map { emails[$0].isThere(at: now) } ?? false
    }

    fileprivate func position(of address: String) -> Int? {
        emails.firstIndex { $0.address.utf8.elementsEqual(address.utf8) }
    }

    fileprivate mutating func add(_ address: String) {
        guard let position = position(of: address) else { return emails.append(KeyshareEmail(address)) }
        emails[position] = KeyshareEmail(address, revalidateOn: emails[position].revalidateOn)
    }
}

extension KeyshareEmail {
    fileprivate func isThere(at now: Int64) -> Bool { deleteOn.map { $0 >= now } ?? true }
}

extension KeyshareEmailToken {
    fileprivate func isValid(_ text: String, at now: Int64) -> Bool {
        expiry >= now && constantTimeEqual(Array(token.utf8), Array(text.utf8))
    }
}
