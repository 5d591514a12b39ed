import CredentialWallet
import CryptoCore

extension CredentialStorage {
    /// The value at a place, or nil.
    func value(at place: StoragePlace) async throws -> SecretBytes? { try await entry(at: place)?.value }

    /// Puts a value at a place, whatever is there.
    func put(_ value: SecretBytes, at place: StoragePlace) async throws {
        let version = try await entry(at: place)?.version
        try await write([version.map { .replace(place, value, version: $0) } ?? .insert(place, value)])
    }
}

/// A storage over one in memory, some of whose calls are other ones.
protocol StorageOverMemory: CredentialStorage {
    nonisolated var base: InMemoryCredentialStorage { get }
}

extension StorageOverMemory {
    func entry(at place: StoragePlace) async throws(CredentialStoreError) -> StorageEntry? {
        await base.entry(at: place)
    }

    func entries(in collection: StorageCollection) async throws(CredentialStoreError) -> [StorageEntry] {
        await base.entries(in: collection)
    }
}
