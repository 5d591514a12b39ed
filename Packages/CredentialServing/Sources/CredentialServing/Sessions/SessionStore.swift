/// Sessions of a server: versioned values under keys, swapped only at the version that was read.
///
/// Every store keeps the same laws: no update is lost, a session past its expiry is never returned, a change is notified
/// after it is committed and never before, versions of a session grow. A store that is shared keeps them between all
/// processes that share it.
///
/// The calls on one session run on the caller's executor, so that a store that never waits costs no change of executors.
public protocol SessionStore: Sendable {
    /// The sizes that the store takes.
    var limits: SessionLimits { get }

    /// Indicates that another process may have the sessions, too, now or after this one: `true` unless the store says otherwise.
    ///
    /// A server leaves notes in such a store, by which another process goes on with what this one began.
    var isShared: Bool { get }

    /// Inserts a session.
    ///
    /// - Throws: ``SessionStoreError/Code-swift.struct/keyExists`` or
    ///   ``SessionStoreError/Code-swift.struct/secondaryKeyExists`` if a live session has one of the keys.
    nonisolated(nonsending) func insert(_ entry: SessionEntry) async throws(SessionStoreError)

    /// The live session of a key, or nil.
    nonisolated(nonsending) func entry(for key: SessionKey) async throws(SessionStoreError) -> SessionEntry?

    /// The live session that has a secondary key, or nil.
    nonisolated(nonsending) func entry(forSecondaryKey key: SessionKey) async throws(SessionStoreError) -> SessionEntry?

    /// Replaces the value and the expiry of a session, if its version is still that of `entry`.
    ///
    /// The session's secondary keys stay as they are.
    ///
    /// - Parameter entry: The session as read, with its new value and expiry.
    /// - Returns: The session with its new version, which is ``SessionVersion/next()``.
    /// - Throws: ``SessionStoreError/Code-swift.struct/conflict`` if the version is another,
    ///   ``SessionStoreError/Code-swift.struct/notFound`` if the session was deleted or has expired,
    ///   ``SessionStoreError/Code-swift.struct/outcomeUnknown`` if the connection broke before the answer.
    @discardableResult
    nonisolated(nonsending) func swap(_ entry: consuming SessionEntry) async throws(SessionStoreError) -> SessionEntry

    /// Deletes a session and frees its secondary keys.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - version: The version that the session must have, or nil for any.
    /// - Returns: `false` if there is no live session.
    /// - Throws: ``SessionStoreError/Code-swift.struct/conflict`` if the version is another.
    @discardableResult
    nonisolated(nonsending) func delete(
        _ key: SessionKey,
        version: SessionVersion?
    ) async throws(SessionStoreError) -> Bool

    /// The states of a session, each after it was committed, until the session is deleted or expires, or the store is
    /// closed.
    ///
    /// A slow reader skips states but always sees the latest. Changes of other processes are seen while ``run()`` runs.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - version: The version that the reader knows. With nil, the current state comes first.
    func changes(of key: SessionKey, after version: SessionVersion?) -> SessionChanges

    /// Throws an error if the store cannot serve at present.
    func check() async throws(SessionStoreError)

    /// Does the store's work in the background until the task is cancelled or the store is closed: sweeps expired
    /// sessions and watches for changes of other processes.
    func run() async

    /// Ends all sequences of changes and refuses everything from now on.
    func close() async
}

extension SessionStore {
    /// `true`.
    public var isShared: Bool { true }

    /// Deletes a session of any version.
    @discardableResult
    public func delete(_ key: SessionKey) async throws(SessionStoreError) -> Bool {
        try await delete(key, version: nil)
    }

    /// The states of a session, the current one first.
    public func changes(of key: SessionKey) -> SessionChanges {
        changes(of: key, after: nil)
    }

    /// Changes a session, again from its new state each time another writer was first.
    ///
    /// The closure may run several times, so it must have no effects but its result. An unknown outcome is not tried
    /// again, since the change may have been made.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - attempts: The number of swaps to try.
    ///   - body: Changes the value or the expiry.
    /// - Returns: The result of the closure and the session with its new version.
    /// - Throws: The error of the closure, or else a ``SessionStoreError``:
    ///   ``SessionStoreError/Code-swift.struct/notFound`` without a live session,
    ///   ``SessionStoreError/Code-swift.struct/tooManyAttempts`` if other writers won every time.
    @discardableResult
    public func update<Result: Sendable>(
        _ key: SessionKey,
        attempts: Int = 128,
        _ body: @Sendable (inout SessionEntry) throws -> Result
    ) async throws -> (result: Result, entry: SessionEntry) {
        for _ in 0..<max(attempts, 1) {
            try Task.checkCancellation()
            guard var entry = try await entry(for: key) else {
                throw SessionStoreError(.notFound, "no session to update")
            }
            let result = try body(&entry)
            do throws(SessionStoreError) {
                return (result, try await swap(entry))
            } catch {
                guard error.code == .conflict else { throw error }
            }
        }
        throw SessionStoreError(.tooManyAttempts, "other writers won \(max(attempts, 1)) times")
    }
}
