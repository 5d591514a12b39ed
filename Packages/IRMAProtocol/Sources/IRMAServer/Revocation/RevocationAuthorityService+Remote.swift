import CredentialServing
import CryptoCore
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

    /// Fetches the newest accumulators and events of a type from the server of its authority, and keeps them.
    ///
    /// A server is not asked before half of the tolerance has passed. For a type of which this server is the authority, nothing
    /// happens.
    ///
    /// - Parameters:
    ///   - type: The credential type.
    ///   - tolerance: The tolerance in seconds; nil or 0 for that of the settings.
    ///   - schemes: The schemes.
    /// - Throws: ``IRMAServerError/Code/revocationFailed`` if no server answers, or one contradicts what is known.
    public func synchronize(
        _ type: CredentialTypeIdentifier,
        tolerance: UInt64? = nil,
        schemes: SchemeSnapshot
    ) async throws(IRMAServerError) {
        let settled = Double(settings[type]?.tolerance ?? RevocationSettings.defaultTolerance)
        let tolerance = tolerance.flatMap { $0 == 0 ? nil : Double($0) } ?? settled
        try await synchronize(type, schemes: schemes, maximumAge: tolerance / 2)
    }

    /// Fetches the newest accumulators and events of a type, unless those that are known are recent enough.
    ///
    /// - Parameter age: The age in seconds that the last visit to the server may have.
    func synchronize(
        _ type: CredentialTypeIdentifier,
        schemes: SchemeSnapshot,
        maximumAge age: Double
    ) async throws(IRMAServerError) {
        guard let remote, !isAuthority(for: type), let description = schemes.credentialType(type) else { return }
        let servers = servers(of: description)
        guard !servers.isEmpty else { return }
        let count = UInt64(min(max(description.revocationUpdateCount, 1), 1000))
        try await remote.visit(type, at: clock.now(), maximumAge: age) { () async throws(IRMAServerError) in
            let updates = try await remote.updates(of: type, lastEvents: count, from: servers)
            for (counter, update) in updates.updates.sorted(by: { $0.key < $1.key }) {
                try await self.keep(update, of: type, keyCounter: counter, schemes, servers)
            }
        }
    }

    /// The URLs of the servers that know about a type; none for a type whose name cannot stand in a URL.
    func servers(of description: CredentialTypeDescription) -> [String] {
        guard Self.isOfURLs(description.id) else { return [] }
        return settings[description.id]?.serverURL.map { [$0] }
            ?? description.revocationServers.map(Self.withoutSlash)
    }

    private static func withoutSlash(_ url: String) -> String {
        String(url.reversed().drop { $0 == "/" }.reversed())
    }

    /// Indicates a name that stands in a URL as it is.
    private static func isOfURLs(_ type: CredentialTypeIdentifier) -> Bool {
        type.text.utf8.allSatisfy { byte in
            Unicode.Scalar(byte).properties.isAlphabetic && byte < 0x80 || "0123456789-_.".utf8.contains(byte)
        }
    }

    /// Keeps an update of another server, unless its key is unknown or not one for revocation.
    func keep(
        _ update: RevocationUpdate,
        of type: CredentialTypeIdentifier,
        keyCounter counter: UInt,
        _ schemes: SchemeSnapshot,
        _ servers: [String]
    ) async throws(IRMAServerError) {
        guard let key = schemes.publicKey(of: type.issuer, counter: counter), key.supportsRevocation else { return }
        try await keep(update, of: type, key, servers)
    }

    /// Keeps an update of another server, after its signature was verified and its events were found to follow those that
    /// are known.
    private func keep(
        _ update: RevocationUpdate,
        of type: CredentialTypeIdentifier,
        _ key: IdemixIssuerPublicKey,
        _ servers: [String]
    ) async throws(IRMAServerError) {
        var verified = try Self.converting(type) { () throws(IdemixError) in try update.verified(by: key) }
        for _ in 0..<Self.attempts {
            let stored = try await records.accumulator(of: type, keyCounter: key.counter, lastEvents: 1)
            let known = try Self.converting(type) { () throws(IdemixError) in
                try stored?.signedAccumulator.verified(by: key)
            }
            let news = verified.accumulator
            if let known, (known.index, known.time) >= (news.index, news.time) { return }
            let next = try nextIndex(after: known, verified, type)
            let first = verified.events.first?.index ?? news.index &+ 1
            if next < first, news.index >= next {
                let missing = try await remote?.events(
                    of: type,
                    keyCounter: key.counter,
                    in: next..<first,
                    from: servers
                )
                verified = try Self.converting(type) { () throws(IdemixError) in
                    try update.adding(earlierEvents: missing ?? []).verified(by: key)
                }
            }
            let added = verified.events.filter { $0.index >= next }
            guard known.map({ (added.first?.parent ?? news.eventHash) == $0.eventHash }) ?? true else {
                throw Self.failure(type, "the server's events contradict those that are known")
            }
            let kept = RevocationUpdate(
                signedAccumulator: verified.signedAccumulator,
                events: try RevocationRows.list(added)
            )
            do throws(IRMAServerError) {
                try await records.replace(
                    with: kept,
                    of: type,
                    keyCounter: key.counter,
                    expecting: stored?.signedAccumulator,
                    revoking: [],
                    at: nanoseconds
                )
                await publish(kept, of: type)
                return
            } catch {
                guard error.code == .conflict else { throw error }
            }
        }
        throw IRMAServerError(.conflict, "other processes changed the accumulator again and again", path: [type.text])
    }

    /// The index of the first event that is not known.
    ///
    /// Without any, that is the first one there is for a server that tells others about events, and else the first one that
    /// came.
    private func nextIndex(
        after known: RevocationAccumulator?,
        _ update: VerifiedRevocationUpdate,
        _ type: CredentialTypeIdentifier
    ) throws(IRMAServerError) -> UInt64 {
        guard let known else {
            return has(.server, for: type) ? 0 : update.events.first?.index ?? update.accumulator.index
        }
        let (next, isTooLarge) = known.index.addingReportingOverflow(1)
        guard !isTooLarge else { throw Self.failure(type, "there is no index for another event") }
        return next
    }

    /// Posts the record of a credential to the server of the type's authority.
    func post(_ record: IssuanceRecord, _ keys: IdemixIssuerKeyPair) async throws(IRMAServerError) {
        let type = record.credentialType
        guard let remote, let server = settings[type]?.serverURL, Self.isOfURLs(type) else {
            throw Self.failure(type, "there is no server for records")
        }
        let signer = try Self.converting(type) { () throws(IdemixError) in try keys.privateKey.revocationSigner() }
        let message: [UInt8]
        do throws(IRMAError) {
            message = try await record.signed(with: signer)
        } catch {
            throw IRMAServerError(.revocationFailed, "the record cannot be signed", path: [type.text], cause: error)
        }
        try await remote.post(message, of: type, keyCounter: keys.publicKey.counter, to: server)
    }
}
