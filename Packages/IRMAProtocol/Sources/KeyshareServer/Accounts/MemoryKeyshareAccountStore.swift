import Synchronization

/// Accounts in the memory of one process, lost with it: for tests and demonstrations.
public final class MemoryKeyshareAccountStore: KeyshareAccountStore {
    struct Row {
        var stored: StoredKeyshareAccount
        var events: [KeyshareAccountEvent] = []
        var emails: [KeyshareEmail] = []
        /// False for an account whose secrets were deleted.
        var hasSecrets = true

        var id: Int64 { stored.version.id }
        var name: [UInt8] { Array(stored.account.username.utf8) }

        /// Replaces the account, and with it the version.
        mutating func replace(_ account: KeyshareAccount) {
            let version = KeyshareAccountVersion(id: id, number: stored.version.number + 1)
            stored = StoredKeyshareAccount(account, version: version)
        }
    }

    struct State {
        var rows: [[UInt8]: Row] = [:]
        var lastID: Int64 = 0
        /// Tokens that verify an address, with the identifiers of their accounts.
        var verifications: [(token: KeyshareEmailToken, account: Int64)] = []
        /// Tokens that log in.
        var logins: [KeyshareEmailToken] = []
    }

    /// The number of events that are kept of an account.
    private static let maximumEvents = 1000

    let state = Mutex(State())

    /// An empty store.
    public init() {}

    /// Inserts an account.
    public func insert(_ account: KeyshareAccount) async throws(KeyshareServerError) {
        try account.checkSizes()
        let isNew = state.withLock { state in
            let name = Array(account.username.utf8)
            guard state.rows[name] == nil else { return false }
            state.lastID += 1
            let version = KeyshareAccountVersion(id: state.lastID, number: 1)
            state.rows[name] = Row(stored: StoredKeyshareAccount(account, version: version))
            return true
        }
        guard isNew else { throw KeyshareServerError(.nameTaken, "an account with the name exists") }
    }

    /// The account with a name, or nil.
    public func account(named username: String) async throws(KeyshareServerError) -> StoredKeyshareAccount? {
        state.withLock { state in
            guard let row = state.rows[Array(username.utf8)], row.hasSecrets else { return nil }
            return row.stored
        }
    }

    /// Replaces the fields of an account, if its version is still the one that was read.
    @discardableResult
    public func update(
        _ account: StoredKeyshareAccount,
        recording events: [KeyshareAccountEvent]
    ) async throws(KeyshareServerError) -> StoredKeyshareAccount {
        try account.account.checkSizes()
        let name = Array(account.account.username.utf8)
        return try state.withLock { state throws(KeyshareServerError) in
            guard var row = state.rows[name], row.hasSecrets else {
                throw KeyshareServerError(.accountNotFound, "no account to update")
            }
            guard row.stored.version == account.version else {
                throw KeyshareServerError(.conflict, "the account was changed")
            }
            row.replace(account.account)
            row.events += events
            row.events.removeFirst(max(0, row.events.count - Self.maximumEvents))
            state.rows[name] = row
            return row.stored
        }
    }

    /// Deletes an account with its events, addresses and tokens.
    @discardableResult
    public func delete(_ username: String) async throws(KeyshareServerError) -> Bool {
        state.withLock { $0.remove(Array(username.utf8)) }
    }

    /// The last events of an account, the latest first.
    public func events(
        of username: String,
        skipping offset: Int,
        atMost count: Int
    ) async throws(KeyshareServerError) -> [KeyshareAccountEvent] {
        let events = state.withLock { $0.rows[Array(username.utf8)]?.events ?? [] }
        // Those of one time in the order of their recording, the latest first: sorting keeps the order of equals.
        let latestFirst = events.reversed().sorted { $0.time > $1.time }
        return Array(latestFirst.dropFirst(max(0, offset)).prefix(max(0, count)))
    }

    /// Memory always serves.
    public func check() async throws(KeyshareServerError) {}
}

extension MemoryKeyshareAccountStore.State {
    /// Removes an account with its tokens; false for an unknown one.
    mutating func remove(_ name: [UInt8]) -> Bool {
        guard let row = rows.removeValue(forKey: name) else { return false }
        verifications.removeAll { $0.account == row.id }
        return true
    }
}
