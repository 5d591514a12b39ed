/// A store whose sessions are encrypted before another store sees them.
///
/// Values are sealed with AES-256-GCM, bound to the store's name, the session, its version and its expiry. Keys are
/// stored as HMACs, so that a copy of the store shows no token and a token from it opens nothing.
///
/// ```swift
/// let store = EncryptedSessionStore(
///     MemorySessionStore(),
///     keyring: try SessionKeyring(sealing: SymmetricKey(size: .bits256)),
///     place: "irma"
/// )
/// ```
public struct EncryptedSessionStore: SessionStore {
    private let store: any SessionStore
    private let seal: SessionSeal

    /// An encrypted store.
    ///
    /// - Parameters:
    ///   - store: The store that keeps the sessions. Its keys must have room for 32 bytes.
    ///   - keyring: The keys.
    ///   - place: The name of the store. Values of one place do not open in another.
    public init(_ store: any SessionStore, keyring: SessionKeyring, place: String) {
        self.store = store
        seal = SessionSeal(keyring: keyring, place: place)
    }

    /// The sizes that the store takes: those of the store below, without the room for seals and keys.
    public var limits: SessionLimits {
        var limits = store.limits
        let overhead = SessionSeal.overhead(of: limits)
        limits.maximumValueSize = max(limits.maximumValueSize - overhead, 0)
        return limits
    }

    /// Indicates that another process may have the sessions, too.
    public var isShared: Bool { store.isShared }

    /// Inserts a session.
    ///
    /// While keys are rotated, the earlier names of its keys are looked up first.
    public func insert(_ entry: SessionEntry) async throws(SessionStoreError) {
        // An inner store sees names of 32 bytes, so the clear keys are checked here; it checks the expiry.
        try limits.checkInsertion(entry, at: .min)
        for name in seal.names(of: entry.key, kind: .primary).dropFirst() {
            guard try await store.entry(for: name) == nil else {
                throw SessionStoreError(.keyExists, "a session with the key exists")
            }
        }
        for key in entry.secondaryKeys {
            for name in seal.names(of: key, kind: .secondary).dropFirst() {
                guard try await store.entry(forSecondaryKey: name) == nil else {
                    throw SessionStoreError(.secondaryKeyExists, "a session with one of the secondary keys exists")
                }
            }
        }
        try await store.insert(try seal.sealed(entry, namedBy: 0, for: entry.version))
    }

    /// The live session of a key, or nil.
    public func entry(for key: SessionKey) async throws(SessionStoreError) -> SessionEntry? {
        for name in seal.names(of: key, kind: .primary) {
            guard let sealed = try await store.entry(for: name) else { continue }
            return try opened(sealed, named: name, for: key)
        }
        return nil
    }

    /// The live session that has a secondary key, or nil.
    public func entry(forSecondaryKey key: SessionKey) async throws(SessionStoreError) -> SessionEntry? {
        for name in seal.names(of: key, kind: .secondary) {
            guard let sealed = try await store.entry(forSecondaryKey: name) else { continue }
            let entry = try seal.opened(sealed)
            guard sealed.secondaryKeys.contains(name), entry.secondaryKeys.contains(key) else {
                throw SessionStoreError(.damaged, "a secondary key that leads to a session without it")
            }
            return entry
        }
        return nil
    }

    /// Replaces the value and the expiry of a session, if its version is still that of `entry`.
    @discardableResult
    public func swap(_ entry: SessionEntry) async throws(SessionStoreError) -> SessionEntry {
        try limits.checkValue(entry, at: .min)
        let version = try entry.version.next()
        let names = seal.names(of: entry.key, kind: .primary)
        for index in names.indices {
            let sealed = try seal.sealed(entry, namedBy: index, for: version)
            do throws(SessionStoreError) {
                let swapped = try await store.swap(sealed)
                guard swapped.version == version else {
                    throw SessionStoreError(.damaged, "the store made \(swapped.version) of \(entry.version)")
                }
                return entry.with(version: version)
            } catch {
                guard error.code == .notFound, index < names.count - 1 else { throw error }
            }
        }
        throw SessionStoreError(.notFound, "no session to swap")
    }

    /// Deletes a session of a version, or of any, and frees its secondary keys.
    @discardableResult
    public func delete(_ key: SessionKey, version: SessionVersion?) async throws(SessionStoreError) -> Bool {
        for name in seal.names(of: key, kind: .primary) where try await store.delete(name, version: version) {
            return true
        }
        return false
    }

    /// The states of a session after a version, each after it was committed.
    public func changes(of key: SessionKey, after version: SessionVersion?) -> SessionChanges {
        SessionChanges(joining: seal.names(of: key, kind: .primary).map { store.changes(of: $0, after: version) })
            .map { sealed throws(SessionStoreError) in
                let entry = try seal.opened(sealed)
                guard entry.key == key else { throw Self.misplaced }
                return entry
            }
    }

    /// Throws an error if the store cannot serve at present.
    public func check() async throws(SessionStoreError) { try await store.check() }

    /// Does the work of the store below in the background.
    public func run() async { await store.run() }

    /// Ends all sequences of changes and refuses everything from now on.
    public func close() async { await store.close() }

    private func opened(
        _ sealed: SessionEntry,
        named name: SessionKey,
        for key: SessionKey
    ) throws(SessionStoreError) -> SessionEntry {
        guard sealed.key == name else { throw Self.misplaced }
        let entry = try seal.opened(sealed)
        guard entry.key == key else { throw Self.misplaced }
        return entry
    }

    private static var misplaced: SessionStoreError {
        SessionStoreError(.damaged, "a session under the key of another")
    }
}
