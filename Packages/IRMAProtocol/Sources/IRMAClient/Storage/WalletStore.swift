public import CryptoCore

/// A collection of values in a wallet's store: an open set.
public struct WalletCollection: Hashable, Sendable, CustomStringConvertible {
    /// The number by which stores know the collection.
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

    /// The secret key, which all credentials share, and the key of the device.
    public static let keys = WalletCollection(1, "keys")
    /// The credentials.
    public static let credentials = WalletCollection(2, "credentials")
    /// The accounts at keyshare servers.
    public static let accounts = WalletCollection(3, "accounts")
    /// The log of sessions.
    public static let log = WalletCollection(4, "log")
    /// Issuances whose signatures have not come.
    public static let issuances = WalletCollection(5, "issuances")

    /// All collections.
    public static let all = [keys, credentials, accounts, log, issuances]
}

/// The place of a value in a wallet's store.
public struct WalletPlace: Hashable, Sendable {
    /// The collection.
    public let collection: WalletCollection
    /// The key in the collection, which tells nothing about the value: random, or a number.
    public let key: [UInt8]

    /// The greatest length of a key in bytes.
    public static let maximumKeySize = 64

    /// Names a place.
    public init(_ collection: WalletCollection, key: [UInt8]) {
        self.collection = collection
        self.key = key
    }
}

/// A change of a wallet's store.
public enum WalletChange: Sendable {
    /// Puts a value at a place, and replaces an existing one.
    case put(WalletPlace, SecretBytes)
    /// Puts a value in a place that has none.
    case insert(WalletPlace, SecretBytes)
    /// Removes a value, if there is one.
    case remove(WalletPlace)

    /// The place.
    public var place: WalletPlace {
        switch self {
        case .put(let place, _), .insert(let place, _), .remove(let place): place
        }
    }
}

/// The place where a wallet keeps its secret key, credentials, accounts and log.
///
/// The wallet relies on what it reads: an implementation gives back the value that was written at a place, unchanged,
/// or throws. Where others can write to the medium, it authenticates each value together with its place. Whatever
/// interrupts ``write(_:)``, either all of its changes are stored afterwards or none; when it has returned, they stay.
public protocol WalletStore: Sendable {
    /// The value at a place, or `nil`.
    ///
    /// - Throws: ``WalletError/Code/storageFailed``, ``WalletError/Code/storageDamaged``.
    func value(at place: WalletPlace) async throws(WalletError) -> SecretBytes?

    /// The places of a collection that have a value, in the order of their keys' bytes.
    ///
    /// - Throws: ``WalletError/Code/storageFailed``.
    func places(in collection: WalletCollection) async throws(WalletError) -> [WalletPlace]

    /// Makes changes, all of them or none.
    ///
    /// - Throws: ``WalletError/Code/storageConflict`` if a value to insert has a place that is taken;
    ///   ``WalletError/Code/storageFailed``, also for a key that is empty or longer than
    ///   ``WalletPlace/maximumKeySize``.
    func write(_ changes: [WalletChange]) async throws(WalletError)
}

extension WalletChange {
    /// Refuses changes whose places have no key that a store takes.
    package static func requireKeys(of changes: [WalletChange]) throws(WalletError) {
        for change in changes {
            guard (1...WalletPlace.maximumKeySize).contains(change.place.key.count) else {
                throw WalletError(
                    .storageFailed,
                    "a key of \(change.place.key.count) bytes",
                    path: [change.place.collection.description]
                )
            }
        }
    }
}
