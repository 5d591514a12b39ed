import Synchronization

/// Accounts in the memory of one process, lost with it: for tests and demonstrations.
public final class MemoryKeyshareAccountStore: KeyshareAccountStore {
    private struct Row {
        var stored: StoredKeyshareAccount
        var events: [KeyshareAccountEvent] = []
    }

    private struct State {
        var rows: [[UInt8]: Row] = [:]
        var lastID: Int64 = 0
    }

    /// The number of events that are kept of an account.
    private static let maximumEvents = 1000

    private let state = Mutex(State())

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
        state.withLock { $0.rows[Array(username.utf8)]?.stored }
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
            guard var row = state.rows[name] else {
                throw KeyshareServerError(.accountNotFound, "no account to update")
            }
            guard row.stored.version == account.version else {
                throw KeyshareServerError(.conflict, "the account was changed")
            }
            let version = KeyshareAccountVersion(id: account.version.id, number: account.version.number + 1)
            row.stored = StoredKeyshareAccount(account.account, version: version)
            row.events += events
            row.events.removeFirst(max(0, row.events.count - Self.maximumEvents))
            state.rows[name] = row
            return row.stored
        }
    }

    /// Deletes an account with its events.
    @discardableResult
    public func delete(_ username: String) async throws(KeyshareServerError) -> Bool {
        state.withLock { $0.rows.removeValue(forKey: Array(username.utf8)) != nil }
    }

    /// The last events of an account, the latest first.
    public func events(
        of username: String,
        atMost count: Int
    ) async throws(KeyshareServerError) -> [KeyshareAccountEvent] {
        state.withLock { $0.rows[Array(username.utf8)]?.events.suffix(max(0, count)).reversed() ?? [] }
    }

    /// Memory always serves.
    public func check() async throws(KeyshareServerError) {}
}
