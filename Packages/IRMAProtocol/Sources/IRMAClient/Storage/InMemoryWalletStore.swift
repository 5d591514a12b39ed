public import CryptoCore

/// A wallet's store in memory, which is gone with the process.
public actor InMemoryWalletStore: WalletStore {
    private var values: [WalletPlace: SecretBytes] = [:]

    /// An empty store.
    public init() {}

    /// The value at a place, or `nil`.
    public func value(at place: WalletPlace) -> SecretBytes? { values[place] }

    /// The places of a collection that have a value, in the order of their keys' bytes.
    public func places(in collection: WalletCollection) -> [WalletPlace] {
        values.keys.filter { $0.collection == collection }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    /// Makes changes, all of them or none.
    public func write(_ changes: [WalletChange]) throws(WalletError) {
        try WalletChange.requireKeys(of: changes)
        var values = values
        for change in changes {
            switch change {
            case .put(let place, let value): values[place] = value
            case .insert(let place, let value):
                guard values.updateValue(value, forKey: place) == nil else {
                    throw WalletError(
                        .storageConflict,
                        "a value is there already",
                        path: [place.collection.description]
                    )
                }
            case .remove(let place): values[place] = nil
            }
        }
        self.values = values
    }
}
