public import CryptoCore

/// A collection of values in a wallet's storage: an open set.
///
/// The numbers 1 to 31 are for the formats of this project: 1 and 2 are those of mdocs, 4 and 5 those of SD-JWT VCs, 6 to 10
/// those of an IRMA wallet; 3 is the count of changes.
public struct StorageCollection: Hashable, Sendable, CustomStringConvertible {
    /// The number by which storages know the collection.
    public let number: UInt8
    /// The name, as in the source.
    public let description: String

    /// Names a collection.
    public init(_ number: UInt8, _ name: String) {
        self.number = number
        description = name
    }

    /// Compares the numbers.
    public static func == (left: Self, right: Self) -> Bool { left.number == right.number }

    /// Feeds the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// The place of a value in a wallet's storage.
public struct StoragePlace: Hashable, Sendable {
    /// The collection.
    public let collection: StorageCollection
    /// The key in the collection, which tells nothing about the value: random, or a number.
    public let key: [UInt8]

    /// The greatest length of a key in bytes.
    public static let maximumKeySize = 64

    /// Names a place.
    public init(_ collection: StorageCollection, key: [UInt8]) {
        self.collection = collection
        self.key = key
    }
}

/// A value in a wallet's storage, with the version that a change of it must name.
public struct StorageEntry: Hashable, Sendable {
    /// The place.
    public let place: StoragePlace
    /// The value.
    public let value: SecretBytes
    /// The number of the value among those of its place: 1 for the inserted one, and one more for each that replaces it.
    public let version: UInt64

    /// Describes a value.
    public init(_ place: StoragePlace, _ value: SecretBytes, version: UInt64) {
        self.place = place
        self.value = value
        self.version = version
    }
}

/// A value in a wallet's storage that may be damaged.
public struct StorageRecord: Sendable {
    /// The place.
    public let place: StoragePlace
    /// The version that a removal must name; of a damaged value as the medium has it.
    public let version: UInt64
    /// The value, or the error of a damaged one.
    public let value: Result<SecretBytes, CredentialStoreError>

    /// Describes a value.
    public init(_ place: StoragePlace, version: UInt64, _ value: Result<SecretBytes, CredentialStoreError>) {
        self.place = place
        self.version = version
        self.value = value
    }

    /// Describes a sound value.
    public init(_ entry: StorageEntry) {
        self.init(entry.place, version: entry.version, .success(entry.value))
    }

    /// The value with its place and version.
    ///
    /// - Throws: The error of a damaged value.
    public func entry() throws(CredentialStoreError) -> StorageEntry {
        StorageEntry(place, try value.get(), version: version)
    }
}

/// A change of a wallet's storage.
public enum StorageChange: Sendable {
    /// Puts a value in a place that has none.
    case insert(StoragePlace, SecretBytes)
    /// Replaces the value of a place that has a version.
    case replace(StoragePlace, SecretBytes, version: UInt64)
    /// Removes the value of a place that has a version.
    case remove(StoragePlace, version: UInt64)

    /// The place.
    public var place: StoragePlace {
        switch self {
        case .insert(let place, _), .replace(let place, _, _), .remove(let place, _): place
        }
    }

    /// Refuses changes whose places have no key that a storage takes.
    package static func requireKeys(of changes: [StorageChange]) throws(CredentialStoreError) {
        for change in changes {
            let size = change.place.key.count
            guard (1...StoragePlace.maximumKeySize).contains(size) else {
                throw CredentialStoreError(
                    .storageFailed,
                    "a key of \(size) bytes",
                    path: [change.place.collection.description]
                )
            }
        }
    }
}

/// The place where a wallet keeps its credentials, those of all formats.
///
/// The wallet relies on what it reads: an implementation returns the value that was written at a place, unchanged, or
/// throws. Where others can write to the medium, it authenticates each value together with its place and version.
/// Whatever interrupts ``write(_:)``, either all of its changes are stored afterwards or none; when it has returned, they
/// stay. Of two tasks or processes that change one version of a value, one gets `storageConflict`: by that, no copy of a
/// credential is used twice.
///
/// The target `CredentialWalletContracts` has these promises as tests, for a storage of your own.
public protocol CredentialStorage: Sendable {
    /// The value at a place, or nil.
    ///
    /// - Throws: `CredentialStoreError` with code `storageFailed`, `storageDamaged` or `cancelled`.
    func entry(at place: StoragePlace) async throws(CredentialStoreError) -> StorageEntry?

    /// The values of a collection, in the order of their keys' bytes.
    ///
    /// - Throws: `CredentialStoreError` with code `storageFailed`, `storageDamaged` or `cancelled`.
    func entries(in collection: StorageCollection) async throws(CredentialStoreError) -> [StorageEntry]

    /// The values of a collection, in the order of their keys' bytes, with damaged ones among them.
    ///
    /// A damaged value keeps no other from being read, and ``write(_:)`` removes it by its place and version. Without an
    /// implementation of its own, a storage reads its ``entries(in:)``, of which a damaged one refuses all.
    ///
    /// - Throws: `CredentialStoreError` with code `storageFailed` or `cancelled`, or `storageDamaged` for more than single values.
    func records(in collection: StorageCollection) async throws(CredentialStoreError) -> [StorageRecord]

    /// The places of a collection that have a value, in the order of their keys' bytes.
    ///
    /// No value is read, so that one of a long collection is found without the others. Without an implementation of its own, a
    /// storage reads its ``records(in:)``.
    ///
    /// - Throws: `CredentialStoreError` with code `storageFailed` or `cancelled`, or `storageDamaged` for more than single values.
    func places(in collection: StorageCollection) async throws(CredentialStoreError) -> [StoragePlace]

    /// Makes changes in their order, all of them or none.
    ///
    /// - Throws: `CredentialStoreError` with code `storageConflict` if a value to insert has a place that is taken, or a value to replace or
    ///   remove has another version or is missing; `storageFailed`, also for a key that is empty or longer than
    ///   ``StoragePlace/maximumKeySize``; `storageDamaged`; `cancelled`, after which no change was made.
    func write(_ changes: [StorageChange]) async throws(CredentialStoreError)
}

extension CredentialStorage {
    /// The values of ``entries(in:)``.
    public func records(in collection: StorageCollection) async throws(CredentialStoreError) -> [StorageRecord] {
        try await entries(in: collection).map { StorageRecord($0) }
    }

    /// The places of ``records(in:)``.
    public func places(in collection: StorageCollection) async throws(CredentialStoreError) -> [StoragePlace] {
        try await records(in: collection).map(\.place)
    }
}
