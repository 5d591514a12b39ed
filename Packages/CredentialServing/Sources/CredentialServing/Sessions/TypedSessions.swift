#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A session whose value is decoded.
public struct TypedSession<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// The time from which the session is no longer returned.
    public var expiry: Date
    /// The session as stored.
    public let entry: SessionEntry

    fileprivate init(_ value: Value, _ entry: SessionEntry) {
        self.value = value
        self.expiry = entry.expiry
        self.entry = entry
    }
}

/// The sessions of a store whose values are of one type.
///
/// ```swift
/// let sessions = TypedSessions(of: Transaction.self, in: store)
/// try await sessions.insert(Transaction(), key: SessionKey(state), expiry: Date() + 600)
/// try await sessions.update(SessionKey(state)) { session in session.value.isDone = true }
/// ```
public struct TypedSessions<Value: Sendable>: Sendable {
    /// The store.
    public let store: any SessionStore

    private let encode: @Sendable (Value) throws -> [UInt8]
    private let decode: @Sendable ([UInt8]) throws -> Value

    /// The sessions of a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - encode: Encodes a value.
    ///   - decode: Decodes a value.
    public init(
        in store: any SessionStore,
        encode: @escaping @Sendable (Value) throws -> [UInt8],
        decode: @escaping @Sendable ([UInt8]) throws -> Value
    ) {
        self.store = store
        self.encode = encode
        self.decode = decode
    }

    /// The sessions of a store, with values in JSON.
    public init(of type: Value.Type = Value.self, in store: any SessionStore) where Value: Codable {
        self.init(
            in: store,
            encode: { value in Array(try JSONEncoder().encode(value)) },
            decode: { bytes in try JSONDecoder().decode(Value.self, from: Data(bytes)) }
        )
    }

    /// Inserts a session.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key.
    ///   - secondaryKeys: Further keys that lead to the session.
    ///   - expiry: The time from which the session is no longer returned.
    ///   - version: The first version.
    @discardableResult
    public func insert(
        _ value: Value,
        key: SessionKey,
        secondaryKeys: [SessionKey] = [],
        expiry: Date,
        version: SessionVersion = .first()
    ) async throws(SessionStoreError) -> TypedSession<Value> {
        let entry = SessionEntry(
            key: key,
            secondaryKeys: secondaryKeys,
            value: try bytes(of: value),
            expiry: expiry,
            version: version
        )
        try await store.insert(entry)
        return TypedSession(value, entry)
    }

    /// The live session of a key, or nil.
    public func session(for key: SessionKey) async throws(SessionStoreError) -> TypedSession<Value>? {
        guard let entry = try await store.entry(for: key) else { return nil }
        return try session(entry)
    }

    /// The live session that has a secondary key, or nil.
    public func session(forSecondaryKey key: SessionKey) async throws(SessionStoreError) -> TypedSession<Value>? {
        guard let entry = try await store.entry(forSecondaryKey: key) else { return nil }
        return try session(entry)
    }

    /// Replaces the value and the expiry of a session, if its version is still that which was read.
    @discardableResult
    public func swap(_ session: TypedSession<Value>) async throws(SessionStoreError) -> TypedSession<Value> {
        TypedSession(session.value, try await store.swap(try entry(of: session)))
    }

    /// Changes a session, again from its new state each time another writer was first.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - attempts: The number of swaps to try.
    ///   - body: Changes the value or the expiry; it may run several times.
    @discardableResult
    public func update<Result: Sendable>(
        _ key: SessionKey,
        attempts: Int = 128,
        _ body: @Sendable (inout TypedSession<Value>) throws -> Result
    ) async throws -> (result: Result, session: TypedSession<Value>) {
        let (outcome, entry) = try await store.update(key, attempts: attempts) { entry in
            var session = try session(entry)
            let result = try body(&session)
            entry = try self.entry(of: session)
            return (result: result, value: session.value)
        }
        return (outcome.result, TypedSession(outcome.value, entry))
    }

    /// The session of an entry, such as one of ``SessionStore/changes(of:after:)``.
    public func session(_ entry: SessionEntry) throws(SessionStoreError) -> TypedSession<Value> {
        do {
            return TypedSession(try decode(entry.value), entry)
        } catch {
            // The underlying error may quote the value, which is secret.
            throw SessionStoreError(.invalidValue, "the stored value is no \(Value.self)")
        }
    }

    private func entry(of session: TypedSession<Value>) throws(SessionStoreError) -> SessionEntry {
        var entry = session.entry
        entry.value = try bytes(of: session.value)
        entry.expiry = session.expiry
        return entry
    }

    private func bytes(of value: Value) throws(SessionStoreError) -> [UInt8] {
        do { return try encode(value) } catch {
            throw SessionStoreError(.invalidValue, "a \(Value.self) that cannot be encoded")
        }
    }
}
