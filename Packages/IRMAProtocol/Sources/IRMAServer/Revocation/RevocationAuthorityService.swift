public import CredentialServing
public import CredentialTransport
import CryptoCore
public import IRMAMessages
public import IdemixCore
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The role of a server for a credential type that can be revoked.
public struct RevocationRole: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// A role of bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Tells wallets and verifiers about accumulators and events.
    public static let server = RevocationRole(rawValue: 1)
    /// Makes witnesses, keeps records, revokes, and signs accumulators.
    public static let authority = RevocationRole(rawValue: 2)
}

/// The revocation of credential types: records, events, witnesses, and accumulators that are signed anew.
///
/// Of some types, the server is the authority. Of the others, it asks the authority's server for accumulators and events, keeps
/// them, and posts the records of the credentials that it issues. Several processes may share the records.
public final class RevocationAuthorityService: RevocationUpdateSource {
    /// The settings by credential type.
    public let settings: [CredentialTypeIdentifier: RevocationSettings]
    let records: any RevocationRecords
    private let keyRing: Mutex<IssuerKeyRing>
    let clock: SessionClock
    let remote: RevocationRemote?
    let feed = RevocationFeed()

    /// The time in seconds after which an accumulator is signed anew.
    public static let refreshInterval: Int64 = 60
    static let attempts = 8

    /// A service.
    ///
    /// - Parameters:
    ///   - roles: The roles by credential type.
    ///   - records: The records.
    ///   - issuerKeys: The private keys of the issuers, with keys for revocation.
    ///   - clock: The current time.
    public init(
        roles: [CredentialTypeIdentifier: RevocationRole],
        records: any RevocationRecords,
        issuerKeys: IssuerKeyRing,
        clock: SessionClock = .system
    ) {
        settings = roles.mapValues { RevocationSettings(unchecked: $0) }
        self.records = records
        keyRing = Mutex(issuerKeys)
        self.clock = clock
        remote = nil
    }

    /// A service that also asks the servers of other authorities.
    ///
    /// - Parameters:
    ///   - settings: The settings by credential type. A type without any is asked for at the servers that its scheme names.
    ///   - records: The records; those in memory are for servers that are not an authority.
    ///   - issuerKeys: The private keys of the issuers, with keys for revocation.
    ///   - transport: The requests to the authorities' servers and their events; its guard decides about private addresses.
    ///   - clock: The current time.
    public init(
        settings: [CredentialTypeIdentifier: RevocationSettings],
        records: any RevocationRecords = InMemoryRevocationRecords(),
        issuerKeys: IssuerKeyRing = IssuerKeyRing(),
        transport: any HTTPStreamingTransport,
        clock: SessionClock = .system
    ) {
        self.settings = settings
        self.records = records
        keyRing = Mutex(issuerKeys)
        self.clock = clock
        remote = RevocationRemote(transport)
    }

    /// The private keys of the issuers.
    var issuerKeys: IssuerKeyRing { keyRing.withLock { $0 } }

    /// Takes the private keys that a server has after its schemes or keys were read anew.
    ///
    /// Keys that are not among them stay: credentials that were signed with them can yet be revoked.
    func add(_ issuerKeys: IssuerKeyRing) { keyRing.withLock { $0.add(issuerKeys) } }

    /// The roles by credential type.
    public var roles: [CredentialTypeIdentifier: RevocationRole] { settings.mapValues(\.role) }

    /// Returns `true` if the service has a role for a type.
    public func has(_ role: RevocationRole, for type: CredentialTypeIdentifier) -> Bool {
        settings[type]?.role.contains(role) == true
    }

    /// Returns `true` if the service makes witnesses for credentials of a type: as its authority, or with another one's help.
    func canIssue(_ type: CredentialTypeIdentifier) -> Bool {
        isAuthority(for: type) || remote != nil && settings[type]?.serverURL != nil
    }

    /// Returns `true` if the service revokes credentials of a type.
    func isAuthority(for type: CredentialTypeIdentifier) -> Bool { has(.authority, for: type) }

