import CryptoCore

/// A counter that a copy of a wallet's storage does not contain, so that restoring the copy leaves it as it is.
///
/// It belongs where the device keys are: an item of the keychain for this device only, or a counter of secure hardware. It never
/// decreases, and an increase stays when its call has returned.
public protocol MonotonicCounter: Sendable {
    /// The value; 0 before the first increase.
    ///
    /// - Throws: `CredentialStoreError` with code `storageFailed`.
    func value() async throws(CredentialStoreError) -> UInt64

    /// Raises the counter to a value; a higher one stays.
    ///
    /// - Throws: `CredentialStoreError` with code `storageFailed`.
    func raise(to value: UInt64) async throws(CredentialStoreError)
}

/// A wallet's storage that refuses to work with an earlier state of itself.
///
/// The storages authenticate what they read, but an earlier copy of a file is authentic too: it brings back spent copies and removed
/// credentials. This storage writes a count of its changes together with each change, and then raises a counter outside of the storage. A
/// count below the counter is refused with the code `storageRolledBack`, by every call.
///
/// ```swift
/// func checkedStorage(path: String, key: SecretBytes, counter: any MonotonicCounter) throws -> any CredentialStorage {
///     RollbackCheckedCredentialStorage(try FileCredentialStorage(path: path, key: key), counter: counter)
/// }
/// ```
///
/// A wallet that is stopped between the two steps has a count above the counter, which is taken. Every process that changes the storage
/// uses one. The check covers the storage as a whole: in an SQLite file, an earlier copy of a single row is not seen, while
/// ``FileCredentialStorage`` authenticates its file as a whole; ``FileCredentialStorage/repair()`` gives that up once. For a new wallet in place of a lost one, begin a new counter.
public struct RollbackCheckedCredentialStorage: CredentialStorage {
    private let storage: any CredentialStorage
    private let counter: any MonotonicCounter

    /// The place whose version is the count; the value is empty.
    private static let place = StoragePlace(.changes, key: [0])
    private static let maximumAttempts = 64

    /// Checks a storage against a counter of its own; a storage with content from before may begin with 0.
    public init(_ storage: any CredentialStorage, counter: any MonotonicCounter) {
        self.storage = storage
        self.counter = counter
    }

    /// The value at a place, or nil.
    public func entry(at place: StoragePlace) async throws(CredentialStoreError) -> StorageEntry? {
        _ = try await count()
        return try await storage.entry(at: place)
    }

    /// The values of a collection, in the order of their keys' bytes.
    public func entries(in collection: StorageCollection) async throws(CredentialStoreError) -> [StorageEntry] {
        _ = try await count()
        return try await storage.entries(in: collection)
    }

    /// The values of a collection, in the order of their keys' bytes, with damaged ones among them.
    public func records(in collection: StorageCollection) async throws(CredentialStoreError) -> [StorageRecord] {
        _ = try await count()
        return try await storage.records(in: collection)
    }

    /// The places of a collection that have a value, in the order of their keys' bytes.
    public func places(in collection: StorageCollection) async throws(CredentialStoreError) -> [StoragePlace] {
        _ = try await count()
        return try await storage.places(in: collection)
    }

    /// Makes changes in their order, all of them or none.
    ///
    /// - Throws: `CredentialStoreError` as the storage and the counter do; if raising the counter failed, the changes were made.
    public func write(_ changes: [StorageChange]) async throws(CredentialStoreError) {
        for _ in 0..<Self.maximumAttempts {
            let count = try await count()
            let counting: StorageChange =
                count == 0
                ? .insert(Self.place, SecretBytes([])) : .replace(Self.place, SecretBytes([]), version: count)
            do throws(CredentialStoreError) {
                try await storage.write(changes + [counting])
            } catch {
                // Others may have counted meanwhile, whose changes need not touch the same values.
                guard error.code == .storageConflict, try await self.count() != count else { throw error }
                continue
            }
            return try await counter.raise(to: count + 1)
        }
        throw CredentialStoreError(.storageConflict, "others change the storage all the time")
    }

    /// The number of changes that were made.
    ///
    /// - Throws: `CredentialStoreError` with code `storageRolledBack` for less than the counter has.
    private func count() async throws(CredentialStoreError) -> UInt64 {
        // Read first: the count of others' changes goes ahead of the counter.
        let least = try await counter.value()
        let count = try await storage.entry(at: Self.place)?.version ?? 0
        guard count >= least else {
            throw CredentialStoreError(
                .storageRolledBack,
                "the storage has seen \(count) changes, and \(least) were made"
            )
        }
        return count
    }
}

extension StorageCollection {
    /// The count of changes, of a ``RollbackCheckedCredentialStorage``.
    public static let changes = StorageCollection(3, "changes")
}
