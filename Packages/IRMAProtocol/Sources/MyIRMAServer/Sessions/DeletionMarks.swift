import CredentialServing
import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Marks of the deletions that users are told of at this moment, in the store that the instances share.
///
/// Of several requests for one deletion a single one sends its mail.
struct DeletionMarks: Sendable {
    let store: any SessionStore
    let now: @Sendable () -> Date

    /// The time in seconds after which a mark whose process is gone counts no longer.
    private static let lifetime: TimeInterval = 60

    /// Runs a deletion, unless the same one runs already.
    ///
    /// - Parameters:
    ///   - address: The address to delete; nil for the account.
    ///   - username: The account.
    ///   - deletion: Tells the user, and returns `true` once the deletion is scheduled.
    /// - Returns: `true` if this call has scheduled the deletion.
    func run(
        ofAddress address: String?,
        of username: String,
        _ deletion: () async throws -> Bool
    ) async throws -> Bool {
        let name = [username] + (address.map { [$0] } ?? [])
        let digest = HashAlgorithm.sha256.digest(of: Array(name.joined(separator: "\0").utf8))
        let key = SessionKey(bytes: Array("myirma.deletion.".utf8) + digest)
        do throws(SessionStoreError) {
            try await store.insert(SessionEntry(key: key, value: [], expiry: now() + Self.lifetime))
        } catch {
            guard error.code == .keyExists else { throw error }
            return false
        }
        do {
            let isScheduled = try await deletion()
            await remove(key)
            return isScheduled
        } catch {
            await remove(key)
            throw error
        }
    }

    /// Removes a mark, also for a request that was cancelled; one that stays does no harm after its time.
    private func remove(_ key: SessionKey) async {
        await Task { [store] in _ = try? await store.delete(key) }.value
    }
}
