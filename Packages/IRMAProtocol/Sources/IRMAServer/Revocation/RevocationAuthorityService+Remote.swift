import CredentialServing
import CryptoCore
public import IRMAMessages
import IdemixCore

extension RevocationAuthorityService {
    /// Fetches the newest accumulators and events of a type from the server of its authority, and keeps them.
    ///
    /// A server is not asked before half of the tolerance has passed. For a type of which this server is the authority, nothing
    /// happens. Keys are independent: a key that fails does not stop the others.
    ///
    /// - Parameters:
    ///   - type: The credential type.
    ///   - tolerance: The tolerance in seconds; nil or 0 for that of the settings.
    ///   - schemes: The schemes.
    /// - Throws: ``IRMAServerError/Code/revocationFailed`` if no server answers, or one contradicts what is known; with several
    ///   keys, the message names each that failed.
    public func synchronize(
        _ type: CredentialTypeIdentifier,
        tolerance: UInt64? = nil,
        schemes: SchemeSnapshot
    ) async throws(IRMAServerError) {
        let settled = Double(settings[type]?.tolerance ?? RevocationSettings.defaultTolerance)
        let tolerance = tolerance.flatMap { $0 == 0 ? nil : Double($0) } ?? settled
        let failures = try await visit(type, schemes: schemes, maximumAge: tolerance / 2).failures
        if let failure = Self.failure(type, failures) { throw failure }
    }

    /// One error for the keys of a type that failed, or nil for none.
    ///
    /// The message names the keys if there are several, or if it is to name a single one, too.
    static func failure(
        _ type: CredentialTypeIdentifier,
        _ failures: [UInt: IRMAServerError],
        namingOne: Bool = false
    ) -> IRMAServerError? {
        let failures = failures.sorted { $0.key < $1.key }
        guard let first = failures.first?.value, namingOne || failures.count > 1 else { return failures.first?.value }
        let reasons = failures.map { counter, error in "key \(counter): \(error.message)" }
        return IRMAServerError(first.code, reasons.joined(separator: "; "), path: [type.text], cause: first)
    }

    /// Fetches the newest accumulators and events of a type, unless those that are known are recent enough.
    ///
    /// - Parameter age: The age in seconds that the last visit to the server may have.
    /// - Returns: The keys that the server was asked about.
    func visit(
        _ type: CredentialTypeIdentifier,
        schemes: SchemeSnapshot,
        maximumAge age: Double
    ) async throws(IRMAServerError) -> RevocationRemote.VisitedKeys {
        guard let remote, !isAuthority(for: type), let description = schemes.credentialType(type) else {
            return RevocationRemote.VisitedKeys()
        }
        let servers = servers(of: description)
        guard !servers.isEmpty else { return RevocationRemote.VisitedKeys() }
        let count = UInt64(min(max(description.revocationUpdateCount, 1), 1000))
        return try await remote.visit(type, at: clock.now(), maximumAge: age) { () async throws(IRMAServerError) in
            let updates = try await remote.updates(of: type, lastEvents: count, from: servers).updates
            return try await self.keep(updates, of: type, schemes, servers)
        }
    }

    /// Keeps the updates of a visit, each by itself.
    ///
    /// - Throws: ``IRMAServerError/Code/cancelled``.
    private func keep(
        _ updates: [UInt: RevocationUpdate],
        of type: CredentialTypeIdentifier,
        _ schemes: SchemeSnapshot,
        _ servers: [String]
    ) async throws(IRMAServerError) -> RevocationRemote.VisitedKeys {
        var visited = RevocationRemote.VisitedKeys()
        for (counter, update) in updates.sorted(by: { $0.key < $1.key }) {
            do throws(IRMAServerError) {
                let isNewest = try await keep(update, of: type, keyCounter: counter, schemes, servers)
                if isNewest { visited.current.insert(counter) }
            } catch {
                guard error.code != .cancelled else { throw error }
                visited.failures[counter] = error
            }
        }
        return visited
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
    ///
    /// - Returns: `true` if the update's accumulator is the newest one that is known.
    @discardableResult
    func keep(
        _ update: RevocationUpdate,
        of type: CredentialTypeIdentifier,
        keyCounter counter: UInt,
        _ schemes: SchemeSnapshot,
        _ servers: [String]
    ) async throws(IRMAServerError) -> Bool {
        guard let key = schemes.publicKey(of: type.issuer, counter: counter), key.supportsRevocation else {
            return false
        }
        return try await keep(update, of: type, key, servers)
    }

    /// Keeps an update of another server, after its signature was verified and its events were found to follow those that
    /// are known.
    private func keep(
        _ update: RevocationUpdate,
        of type: CredentialTypeIdentifier,
        _ key: IdemixIssuerPublicKey,
        _ servers: [String]
    ) async throws(IRMAServerError) -> Bool {
        var verified = try Self.converting(type) { () throws(IdemixError) in try update.verified(by: key) }
        for _ in 0..<Self.attempts {
            let stored = try await records.accumulator(of: type, keyCounter: key.counter, lastEvents: 1)
            let known = try Self.converting(type) { () throws(IdemixError) in
                try stored?.signedAccumulator.verified(by: key)
            }
            let news = verified.accumulator
            if let known {
                let isSame = known.index == news.index
                guard !isSame || (known.eventHash == news.eventHash && known.value == news.value) else {
                    throw Self.failure(type, "the server's accumulator contradicts the one that is known")
                }
                if (known.index, known.time) >= (news.index, news.time) { return isSame }
            }
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
                return true
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

    /// The newest accumulators of a type that another authority's server had at the last visit; none of this server's own types,
    /// whose accumulators are signed anew for every session that needs it.
    public func knownAccumulators(of type: CredentialTypeIdentifier) async -> [UInt: KnownAccumulator] {
        guard !isAuthority(for: type), let visited = remote?.lastVisit(of: type, at: clock.now()) else { return [:] }
        var known: [UInt: KnownAccumulator] = [:]
        // What the server did not confirm has its own time only.
        for counter in visited.keys.current {
            let update = try? await records.accumulator(of: type, keyCounter: counter, lastEvents: 1)
            guard let accumulator = try? update?.signedAccumulator.unverifiedAccumulator() else { continue }
            known[counter] = KnownAccumulator(index: accumulator.index, updated: visited.date)
        }
        return known
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
