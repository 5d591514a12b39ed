import IRMAMessages
import IdemixCore
import Synchronization

/// The events of other authorities' keys that are fetched in several visits: there are more than one visit fetches, or a server
/// failed in between.
///
/// They are known to be the authority's when the last one fits a signed accumulator. Until then, they are kept as they came.
final class RevocationBacklogs: Sendable {
    /// The key whose events are fetched.
    struct Key: Hashable {
        let type: CredentialTypeIdentifier
        let keyCounter: UInt
    }

    /// The events of a key so far, in whole intervals.
    struct Backlog: Sendable {
        /// The index from which events are wanted.
        let start: UInt64
        /// The index of the first event that is still to be fetched.
        var next: UInt64
        var lists: [RevocationEventList] = []

        init(from start: UInt64) {
            self.start = start
            next = start
        }
    }

    /// The largest number of intervals of all keys: four million events, some hundred megabytes of memory.
    static let maximumIntervals = 8192

    private let backlogs = Mutex<[Key: Backlog]>([:])

    /// Takes the events of a key from an index on, or none; those from another index on are forgotten.
    func take(_ key: Key, from start: UInt64) -> Backlog {
        let kept = backlogs.withLock { $0.removeValue(forKey: key) }
        guard let kept, kept.start == start else { return Backlog(from: start) }
        return kept
    }

    /// Keeps the events of a key for the next visit, as long as there is room.
    func keep(_ backlog: Backlog, of key: Key) {
        guard !backlog.lists.isEmpty else { return }
        backlogs.withLock { backlogs in
            let count = backlogs.reduce(0) { $0 + ($1.key == key ? 0 : $1.value.lists.count) }
            guard count + backlog.lists.count <= Self.maximumIntervals else { return }
            backlogs[key] = backlog
        }
    }
}
