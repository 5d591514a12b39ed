/// A store that reports the faults of the store that it wraps.
///
/// A client only learns that something failed. The closure gets the cause, for the operator's log.
///
/// ```swift
/// let store = ReportingSessionStore(MemorySessionStore()) { fault in
///     logger.error("the session store failed", metadata: ["error": "\(fault)"])
/// }
/// ```
public struct ReportingSessionStore: SessionStore {
    private let store: any SessionStore
    private let report: @Sendable (SessionStoreError) -> Void

    /// The codes of faults of a store, not of what it was asked.
    private static let faults: Set<SessionStoreError.Code> = [
        .full, .unavailable, .outcomeUnknown, .notAuthorized, .invalidConfiguration, .damaged,
    ]

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - store: The store that keeps the sessions.
    ///   - report: Called for each fault: at the rate of the calls while the store cannot be reached.
    public init(_ store: any SessionStore, report: @escaping @Sendable (SessionStoreError) -> Void) {
        self.store = store
        self.report = report
    }

    /// The sizes that the store takes.
    public var limits: SessionLimits { store.limits }

    /// Indicates that another process may have the sessions, too.
    public var isShared: Bool { store.isShared }

    private func note(_ error: SessionStoreError) -> SessionStoreError {
        if Self.faults.contains(error.code) { report(error) }
        return error
    }

    /// Inserts a session.
    public func insert(_ entry: SessionEntry) async throws(SessionStoreError) {
        do throws(SessionStoreError) { try await store.insert(entry) } catch { throw note(error) }
    }

    /// The live session of a key, or nil.
    public func entry(for key: SessionKey) async throws(SessionStoreError) -> SessionEntry? {
        do throws(SessionStoreError) { return try await store.entry(for: key) } catch { throw note(error) }
    }

    /// The live session that has a secondary key, or nil.
    public func entry(forSecondaryKey key: SessionKey) async throws(SessionStoreError) -> SessionEntry? {
        do throws(SessionStoreError) { return try await store.entry(forSecondaryKey: key) } catch { throw note(error) }
    }

    /// Replaces the value and the expiry of a session, if its version is still that of `entry`.
    @discardableResult
    public func swap(_ entry: consuming SessionEntry) async throws(SessionStoreError) -> SessionEntry {
        do throws(SessionStoreError) { return try await store.swap(entry) } catch { throw note(error) }
    }

    /// Deletes a session of a version, or of any, and frees its secondary keys.
    @discardableResult
    public func delete(_ key: SessionKey, version: SessionVersion?) async throws(SessionStoreError) -> Bool {
        do throws(SessionStoreError) {
            return try await store.delete(key, version: version)
        } catch {
            throw note(error)
        }
    }

    /// The states of a session after a version, each after it was committed; a fault ends the sequence, and is not told.
    public func changes(of key: SessionKey, after version: SessionVersion?) -> SessionChanges {
        store.changes(of: key, after: version)
    }

    /// Throws an error if the store cannot serve at present, which is for the caller to tell.
    public func check() async throws(SessionStoreError) { try await store.check() }

    /// Does the work of the store below in the background.
    public func run() async { await store.run() }

    /// Ends all sequences of changes and refuses everything from now on.
    public func close() async { await store.close() }
}
