import Synchronization

/// Counts the open transactions of each relying party that this process started.
///
/// A transaction counts until it ends or expires, whichever this process sees first.
final class OpenTransactions: Sendable {
    private struct Party {
        /// The deadlines of open transactions in milliseconds since 1970, by their names.
        var deadlines: [String: Int64] = [:]
        /// The time before which no deadline lies, so that expired ones are looked for only where there may be some.
        var earliest = Int64.max

        mutating func removeExpired(at now: Int64) {
            guard earliest <= now else { return }
            deadlines = deadlines.filter { $0.value > now }
            earliest = deadlines.values.min() ?? .max
        }
    }

    private let parties = Mutex<[String: Party]>([:])
    private let maximum: Int

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Counts a transaction; `false` if the relying party has as many as it may have.
    func open(_ id: String, of party: String, until deadline: Int64, at now: Int64) -> Bool {
        parties.withLock { parties in
            var entry = parties[party] ?? Party()
            // The dictionary's own copy goes first, so that this one is changed in place.
            parties[party] = nil
            defer { parties[party] = entry }
            if entry.deadlines.count >= maximum { entry.removeExpired(at: now) }
            guard entry.deadlines.count < maximum else { return false }
            entry.deadlines[id] = deadline
            entry.earliest = min(entry.earliest, deadline)
            return true
        }
    }

    /// Stops counting a transaction.
    func close(_ id: String, of party: String) {
        parties.withLock { parties in _ = parties[party]?.deadlines.removeValue(forKey: id) }
    }

    /// Takes the transactions whose deadline has come.
    func takeExpired(at now: Int64) -> [String] {
        parties.withLock { parties in
            var expired: [String] = []
            for (name, party) in parties where party.earliest <= now {
                expired += party.deadlines.filter { $0.value <= now }.map(\.key)
                parties[name]?.removeExpired(at: now)
            }
            return expired
        }
    }

    /// The number of open transactions of a relying party.
    func count(of party: String) -> Int { parties.withLock { $0[party]?.deadlines.count ?? 0 } }
}
