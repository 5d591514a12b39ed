import CryptoCore
public import MdocKit
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A wallet's credentials: several copies of each, counted as they are presented.
///
/// ```swift
/// let store = MdocCredentialStore(try FileMdocStorage(path: path, key: keyFromKeychain))
/// let licence = try await store.add(copies, rotation: .once, refillThreshold: 2, at: Date())
/// let match = try await store.match(request, at: Date())
/// let response = try await store.response(
///     to: match,
///     decision: match.fullConsent(),
///     sessionTranscript: transcript,
///     at: Date()
/// ) { _, handle in .signer(try keychain.key(named: handle)) }
/// ```
/// A copy is counted as used, durably, before anything is signed with its key: a wallet that is stopped at any moment has
/// every credential, and presents no copy more often than its policy allows. At most the copy under way is lost.
public final class MdocCredentialStore: Sendable {
    let storage: any MdocStorage
    let options: MdocReadingOptions
    private let listeners = Mutex(Listeners())

    private struct Listeners {
        var continuations: [UInt64: AsyncStream<WalletEvent>.Continuation] = [:]
        var next: UInt64 = 0
    }

    /// A store over a storage.
    ///
    /// - Parameters:
    ///   - storage: The place where the credentials are kept.
    ///   - options: The options that credentials are read with, the same as when they were added.
    public init(_ storage: any MdocStorage, options: MdocReadingOptions = .strict) {
        self.storage = storage
        self.options = options
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
    /// - Throws: `MdocError` with code `storageFailed`, or `storageDamaged` for a damaged credential: ``contents()`` has the others.
    public func credentials() async throws(MdocError) -> [WalletCredential] {
        var unreadable: [RequestMatch.UnreadableCredential] = []
        let credentials = try await readableCredentials(&unreadable)
        if let first = unreadable.first { throw first.error }
        return credentials
    }

    /// The credentials whose values can be read, by the time of their addition.
    func readableCredentials(
        _ unreadable: inout [RequestMatch.UnreadableCredential]
    ) async throws(MdocError) -> [WalletCredential] {
        var credentials: [WalletCredential] = []
        for record in try await storage.records(in: .credentials) {
            let id = record.place.credentialID
            do throws(MdocError) {
                credentials.append(try WalletCredential(stored: record.value.get(), id: id))
            } catch {
                unreadable.append(RequestMatch.UnreadableCredential(id: id, error: error))
            }
        }
        return credentials.sorted { ($0.addedAt, $0.id) < ($1.addedAt, $1.id) }
    }

    /// The credential with an identifier, or nil.
    ///
    /// - Throws: `MdocError` with code `storageFailed` or `storageDamaged`.
    public func credential(_ id: WalletCredential.ID) async throws(MdocError) -> WalletCredential? {
        try await versioned(id)?.credential
    }

    /// The credentials with no more usable copies than their threshold, by use, by expiry or by damage, and those that their
    /// issuer expects to have updated by now.
    ///
    /// - Throws: `MdocError` with code `storageFailed`, or `storageDamaged` for more than single values.
    public func credentialsToRefill(at time: Date) async throws(MdocError) -> [WalletCredential] {
        let contents = try await contents()
        return contents.credentials.filter { contents.withoutUnreadableCopies($0).needsRefill(at: time) }
    }

    /// The data of a credential, for showing them to the holder: its last copy that can be read, spent or not; nil for an
    /// unknown credential.
    ///
    /// - Throws: `MdocError` with code `storageFailed` or `storageDamaged`, or as `IssuerSigned.init(decoding:options:)` does,
    ///   if no copy can be read.
    public func document(of id: WalletCredential.ID) async throws(MdocError) -> IssuerSigned? {
        guard let credential = try await credential(id) else { return nil }
        var failure: MdocError?
        for copy in credential.copies.reversed() {
            do throws(MdocError) {
                guard let stored = try await stored(copy, of: credential) else { continue }
                return stored.mdoc.issuerSigned
            } catch {
                guard error.isAboutOneValue else { throw error }
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return nil
    }

    /// A credential with the version of its value; nil for an unknown one.
    func versioned(
        _ id: WalletCredential.ID
    ) async throws(MdocError) -> (credential: WalletCredential, version: UInt64)? {
        guard let place = MdocStoragePlace(credential: id), let entry = try await storage.entry(at: place) else {
            return nil
        }
        return (try WalletCredential(stored: entry.value, id: place.credentialID), entry.version)
    }

    /// A copy with the handle of its key; nil if it was removed meanwhile.
    func stored(
        _ copy: WalletCredential.Copy,
        of credential: WalletCredential
    ) async throws(MdocError) -> (mdoc: StoredMdoc, keyHandle: SecretBytes)? {
        guard let place = MdocStoragePlace(copy: copy.number, of: credential.id),
            let entry = try await storage.entry(at: place)
        else { return nil }
        let stored = try StoredCopy(stored: entry.value)
        let mdoc = StoredMdoc(
            id: CopyReference(credential: credential.id, number: copy.number).text,
            issuerSigned: try IssuerSigned(decoding: stored.issuerSigned, options: options),
            deviceKeyUsage: copy.deviceKeyUsage
        )
        return (mdoc, stored.keyHandle)
    }
}

extension MdocError {
    /// Returns `true` for an error of one value, with which others of the storage can be read.
    var isAboutOneValue: Bool { ![.storageFailed, .storageRolledBack, .storageConflict].contains(code) }
}
