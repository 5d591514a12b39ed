import CredentialServing
import Synchronization

/// Counts the open transactions of each relying party that this process started.
///
/// A transaction counts until this process ends it, or finds at its deadline that another process has. Those that have
/// expired make room where it is needed.
struct OpenTransactions: Sendable {
    private let parties: [String: SessionDeadlines]

    init(of parties: some Sequence<String>, maximum: Int) {
        self.parties = Dictionary(uniqueKeysWithValues: parties.map { ($0, SessionDeadlines(maximumCount: maximum)) })
    }

    /// Counts a transaction; `false` if the relying party has as many as it may have.
    func open(_ id: String, of party: String, until deadline: Int64, at now: Int64) -> Bool {
        guard let deadlines = parties[party] else { return false }
        if deadlines.add(id, until: deadline) { return true }
        _ = deadlines.takeExpired(at: now)
        return deadlines.add(id, until: deadline)
    }

    /// Stops counting a transaction.
    func close(_ id: String, of party: String) { parties[party]?.forget(id) }

    /// The number of open transactions of a relying party.
    func count(of party: String) -> Int { parties[party]?.count ?? 0 }
}

/// Ends of transactions of which a process does not know whether the store has made them, for a later look.
final class UncertainEnds: Sendable {
    private static let maximumCount = 1000
    private let ends = Mutex<[TransactionRecord]>([])

    /// Keeps an end, without the claims; one beyond the bound is dropped.
    func add(_ record: TransactionRecord) {
        var record = record
        record.removeClaims()
        ends.withLock { [record] in if $0.count < Self.maximumCount { $0.append(record) } }
    }

    /// Takes all ends: they leave the list.
    func takeAll() -> [TransactionRecord] {
        ends.withLock { ends in
            defer { ends = [] }
            return ends
        }
    }
}
