public import CredentialWallet
import CryptoCore

/// The promises of a wallet's storage, as tests call them: each throws an error for a broken promise.
///
/// ```swift
/// @Test(arguments: CredentialStorageContract.promises)
/// func keepsThePromise(promise: CredentialStorageContract.Promise) async throws {
///     try await promise.check(emptyStorage)
/// }
/// ```
public struct CredentialStorageContract: Sendable {
    /// A promise that a storage did not keep.
    public struct Breach: Error, CustomStringConvertible {
        /// The promise.
        public let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// A promise with its name.
    public struct Promise: Sendable, CustomStringConvertible {
        /// The name.
        public let description: String
        /// Checks the promise with an empty storage.
        public let check: @Sendable (any CredentialStorage) async throws -> Void
    }

    private static let credentials = StorageCollection(201, "credentials")
    private static let copies = StorageCollection(202, "copies")
    private static let first = StoragePlace(credentials, key: [1])
    private static let second = StoragePlace(credentials, key: [2])
    private static let other = StoragePlace(copies, key: [1])

    /// Every promise.
    public static let promises: [Promise] = [
        Promise(description: "returns what was written") { storage in
            try await storage.write([.insert(first, secret(1, 2, 3)), .insert(second, secret())])
            try await require(first, secret(1, 2, 3), 1, in: storage)
            try await require(second, secret(), 1, in: storage)
        },
        Promise(description: "has nothing at other places") { storage in
            try await storage.write([.insert(first, secret(1))])
            try require(await storage.entry(at: second) == nil, "another key")
            try require(await storage.entry(at: other) == nil, "another collection")
        },
        Promise(description: "counts versions") { storage in
            try await storage.write([.insert(first, secret(1))])
            try await storage.write([.replace(first, secret(2), version: 1)])
            try await storage.write([.replace(first, secret(3), version: 2)])
            try await require(first, secret(3), 3, in: storage)
        },
        Promise(description: "inserts only where there is nothing, and then changes nothing") { storage in
            try await storage.write([.insert(first, secret(1))])
            try await requireConflict(of: [.insert(second, secret(2)), .insert(first, secret(3))], in: storage)
            try await require(first, secret(1), 1, in: storage)
            try require(await storage.entry(at: second) == nil, "a part of a refused write")
        },
        Promise(description: "replaces only the version that is named") { storage in
            try await storage.write([.insert(first, secret(1))])
            try await storage.write([.replace(first, secret(2), version: 1)])
            for version in [0, 1, 3] as [UInt64] {
                try await requireConflict(of: [.replace(first, secret(9), version: version)], in: storage)
            }
            try await requireConflict(of: [.replace(second, secret(9), version: 1)], in: storage)
            try await require(first, secret(2), 2, in: storage)
        },
        Promise(description: "removes only the version that is named") { storage in
            try await storage.write([.insert(first, secret(1)), .insert(other, secret(2))])
            try await requireConflict(of: [.remove(other, version: 1), .remove(first, version: 2)], in: storage)
            try await require(other, secret(2), 1, in: storage)
            try await storage.write([.remove(first, version: 1)])
            try require(await storage.entry(at: first) == nil, "the removed value")
            try await requireConflict(of: [.remove(first, version: 1)], in: storage)
        },
        Promise(description: "makes changes in their order") { storage in
            try await storage.write([
                .insert(first, secret(1)), .replace(first, secret(2), version: 1), .remove(first, version: 2),
                .insert(first, secret(3)),
            ])
            try await require(first, secret(3), 1, in: storage)
        },
        Promise(description: "lists values by the order of their keys' bytes") { storage in
            let keys: [[UInt8]] = [[2], [1, 0], [255], [1], [0, 9]]
            try await storage.write(keys.map { .insert(StoragePlace(copies, key: $0), SecretBytes($0)) })
            try await storage.write([.insert(first, secret(1))])
            let entries = try await storage.entries(in: copies)
            try require(entries.map(\.place.key) == [[0, 9], [1], [1, 0], [2], [255]], "the order")
            try require(entries.allSatisfy { SecretBytes($0.place.key) == $0.value && $0.version == 1 }, "the values")
            let records = try await storage.records(in: copies)
            try require(records.compactMap { try? $0.entry() } == entries, "the records")
            try require(await storage.places(in: copies) == entries.map(\.place), "the places")
            try require(await storage.entries(in: StorageCollection(203, "others")).isEmpty, "an empty collection")
        },
        Promise(description: "refuses keys that are empty or too long") { storage in
            for size in [0, StoragePlace.maximumKeySize + 1] {
                let place = StoragePlace(copies, key: Array(repeating: 7, count: size))
                do {
                    try await storage.write([.insert(first, secret(1)), .insert(place, secret(1))])
                    throw Breach("a key of \(size) bytes was taken")
                } catch let error as CredentialStoreError {
                    try require(error.code == .storageFailed, "the error is \(error)")
                }
            }
            try require(await storage.entry(at: first) == nil, "a part of a refused write")
            let longest = StoragePlace(
                copies,
                key: Array(repeating: 7, count: StoragePlace.maximumKeySize)
            )
            try await storage.write([.insert(longest, secret(5))])
            try await require(longest, secret(5), 1, in: storage)
        },
        Promise(description: "keeps a megabyte") { storage in
            let value = SecretBytes([UInt8](repeating: 0x5a, count: 1 << 20))
            try await storage.write([.insert(first, value)])
            try await require(first, value, 1, in: storage)
        },
        Promise(description: "takes writes from many tasks, and of one version only one") { storage in
            try await storage.write([.insert(first, secret(0))])
            let winners = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<30 as Range<UInt8> {
                    group.addTask {
                        let place = StoragePlace(copies, key: [number])
                        let changes: [StorageChange] = [
                            .insert(place, secret(number)), .replace(first, secret(number), version: 1),
                        ]
                        do {
                            try await storage.write(changes)
                            return true
                        } catch {
                            return false
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            try require(winners == 1, "\(winners) changed one version")
            try require(await storage.entries(in: copies).count == 1, "a part of a refused write")
        },
    ]

    private static func secret(_ bytes: UInt8...) -> SecretBytes { SecretBytes(bytes) }

    private static func require(_ holds: Bool, _ what: String) throws {
        guard holds else { throw Breach(what) }
    }

    private static func require(
        _ place: StoragePlace,
        _ value: SecretBytes,
        _ version: UInt64,
        in storage: any CredentialStorage
    ) async throws {
        let entry = try await storage.entry(at: place)
        try require(entry == StorageEntry(place, value, version: version), "the value is \(entry as Any)")
    }

    private static func requireConflict(
        of changes: [StorageChange],
        in storage: any CredentialStorage
    ) async throws {
        do throws(CredentialStoreError) {
            try await storage.write(changes)
        } catch {
            try require(error.code == .storageConflict, "the error is \(error)")
            return
        }
        throw Breach("a change of another version was made")
    }
}