    /// The newest accumulators of a type with their last events, by the counter of the key.
    ///
    /// A key whose accumulator cannot be read or signed anew is left out; the others are told all the same.
    ///
    /// - Throws: The error of the first key if all of them fail.
    public func updates(
        of type: CredentialTypeIdentifier,
        lastEvents count: Int,
        tolerance: UInt64? = nil,
        schemes: SchemeSnapshot
    ) async throws(IRMAServerError) -> [UInt: RevocationUpdate] {
        try await synchronizeIfPossible(type, tolerance: tolerance, schemes: schemes)
        let (updates, failure) = try await newest(of: type, lastEvents: count)
        if let failure, updates.isEmpty { throw failure }
        return updates
    }

    /// The newest accumulator of one key of a type with its last events, or nil for a key without an accumulator.
    func update(
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        lastEvents count: Int,
        schemes: SchemeSnapshot
    ) async throws(IRMAServerError) -> RevocationUpdate? {
        try await synchronizeIfPossible(type, tolerance: nil, schemes: schemes)
        guard try await keyCounters(of: type).contains(keyCounter) else { return nil }
        return try await accumulator(of: type, keyCounter: keyCounter, lastEvents: count)
    }

    /// Brings a type up to date; a failure counts only for a type of which nothing is known.
    private func synchronizeIfPossible(
        _ type: CredentialTypeIdentifier,
        tolerance: UInt64?,
        schemes: SchemeSnapshot
    ) async throws(IRMAServerError) {
        if let failure = await synchronizationFailure(of: type, tolerance: tolerance, schemes: schemes) {
            // What is known already has its own time, which tells verifiers how long ago it was true.
            guard try await !records.keyCounters(of: type).isEmpty else { throw failure }
        }
    }

    /// The error that kept a type from being brought up to date, or nil.
    private func synchronizationFailure(
        of type: CredentialTypeIdentifier,
        tolerance: UInt64?,
        schemes: SchemeSnapshot
    ) async -> IRMAServerError? {
        do throws(IRMAServerError) {
            try await synchronize(type, tolerance: tolerance, schemes: schemes)
            return nil
        } catch {
            return error
        }
    }

    /// The events of a key with indices in a range, as far as there are any.
    func events(
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        in range: Range<UInt64>
    ) async throws(IRMAServerError) -> RevocationEventList {
        guard let events = try await records.events(of: type, keyCounter: keyCounter, in: range) else {
            throw Self.failure(type, "there are no such events")
        }
        return events
    }

    /// The keys that a type has an accumulator of, or gets one of now: issuers elsewhere make witnesses with older keys, too.
    func keyCounters(of type: CredentialTypeIdentifier) async throws(IRMAServerError) -> [UInt] {
        var counters = Set(try await records.keyCounters(of: type))
        if isAuthority(for: type) {
            for keys in issuerKeys.keyPairs(of: type.issuer) where Self.canSign(keys) {
                counters.insert(keys.publicKey.counter)
            }
        }
        return counters.sorted()
    }

    /// Indicates that accumulators are made and signed with a pair of keys.
    private static func canSign(_ keys: IdemixIssuerKeyPair) -> Bool {
        keys.publicKey.supportsRevocation && keys.privateKey.revocationKey != nil
    }

    /// The accumulator of a key with its last events, signed anew if it is older than a minute and the private key is here.
    func accumulator(
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        lastEvents count: Int
    ) async throws(IRMAServerError) -> RevocationUpdate {
        let keys = issuerKeys.keyPair(of: type.issuer, counter: keyCounter)
        if isAuthority(for: type), let keys, Self.canSign(keys) {
            try await changed(type, keys) { _ in nil }
        }
        guard
            let update = try await records.accumulator(of: type, keyCounter: keyCounter, lastEvents: count)
        else {
            throw Self.failure(type, "there is no accumulator of key \(keyCounter)")
        }
        return update
    }

    /// The newest accumulators of a type by the counter of the key, and the error of the first key that failed.
    ///
    /// Keys do not depend on each other: a failure with one of them leaves the others as they are.
    private func newest(
        of type: CredentialTypeIdentifier,
        lastEvents count: Int
    ) async throws(IRMAServerError) -> (updates: [UInt: RevocationUpdate], failure: IRMAServerError?) {
        var updates: [UInt: RevocationUpdate] = [:]
        var failure: IRMAServerError?
        for counter in try await keyCounters(of: type) {
            do throws(IRMAServerError) {
                updates[counter] = try await accumulator(of: type, keyCounter: counter, lastEvents: count)
            } catch {
                failure = failure ?? error
            }
        }
        return (updates, failure)
    }

