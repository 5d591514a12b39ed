import CryptoCore
public import MdocKit

/// A wallet's storage in memory, which is gone with the process.
public actor InMemoryMdocStorage: MdocStorage {
    private var values = VersionedValues<SecretBytes>()

    /// An empty storage.
    public init() {}

    /// The value at a place, or nil.
    public func entry(at place: MdocStoragePlace) -> MdocStorageEntry? {
        values[place].map { MdocStorageEntry(place, $0.value, version: $0.version) }
    }

    /// The values of a collection, in the order of their keys' bytes.
    public func entries(in collection: MdocStorageCollection) -> [MdocStorageEntry] {
        values.places(in: collection).compactMap { entry(at: $0) }
    }

    /// Makes changes in their order, all of them or none.
    public func write(_ changes: [MdocStorageChange]) throws(MdocError) {
        var changed = values
        try changed.make(changes) { value, _, _ in value }
        values = changed
    }
}

/// Values with their versions, as the storages in memory and in a file keep them.
struct VersionedValues<Value: Sendable>: Sendable {
    private var values: [MdocStoragePlace: (value: Value, version: UInt64)] = [:]

    subscript(place: MdocStoragePlace) -> (value: Value, version: UInt64)? { values[place] }

    /// The number of values.
    var count: Int { values.count }

    /// The places of a collection, in the order of their keys' bytes.
    func places(in collection: MdocStorageCollection) -> [MdocStoragePlace] {
        values.keys.filter { $0.collection == collection }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    /// All values by the order of their collections and keys.
    var all: [(place: MdocStoragePlace, value: Value, version: UInt64)] {
        values.map { (place: $0.key, value: $0.value.value, version: $0.value.version) }
            .sorted { left, right in
                let (first, second) = (left.place.collection.number, right.place.collection.number)
                return first == second ? left.place.key.lexicographicallyPrecedes(right.place.key) : first < second
            }
    }

    /// Puts a value that was stored before.
    mutating func restore(_ place: MdocStoragePlace, _ value: Value, version: UInt64) {
        values[place] = (value, version)
    }

    /// Makes changes in their order; after an error, some are made.
    ///
    /// - Parameter seal: The kept form of a value for its place and version.
    mutating func make(
        _ changes: [MdocStorageChange],
        _ seal: (SecretBytes, MdocStoragePlace, UInt64) throws(MdocError) -> Value
    ) throws(MdocError) {
        try MdocStorageChange.requireKeys(of: changes)
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

    private func require(_ version: UInt64, of place: MdocStoragePlace) throws(MdocError) {
        guard let stored = values[place]?.version else { throw Self.conflict(place, "the value was removed") }
        guard stored == version else { throw Self.conflict(place, "the value was changed meanwhile") }
    }

    private static func conflict(_ place: MdocStoragePlace, _ message: String) -> MdocError {
        MdocError(.storageConflict, message, path: [place.collection.description])
    }
}
