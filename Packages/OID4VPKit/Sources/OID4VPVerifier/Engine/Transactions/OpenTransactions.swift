import CredentialServing
import Synchronization

/// The deadlines of transactions by relying party, of which each has at most a number of them.
///
/// Relying parties come and go while a server runs: one has a list as long as it has transactions.
final class PartyDeadlines: Sendable {
    private let lists = Mutex<[String: SessionDeadlines]>([:])
    private let maximumCount: Int

    /// - Parameter maximumCount: The largest number of transactions of one relying party.
    init(maximumCount: Int) {
        self.maximumCount = maximumCount
    }

    /// The number of transactions of all relying parties.
    var count: Int { lists.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    /// The number of transactions of a relying party.
    func count(of party: String) -> Int { lists.withLock { $0[party]?.count ?? 0 } }

    /// Notes the deadline of a transaction; `false` if it is new and there is no room for it.
    @discardableResult
    func add(_ id: String, of party: String, until deadline: Int64) -> Bool {
        lists.withLock { lists in
            let list = lists[party] ?? SessionDeadlines(maximumCount: maximumCount)
            lists[party] = list
            return list.add(id, until: deadline)
        }
    }

    /// Forgets a transaction.
    func forget(_ id: String, of party: String) {
        lists.withLock { lists in
            lists[party]?.forget(id)
            if lists[party]?.count == 0 { lists[party] = nil }
        }
    }

    /// Takes the transactions whose deadline has come: they leave the list.
    func takeExpired(at now: Int64) -> [(id: String, party: String)] {
        lists.withLock { lists in
            let expired = lists.flatMap { party, list in list.takeExpired(at: now).map { (id: $0, party: party) } }
            lists = lists.filter { $0.value.count > 0 }
            return expired
        }
    }

    /// Forgets the transactions of a relying party whose deadline has come.
    func dropExpired(of party: String, at now: Int64) {
        lists.withLock { _ = $0[party]?.takeExpired(at: now) }
    }
}

/// Counts the open transactions of each relying party that this process started.
///
/// A transaction counts until this process ends it, or finds at its deadline that another process has. Those that have
/// expired make room where it is needed.
struct OpenTransactions: Sendable {
    private let deadlines: PartyDeadlines

    init(maximum: Int) {
        deadlines = PartyDeadlines(maximumCount: maximum)
    }

    /// Counts a transaction; `false` if the relying party has as many as it may have.
    func open(_ id: String, of party: String, until deadline: Int64, at now: Int64) -> Bool {
        if deadlines.add(id, of: party, until: deadline) { return true }
        deadlines.dropExpired(of: party, at: now)
        return deadlines.add(id, of: party, until: deadline)
    }

    /// Stops counting a transaction.
    func close(_ id: String, of party: String) { deadlines.forget(id, of: party) }

    /// The number of open transactions of a relying party.
    func count(of party: String) -> Int { deadlines.count(of: party) }
}

/// Ends of transactions of which a process does not know whether the store has made them, for a later look.
final class UncertainEnds: Sendable {
    private static let maximumCount = 1000
    private let ends = Mutex<[(record: TransactionRecord, count: Int)]>([])

    /// Keeps an end, without the claims; one beyond the bound is dropped.
    ///
    /// - Parameters:
    ///   - record: The transaction after the change.
    ///   - count: The number of events before it.
    func add(_ record: TransactionRecord, after count: Int) {
        var record = record
        record.removeClaims()
        ends.withLock { [record] in if $0.count < Self.maximumCount { $0.append((record, count)) } }
    }

    /// Takes all ends: they leave the list.
    func takeAll() -> [(record: TransactionRecord, count: Int)] {
        ends.withLock { ends in
            defer { ends = [] }
            return ends
        }
    }
}
