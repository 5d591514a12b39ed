#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The lists that a client keeps, and those that it could not have, both bounded in number.
struct StatusListCache {
    /// A list as verified for one signer, since the signature of one party proves nothing to a caller that trusts
    /// another.
    struct Key: Hashable {
        let uri: ExactText
        let signer: StatusListKey

        /// The URI tells lists apart; comparing looks at the signer, too.
        func hash(into hasher: inout Hasher) {
            hasher.combine(uri)
        }
    }

    private struct Entry {
        let list: VerifiedStatusList
        let fetched: Date
        let refresh: Date
        var lastUse: UInt64
    }

    private struct Failure {
        let error: StatusListError
        let since: Date
    }

    private let options: StatusListClientOptions
    private var entries: [Key: Entry] = [:]
    private var failures: [Key: Failure] = [:]
    private var uses: UInt64 = 0
    private var size = 0

    init(_ options: StatusListClientOptions) {
        self.options = options
    }

    /// Every list that is kept.
    var lists: [VerifiedStatusList] { entries.values.map(\.list) }

    /// The list under a key, or nil for none that was fetched before the time and need not be refreshed.
    ///
    /// - Parameter isStaleAllowed: Whether a list that should be refreshed is good enough.
    mutating func list(for key: Key, at now: Date, isStaleAllowed: Bool = false) -> VerifiedStatusList? {
        guard let entry = entries[key] else { return nil }
        // Callers with slightly different clocks share a list; a query about the distant past does not get today's.
        guard entry.fetched.timeIntervalSince(now) <= options.minimumLifetime else { return nil }
        guard isStaleAllowed || now < entry.refresh else { return nil }
        uses += 1
        entries[key]?.lastUse = uses
        return entry.list
    }

    /// The recent error of a failed request for a list, or nil.
    func failure(for key: Key, at now: Date) -> StatusListError? {
        guard let failure = failures[key] else { return nil }
        return (0..<options.retryInterval).contains(now.timeIntervalSince(failure.since)) ? failure.error : nil
    }

    mutating func insert(_ list: VerifiedStatusList, for key: Key, at now: Date) {
        remove(key)
        failures[key] = nil
        uses += 1
        let refresh = now.addingTimeInterval(options.lifetime(of: list))
        entries[key] = Entry(list: list, fetched: now, refresh: refresh, lastUse: uses)
        size += list.size
        while entries.count > max(options.maximumLists, 0) || size > options.maximumSize {
            guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key else { return }
            remove(oldest)
        }
    }

    mutating func insert(_ error: StatusListError, for key: Key, at now: Date) {
        if failures.count >= max(options.maximumLists, 1) { failures.removeAll() }
        failures[key] = Failure(error: error, since: now)
    }

    mutating func removeAll() {
        entries.removeAll()
        failures.removeAll()
        size = 0
    }

    private mutating func remove(_ key: Key) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        size -= entry.list.size
    }
}

extension VerifiedStatusList {
    /// The bytes that the list and its token take.
    fileprivate var size: Int { list.bytes.count + token.encodedBytes.count }
}
