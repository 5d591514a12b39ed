import CredentialServing
public import IRMAMessages
import IdemixCore

extension RevocationAuthorityService {
    /// The time in seconds between two rounds of ``run(schemes:onFailure:)``.
    public static let roundInterval: Int64 = 10
    /// The time in seconds after which the records of expired credentials are deleted.
    public static let deletionInterval: Int64 = 300 * 60

    /// Keeps the types of ``settings`` up to date until the task is cancelled: signs the accumulators of an authority anew,
    /// deletes the records of expired credentials, asks the servers of other authorities, and listens to their events where
    /// ``RevocationSettings/listensToEvents`` says so.
    ///
    /// Without it, all but the deletion happens when a session needs it.
    ///
    /// - Parameters:
    ///   - schemes: Returns the current schemes.
    ///   - onFailure: Takes an error; the next round tries again.
    public func run(
        schemes: @escaping @Sendable () -> SchemeSnapshot,
        onFailure: @escaping @Sendable (CredentialTypeIdentifier, IRMAServerError) -> Void = { _, _ in }
    ) async {
        await withTaskGroup { group in
            for (type, setting) in settings where setting.listensToEvents && remote != nil {
                group.addTask { await self.listen(to: type, schemes: schemes, onFailure: onFailure) }
            }
            await runRounds(schemes: schemes, onFailure: onFailure)
            group.cancelAll()
        }
    }

    private func runRounds(
        schemes: @Sendable () -> SchemeSnapshot,
        onFailure: @Sendable (CredentialTypeIdentifier, IRMAServerError) -> Void
    ) async {
        var lastDeletion = clock.milliseconds
        while !Task.isCancelled {
            let isDeletionDue = clock.milliseconds - lastDeletion >= Self.deletionInterval * 1000
            if isDeletionDue { lastDeletion = clock.milliseconds }
            for type in settings.keys.sorted() {
                do throws(IRMAServerError) {
                    try await bringUpToDate(type, schemes: schemes())
                } catch {
                    onFailure(type, error)
                }
                guard isDeletionDue, isAuthority(for: type) else { continue }
                do throws(IRMAServerError) {
                    try await deleteExpiredRecords()
                } catch {
                    onFailure(type, error)
                }
            }
            do { try await clock.timer.sleep(for: .seconds(Self.roundInterval)) } catch { return }
        }
    }

    private func bringUpToDate(
        _ type: CredentialTypeIdentifier,
        schemes: SchemeSnapshot
    ) async throws(IRMAServerError) {
        guard isAuthority(for: type) else { return try await synchronize(type, schemes: schemes) }
        let (updates, failure) = try await told(of: type)
        // Another process may have changed them: then the events since are among the last ones.
        for update in updates { feed.publish(update, of: type) }
        if let failure { throw failure }
    }
}
