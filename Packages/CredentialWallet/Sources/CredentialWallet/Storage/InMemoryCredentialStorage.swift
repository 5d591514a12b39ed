import CryptoCore

/// A wallet's storage in memory, which is gone with the process.
public actor InMemoryCredentialStorage: CredentialStorage {
    private var values = VersionedValues<SecretBytes>()

    /// An empty storage.
    public init() {}

    /// The value at a place, or nil.
    public func entry(at place: StoragePlace) -> StorageEntry? {
        values[place].map { StorageEntry(place, $0.value, version: $0.version) }
    }

    /// The values of a collection, in the order of their keys' bytes.
    public func entries(in collection: StorageCollection) -> [StorageEntry] {
        values.places(in: collection).compactMap { entry(at: $0) }
    }

    /// Makes changes in their order, all of them or none.
    public func write(_ changes: [StorageChange]) throws(CredentialStoreError) {
        var changed = values
        try changed.make(changes) { value, _, _ in value }
        values = changed
    }
}

/// Values with their versions, as the storages in memory and in a file keep them.
struct VersionedValues<Value: Sendable>: Sendable {
    private var values: [StoragePlace: (value: Value, version: UInt64)] = [:]

    subscript(place: StoragePlace) -> (value: Value, version: UInt64)? { values[place] }

    /// The number of values.
    var count: Int { values.count }

    /// The places of a collection, in the order of their keys' bytes.
    func places(in collection: StorageCollection) -> [StoragePlace] {
        values.keys.filter { $0.collection == collection }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    /// All values by the order of their collections and keys.
    var all: [(place: StoragePlace, value: Value, version: UInt64)] {
        values.map { (place: $0.key, value: $0.value.value, version: $0.value.version) }
            .sorted { left, right in
                let (first, second) = (left.place.collection.number, right.place.collection.number)
                return first == second ? left.place.key.lexicographicallyPrecedes(right.place.key) : first < second
            }
    }

    /// Puts a value that was stored before.
    mutating func restore(_ place: StoragePlace, _ value: Value, version: UInt64) {
        values[place] = (value, version)
    }

    /// Makes changes in their order; after an error, some are made.
    ///
    /// - Parameter seal: The kept form of a value for its place and version.
    mutating func make(
        _ changes: [StorageChange],
        _ seal: (SecretBytes, StoragePlace, UInt64) throws(CredentialStoreError) -> Value
    ) throws(CredentialStoreError) {
        try StorageChange.requireKeys(of: changes)
        for change in changes {
            let place = change.place
            switch change {
            case .insert(_, let value):
                guard values[place] == nil else { throw Self.conflict(place, "there is a value already") }
                values[place] = (try seal(value, place, 1), 1)
            case .replace(_, let value, let version):
                try require(version, of: place)
                let (next, overflows) = version.addingReportingOverflow(1)
                guard !overflows else { throw Self.conflict(place, "there is no later version") }
                values[place] = (try seal(value, place, next), next)
            case .remove(_, let version):
                try require(version, of: place)
                values[place] = nil
            }
        }
    }

    private func require(_ version: UInt64, of place: StoragePlace) throws(CredentialStoreError) {
        guard let stored = values[place]?.version else { throw Self.conflict(place, "the value was removed") }
        guard stored == version else { throw Self.conflict(place, "the value was changed meanwhile") }
    }

    private static func conflict(_ place: StoragePlace, _ message: String) -> CredentialStoreError {
        CredentialStoreError(.storageConflict, message, path: [place.collection.description])
    }
}
