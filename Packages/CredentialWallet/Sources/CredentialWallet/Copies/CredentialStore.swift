import CryptoCore
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A wallet's credentials of a format: several copies of each, counted as they are presented.
///
/// ```swift
/// let storage = try FileCredentialStorage(path: path, key: keyFromKeychain)
/// let store = MdocCredentialStore(storage)
/// let licence = try await store.add(copies, rotation: .once, refillThreshold: 2, at: Date())
/// let offer = try await store.copiesToPresent(at: Date())
/// // … the holder decides: then count the chosen copies, and sign with their keys.
/// let handles = try await store.claim(chosen, at: Date())
/// ```
/// A copy is counted as used, durably, before anything is signed with its key: a wallet that is stopped at any moment has
/// every credential, and presents no copy more often than its policy allows. At most the copy under way is lost.
///
/// Stores of several formats share a storage, and a change of one touches no value of another.
public final class CredentialStore<Format: CopyFormat>: Sendable {
    /// The format of the credentials.
    public let format: Format
    let storage: any CredentialStorage
    private let listeners = Mutex(Listeners())

    private struct Listeners {
        var continuations: [UInt64: AsyncStream<WalletEvent>.Continuation] = [:]
        var next: UInt64 = 0
    }

    /// A store over a storage.
    ///
    /// - Parameters:
    ///   - storage: The place where the credentials are kept.
    ///   - format: The format, which reads the credentials with the same options as when they were added.
    public init(_ storage: any CredentialStorage, format: Format) {
        self.storage = storage
        self.format = format
    }

    /// The changes that this store makes from now on.
    public func events() -> AsyncStream<WalletEvent> {
        AsyncStream { continuation in
            let number = listeners.withLock { listeners in
                listeners.next += 1
                listeners.continuations[listeners.next] = continuation
                return listeners.next
            }
            continuation.onTermination = { [weak self] _ in
                self?.listeners.withLock { $0.continuations[number] = nil }
            }
        }
    }

    func send(_ events: [WalletEvent]) {
        let continuations = listeners.withLock { Array($0.continuations.values) }
        for event in events {
            for continuation in continuations { continuation.yield(event) }
        }
    }

    /// The credentials by the time of their addition.
    ///
    /// - Throws: `CredentialStoreError` with code `storageFailed`, or `storageDamaged` for a damaged credential: ``contents()``
    ///   has the others.
    public func credentials() async throws(CredentialStoreError) -> [WalletCredential] {
        var unreadable: [UnreadableValue] = []
        let credentials = try await readableCredentials(&unreadable)
        if let first = unreadable.first { throw first.error }
        return credentials
    }

    /// The credentials whose values can be read, by the time of their addition.
    func readableCredentials(
        _ unreadable: inout [UnreadableValue]
    ) async throws(CredentialStoreError) -> [WalletCredential] {
        var credentials: [WalletCredential] = []
        for record in try await storage.records(in: format.credentials) {
            let id = record.place.credentialID
            do throws(CredentialStoreError) {
                credentials.append(try WalletCredential(stored: record.value.get(), id: id))
            } catch {
                unreadable.append(UnreadableValue(id: id, error: error))
            }
        }
        return credentials.sorted { ($0.addedAt, $0.id) < ($1.addedAt, $1.id) }
    }

    /// The credential with an identifier, or nil.
    ///
    /// - Throws: `CredentialStoreError` with code `storageFailed` or `storageDamaged`.
    public func credential(_ id: WalletCredential.ID) async throws(CredentialStoreError) -> WalletCredential? {
        try await versioned(id)?.credential
    }

    /// The credentials with no more usable copies than their threshold, by use, by expiry or by damage, and those that their
    /// issuer expects to have updated by now.
    ///
    /// - Throws: `CredentialStoreError` with code `storageFailed`, or `storageDamaged` for more than single values.
    public func credentialsToRefill(at time: Date) async throws(CredentialStoreError) -> [WalletCredential] {
        let contents = try await contents()
        return contents.credentials.filter { contents.withoutUnreadableCopies($0).needsRefill(at: time) }
    }

    /// The data of a credential, for showing them to the holder: its last copy that can be read, spent or not; nil for an
    /// unknown credential.
    ///
    /// - Throws: `CredentialStoreError` with code `storageFailed`, and if no copy can be read `storageDamaged` or
    ///   `unreadableCopy`.
    public func copyToShow(of id: WalletCredential.ID) async throws(CredentialStoreError) -> Format.Copy? {
        guard let credential = try await credential(id) else { return nil }
        var failure: CredentialStoreError?
        for copy in credential.copies.reversed() {
            do throws(CredentialStoreError) {
                guard let stored = try await stored(copy, of: credential) else { continue }
                return stored.copy
            } catch {
                guard error.isAboutOneValue else { throw error }
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return nil
    }

    /// The credential with an identifier, and the version that a change must name.
    func versioned(
        _ id: WalletCredential.ID
    ) async throws(CredentialStoreError) -> (credential: WalletCredential, version: UInt64)? {
        guard let place = place(of: id), let entry = try await storage.entry(at: place) else { return nil }
        return (try WalletCredential(stored: entry.value, id: place.credentialID), entry.version)
    }

    /// The stored data of a copy; nil if they were removed meanwhile.
    func stored(
        _ copy: WalletCredential.Copy,
        of credential: WalletCredential
    ) async throws(CredentialStoreError) -> (copy: Format.Copy, keyHandle: SecretBytes)? {
        guard let place = StoragePlace(copy: copy.number, of: credential.id, in: format.copies),
            let entry = try await storage.entry(at: place)
        else { return nil }
        let value = try CopyValue(stored: entry.value)
        let reference = CopyReference(credential: credential.id, number: copy.number)
        return (try read(value, named: reference.text, copy.keyUsage), value.keyHandle)
    }

    /// Reads a copy by its format.
    ///
    /// - Throws: `CredentialStoreError` with code `unreadableCopy`.
    func read(
        _ value: CopyValue,
        named id: String,
        _ keyUsage: CopyKeyUsage
    ) throws(CredentialStoreError) -> Format.Copy {
        do {
            return try format.copy(StoredCopy(id: id, encoded: value.encoded, keyUsage: keyUsage))
        } catch {
            throw CredentialStoreError(.unreadableCopy, "the copy cannot be read", path: [id], cause: error)
        }
    }

    /// The place of a credential; nil for a text that is no identifier.
    func place(of id: WalletCredential.ID) -> StoragePlace? { StoragePlace(credential: id, in: format.credentials) }
}
