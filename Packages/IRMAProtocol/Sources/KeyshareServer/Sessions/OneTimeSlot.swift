import CredentialServing
import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One secret value for each account that is handed out once, in a session store that several servers may share.
struct OneTimeSlot: Sendable {
    private let store: any SessionStore
    private let seal: SecretSeal
    private let purpose: String
    private let lifetime: TimeInterval
    private let now: @Sendable () -> Date

    /// The number of attempts to replace a value while other requests of the account do the same.
    private static let attempts = 16

    init(
        _ purpose: String,
        in store: any SessionStore,
        seal: SecretSeal,
        lifetime: TimeInterval,
        now: @escaping @Sendable () -> Date
    ) {
        self.purpose = purpose
        self.store = store
        self.seal = seal
        self.lifetime = lifetime
        self.now = now
    }

    /// The account that a value belongs to: its name and the identifier of its secrets, so that a changed PIN makes the
    /// value worthless.
    struct Owner: Sendable {
        let username: String
        let id: SecretBytes
    }

    /// Keeps a value for an account, in place of an earlier one.
    func put(_ value: SecretBytes, for owner: Owner) async throws {
        let sealed = try seal.seal(session: value, purpose: purpose, place: place(owner))
        let key = key(owner)
        let expiry = now() + lifetime
        for _ in 0..<Self.attempts {
            do throws(SessionStoreError) {
                if var entry = try await store.entry(for: key) {
                    entry.value = sealed
                    entry.expiry = expiry
                    try await store.swap(entry)
                } else {
                    try await store.insert(SessionEntry(key: key, value: sealed, expiry: expiry))
                }
                return
            } catch {
                guard [.keyExists, .conflict, .notFound].contains(error.code) else { throw error }
            }
        }
        throw SessionStoreError(.tooManyAttempts, "other requests of the account won \(Self.attempts) times")
    }

    /// Takes the value of an account; nil without one, or if another request took it.
    func take(for owner: Owner) async throws(SessionStoreError) -> SecretBytes? {
        let key = key(owner)
        guard let entry = try await store.entry(for: key) else { return nil }
        do throws(SessionStoreError) {
            guard try await store.delete(key, version: entry.version) else { return nil }
        } catch {
            guard error.code == .conflict else { throw error }
            return nil
        }
        return seal.open(session: entry.value, purpose: purpose, place: place(owner))
    }

    private func key(_ owner: Owner) -> SessionKey {
        let name = HashAlgorithm.sha256.digest(of: Array("\(purpose)\0\(owner.username)".utf8))
        return SessionKey(bytes: Array("keyshare.\(purpose).".utf8) + name)
    }

    /// The identifier, which has a fixed length, and the name.
    private func place(_ owner: Owner) -> SecretBytes {
        let name = Array(owner.username.utf8)
        return SecretBytes(count: owner.id.count + name.count) { place in
            owner.id.withUnsafeBytes { place.copyMemory(from: $0) }
            for (position, byte) in name.enumerated() { place[owner.id.count + position] = byte }
        }
    }
}
