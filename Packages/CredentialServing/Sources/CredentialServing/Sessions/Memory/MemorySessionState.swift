/// The sessions of a store in memory, and their order of expiry.
struct MemorySessionState {
    /// The bookkeeping of a session that counts beside its bytes.
    static let overhead = 256

    let capacity: MemorySessionCapacity
    private(set) var bytes = 0
    private var slots: [SessionEntry?] = []
    /// Version, expiry and length of each entry, for swaps: a read of the entry itself counts the references of its parts.
    private var facts: [Facts] = []
    private var freeSlots: [Int] = []
    private var keys: [SessionKey: Int] = [:]
    private var secondaryKeys: [SessionKey: Int] = [:]
    private var heap = ExpiryHeap()

    private struct Facts {
        var version: SessionVersion
        var expiry: Int64
        var length: Int

        init(_ entry: SessionEntry) {
            version = entry.version
            expiry = entry.expiryMilliseconds
            length = entry.value.count
        }
    }

    init(_ capacity: MemorySessionCapacity) {
        self.capacity = capacity
    }

    /// The number of sessions, expired ones that were not swept included.
    var count: Int { keys.count }

    func entry(for key: SessionKey, at now: Int64) -> SessionEntry? {
        live(keys[key], at: now)
    }

    func entry(forSecondaryKey key: SessionKey, at now: Int64) -> SessionEntry? {
        live(secondaryKeys[key], at: now)
    }

    private func live(_ slot: Int?, at now: Int64) -> SessionEntry? {
        guard let slot, facts[slot].expiry > now else { return nil }
        return slots[slot]
    }

    /// Inserts a session, in place of expired ones with the same keys.
    ///
    /// - Returns: The keys of the expired sessions that were removed.
    mutating func insert(_ entry: SessionEntry, at now: Int64) throws(SessionStoreError) -> [SessionKey] {
        guard self.entry(for: entry.key, at: now) == nil else {
            throw SessionStoreError(.keyExists, "a session with the key exists")
        }
        guard entry.secondaryKeys.allSatisfy({ self.entry(forSecondaryKey: $0, at: now) == nil }) else {
            throw SessionStoreError(.secondaryKeyExists, "a session with one of the secondary keys exists")
        }
        var removed: [SessionKey] = []
        for slot in [keys[entry.key]] + entry.secondaryKeys.map({ secondaryKeys[$0] }) {
            if let slot, let expired = slots[slot] {
                remove(slot)
                removed.append(expired.key)
            }
        }
        let size = Self.size(of: entry)
        if !hasRoom(for: size) { removed += sweep(at: now).keys }
        guard hasRoom(for: size) else {
            throw SessionStoreError(
                .full,
                "\(count) sessions of \(bytes) bytes, the limits are \(capacity.maximumEntries) and \(capacity.maximumBytes)"
            )
        }
        add(entry, size: size)
        return removed
    }

    private func hasRoom(for size: Int) -> Bool {
        count < capacity.maximumEntries && size <= capacity.maximumBytes - bytes
    }

    private mutating func add(_ entry: SessionEntry, size: Int) {
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count {
            slots.append(entry)
            facts.append(Facts(entry))
        } else {
            slots[slot] = entry
            facts[slot] = Facts(entry)
        }
        keys[entry.key] = slot
        for key in entry.secondaryKeys { secondaryKeys[key] = slot }
        heap.insert(slot, expiry: entry.expiryMilliseconds)
        bytes += size
    }

    /// Replaces the value and the expiry of a session of the same version.
    ///
    /// - Returns: The new version.
    mutating func swap(_ entry: SessionEntry, at now: Int64) throws(SessionStoreError) -> SessionVersion {
        guard let slot = keys[entry.key], facts[slot].expiry > now else {
            throw SessionStoreError(.notFound, "no session to swap")
        }
        let current = facts[slot]
        guard current.version == entry.version else {
            throw SessionStoreError(.conflict, "the session is at \(current.version), not at \(entry.version)")
        }
        let growth = entry.value.count - current.length
        guard growth <= capacity.maximumBytes - bytes else {
            throw SessionStoreError(.full, "\(bytes) bytes, the limit is \(capacity.maximumBytes)")
        }
        let next = try current.version.next()
        slots[slot]?.replace(with: entry, version: next)
        facts[slot] = Facts(entry)
        facts[slot].version = next
        bytes += growth
        if entry.expiryMilliseconds != current.expiry { heap.update(slot, expiry: entry.expiryMilliseconds) }
        return next
    }

    /// Deletes a live session; `false` for an unknown or expired key.
    mutating func delete(
        _ key: SessionKey,
        version: SessionVersion?,
        at now: Int64
    ) throws(SessionStoreError) -> Bool {
        guard let slot = keys[key], let current = live(slot, at: now) else { return false }
        guard version == nil || current.version == version else {
            throw SessionStoreError(.conflict, "the session is at \(current.version)")
        }
        remove(slot)
        return true
    }

    /// Removes at most ``MemorySessionCapacity/sweepBatch`` expired sessions, those that expired first.
    ///
    /// - Returns: Their keys, and whether the batch was full.
    mutating func sweep(at now: Int64) -> (keys: [SessionKey], isFull: Bool) {
        var removed: [SessionKey] = []
        while removed.count < MemorySessionCapacity.sweepBatch, let first = heap.first, first.expiry <= now {
            if let entry = slots[first.slot] { removed.append(entry.key) }
            remove(first.slot)
        }
        return (removed, removed.count == MemorySessionCapacity.sweepBatch)
    }

    private mutating func remove(_ slot: Int) {
        guard let entry = slots[slot] else { return }
        slots[slot] = nil
        freeSlots.append(slot)
        heap.remove(slot)
        keys[entry.key] = nil
        for key in entry.secondaryKeys { secondaryKeys[key] = nil }
        bytes -= Self.size(of: entry)
    }

    private static func size(of entry: SessionEntry) -> Int {
        entry.secondaryKeys.reduce(overhead + entry.key.bytes.count + entry.value.count) { $0 + $1.bytes.count + 64 }
    }
}
