import CryptoCore
public import IRMAClient

/// The promises of a wallet's store, as tests call them: each throws an error for a broken promise.
public struct WalletStoreContract: Sendable {
    /// A promise that a store did not keep.
    public struct Breach: Error, CustomStringConvertible {
        /// The promise.
        public let description: String
    }

    /// A promise with its name.
    public struct Promise: Sendable, CustomStringConvertible {
        /// The name.
        public let description: String
        /// Checks the promise with an empty store.
        public let check: @Sendable (any WalletStore) async throws -> Void
    }

    private static let first = WalletPlace(.credentials, key: [1])
    private static let second = WalletPlace(.credentials, key: [2])

    /// Every promise.
    public static let promises: [Promise] = [
        Promise(description: "returns what was written") { store in
            try await store.write([.put(first, secret(1, 2, 3)), .insert(second, secret())])
            try require(await store.value(at: first) == secret(1, 2, 3), "the value")
            try require(await store.value(at: second) == secret(), "an empty value")
        },
        Promise(description: "has nothing at other places") { store in
            try await store.write([.put(first, secret(1))])
            try require(await store.value(at: second) == nil, "another key")
            try require(await store.value(at: WalletPlace(.log, key: [1])) == nil, "another collection")
        },
        Promise(description: "replaces and removes") { store in
            try await store.write([.put(first, secret(1)), .put(second, secret(2))])
            try await store.write([.put(first, secret(3)), .remove(second), .remove(WalletPlace(.log, key: [9]))])
            try require(await store.value(at: first) == secret(3), "the replaced value")
            try require(await store.value(at: second) == nil, "the removed value")
        },
        Promise(description: "inserts only where there is nothing, and then changes nothing") { store in
            try await store.write([.put(first, secret(1))])
            do {
                try await store.write([.put(second, secret(2)), .insert(first, secret(3))])
                throw Breach(description: "a second value was inserted")
            } catch let error as WalletError {
                try require(error.code == .storageConflict, "the error is \(error)")
            }
            try require(await store.value(at: first) == secret(1), "the first value")
            try require(await store.value(at: second) == nil, "a part of a refused write")
        },
        Promise(description: "makes changes in their order") { store in
            try await store.write([.put(first, secret(1)), .remove(first), .insert(first, secret(2))])
            try require(await store.value(at: first) == secret(2), "the last change")
        },
        Promise(description: "lists places by the order of their keys' bytes") { store in
            let keys: [[UInt8]] = [[2], [1, 0], [255], [1], [0, 9]]
            try await store.write(keys.map { .put(WalletPlace(.log, key: $0), secret(1)) })
            try await store.write([.put(first, secret(1))])
            let places = try await store.places(in: .log).map(\.key)
            try require(places == [[0, 9], [1], [1, 0], [2], [255]], "the order is \(places)")
            try require(await store.places(in: .accounts).isEmpty, "an empty collection")
        },
        Promise(description: "refuses keys that are empty or too long") { store in
            for size in [0, WalletPlace.maximumKeySize + 1] {
                let place = WalletPlace(.log, key: Array(repeating: 7, count: size))
                do {
                    try await store.write([.put(first, secret(1)), .put(place, secret(1))])
                    throw Breach(description: "a key of \(size) bytes was taken")
                } catch let error as WalletError {
                    try require(error.code == .storageFailed, "the error is \(error)")
                }
            }
            try require(await store.value(at: first) == nil, "a part of a refused write")
            let longest = WalletPlace(.log, key: Array(repeating: 7, count: WalletPlace.maximumKeySize))
            try await store.write([.put(longest, secret(5))])
            try require(await store.value(at: longest) == secret(5), "the longest key")
        },
        Promise(description: "keeps a megabyte") { store in
            let value = SecretBytes([UInt8](repeating: 0x5a, count: 1 << 20))
            try await store.write([.put(first, value)])
            try require(await store.value(at: first) == value, "the value")
        },
        Promise(description: "takes writes from many tasks") { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 as Range<UInt8> {
                    group.addTask {
                        try await store.write([.insert(WalletPlace(.log, key: [number]), secret(number))])
                    }
                }
                try await group.waitForAll()
            }
            try require(await store.places(in: .log).count == 50, "a write is lost")
        },
    ]

    private static func secret(_ bytes: UInt8...) -> SecretBytes { SecretBytes(bytes) }

    private static func require(_ holds: Bool, _ what: String) throws {
        guard holds else { throw Breach(description: what) }
    }
}
