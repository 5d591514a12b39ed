/// The accounts of a keyshare server: rows under names, updated only at the version that was read.
///
/// Names compare as bytes. Every store keeps the same laws: no update is lost, an event is recorded with its update or not at
/// all, a version is never seen twice. A store that is shared keeps them between all processes that share it.
public protocol KeyshareAccountStore: Sendable {
    /// Inserts an account.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/nameTaken``,
    ///   ``KeyshareServerError/Code-swift.struct/invalidAccount``.
    func insert(_ account: KeyshareAccount) async throws(KeyshareServerError)

    /// The account with a name, or `nil` for an unknown name and for an account whose secrets were deleted.
    func account(named username: String) async throws(KeyshareServerError) -> StoredKeyshareAccount?

    /// Replaces all fields but the name, if the version is still that of `account`, and records events with it.
    ///
    /// - Returns: The account with its new version.
    /// - Throws: ``KeyshareServerError/Code-swift.struct/conflict``,
    ///   ``KeyshareServerError/Code-swift.struct/accountNotFound``,
    ///   ``KeyshareServerError/Code-swift.struct/invalidAccount``.
    @discardableResult
    func update(
        _ account: StoredKeyshareAccount,
        recording events: [KeyshareAccountEvent]
    ) async throws(KeyshareServerError) -> StoredKeyshareAccount

    /// Deletes an account with its events.
    ///
    /// - Returns: `false` for an unknown account.
    @discardableResult
    func delete(_ username: String) async throws(KeyshareServerError) -> Bool

    /// The last events of an account, the latest first; of several at one time, the one that was recorded last.
    ///
    /// - Parameters:
    ///   - username: The name.
    ///   - offset: The number of later events that are passed over.
    ///   - count: The largest number of events.
    func events(
        of username: String,
        skipping offset: Int,
        atMost count: Int
    ) async throws(KeyshareServerError) -> [KeyshareAccountEvent]

    /// Throws an error if the store cannot serve at present.
    func check() async throws(KeyshareServerError)
}

/// The change of an account in one step.
public struct KeyshareAccountChange<Result: Sendable>: Sendable {
    /// The result of the change.
    public let result: Result
    /// The events that are recorded with it.
    public let events: [KeyshareAccountEvent]

    /// A change with its result.
    public init(_ result: Result, recording events: [KeyshareAccountEvent] = []) {
        self.result = result
        self.events = events
    }
}

extension KeyshareAccountStore {
    /// The last events of an account, the latest first.
    public func events(
        of username: String,
        atMost count: Int
    ) async throws(KeyshareServerError) -> [KeyshareAccountEvent] {
        try await events(of: username, skipping: 0, atMost: count)
    }

    /// Changes an account, again from its new state each time another writer was first.
    ///
    /// - Parameters:
    ///   - username: The name.
    ///   - attempts: The number of updates to try.
    ///   - body: Changes the fields; it may run several times.
    /// - Throws: The error of the closure; ``KeyshareServerError/Code-swift.struct/accountNotFound``;
    ///   ``KeyshareServerError/Code-swift.struct/conflict`` if other writers won every time.
    public func change<Result: Sendable>(
        _ username: String,
        attempts: Int = 128,
        _ body: @Sendable (inout KeyshareAccount) throws(KeyshareServerError) -> KeyshareAccountChange<Result>
    ) async throws(KeyshareServerError) -> Result {
        for _ in 0..<max(attempts, 1) {
            guard !Task.isCancelled else { throw KeyshareServerError(.cancelled, "the task was cancelled") }
            guard var stored = try await account(named: username) else {
                throw KeyshareServerError(.accountNotFound, "no account to change")
            }
            let change = try body(&stored.account)
            do throws(KeyshareServerError) {
                try await update(stored, recording: change.events)
                return change.result
            } catch {
                guard error.code == .conflict else { throw error }
            }
        }
        throw KeyshareServerError(.conflict, "other writers won \(max(attempts, 1)) times")
    }
}