    /// The accumulators of a type as subscribers are told about them: with as many last events as they may have missed.
    ///
    /// - Returns: The accumulators in the order of the keys' counters, and the error of the first key that failed.
    func told(
        of type: CredentialTypeIdentifier
    ) async throws(IRMAServerError) -> (updates: [RevocationUpdate], failure: IRMAServerError?) {
        let (updates, failure) = try await newest(of: type, lastEvents: RevocationFeed.backlog)
        return (updates.sorted { $0.key < $1.key }.map(\.value), failure)
    }

    /// Tells the subscribers of a type about a new accumulator.
    ///
    /// The events before the new ones go along: the existing server refuses an accumulator that does not follow the last one
    /// that it has.
    func publish(_ update: RevocationUpdate, of type: CredentialTypeIdentifier) async {
        let counter = update.signedAccumulator.keyCounter
        guard update.events?.count ?? 0 < RevocationFeed.backlog, feed.subscriberCount(of: type) > 0 else {
            return feed.publish(update, of: type)
        }
        let whole = try? await records.accumulator(of: type, keyCounter: counter, lastEvents: RevocationFeed.backlog)
        feed.publish(whole ?? update, of: type)
    }

    /// Changes the accumulator of a key, again from its new state each time another process was first.
    ///
    /// - Parameter body: Returns the next authority and the records that it revokes; nil to change nothing but the time.
    /// - Returns: The accumulator with its last event.
    @discardableResult
    func changed(
        _ type: CredentialTypeIdentifier,
        _ keys: IdemixIssuerKeyPair,
        _ body: (RevocationAuthority) async throws(IRMAServerError) -> (RevocationAuthority, [IssuanceRecord])?
    ) async throws(IRMAServerError) -> RevocationUpdate {
        for _ in 0..<Self.attempts {
            let counter = keys.publicKey.counter
            let stored = try await records.accumulator(of: type, keyCounter: counter, lastEvents: 1)
            let current = try await authority(stored, type, keys)
            let (next, revoked) = try await body(current) ?? (current, [])
            if next.signedAccumulator == stored?.signedAccumulator, let stored { return stored }
            let lastIndex = stored?.events?.lastIndex
            let (added, update) = try Self.converting(type) { () throws(IdemixError) in
                let count = next.events.count { event in lastIndex.map { event.index > $0 } ?? true }
                return (try next.update(lastEvents: count), try next.update(lastEvents: 1))
            }
            do throws(IRMAServerError) {
                try await records.replace(
                    with: added,
                    of: type,
                    keyCounter: counter,
                    expecting: stored?.signedAccumulator,
                    revoking: revoked,
                    at: nanoseconds
                )
                await publish(added, of: type)
                return update
            } catch {
                guard error.code == .conflict else { throw error }
            }
        }
        throw IRMAServerError(.conflict, "other processes changed the accumulator again and again", path: [type.text])
    }

    /// The authority that continues from the stored state: a first one, one signed anew, or the same.
    private func authority(
        _ stored: RevocationUpdate?,
        _ type: CredentialTypeIdentifier,
        _ keys: IdemixIssuerKeyPair
    ) async throws(IRMAServerError) -> RevocationAuthority {
        do throws(IdemixError) {
            let now = clock.now()
            let signer = try keys.privateKey.revocationSigner()
            guard let stored else { return try await RevocationAuthority(keys: keys, at: now, signer: signer) }
            let authority = try RevocationAuthority(keys: keys, continuing: stored)
            let age = now.timeIntervalSince(authority.accumulator.date)
            guard age >= Double(Self.refreshInterval) else { return authority }
            return try await authority.refreshed(at: now, signer: signer)
        } catch {
            throw IRMAServerError(.revocationFailed, error.message, path: [type.text], cause: error)
        }
    }

    var nanoseconds: Int64 { clock.milliseconds * 1_000_000 }
}
