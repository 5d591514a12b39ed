import CredentialWallet
import CryptoCore
import IRMAMessages
import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension WalletVault {
    /// The credentials whose type and key the schemes have, the oldest first, without those that cannot be read.
    func credentials(_ schemes: SchemeSnapshot) -> [VaultCredential] { read(schemes).credentials }

    /// The credentials that cannot be read, in the order of their places.
    func unreadable(_ schemes: SchemeSnapshot) -> [UnreadableCredential] { read(schemes).unreadable }

    private func read(
        _ schemes: SchemeSnapshot
    ) -> (credentials: [VaultCredential], unreadable: [UnreadableCredential]) {
        var credentials: [VaultCredential] = []
        var unreadable = damaged.map { UnreadableCredential(place: $0, type: nil, reason: $1.reason) }
        for (place, entry) in stored {
            do throws(WalletError) {
                guard let credential = try credential(at: place, entry, schemes) else { continue }
                credentials.append(credential)
            } catch {
                unreadable.append(UnreadableCredential(place: place, type: entry.type, reason: error))
            }
        }
        credentials.sort { ($0.issuedAt, $0.place.key.hexText) < ($1.issuedAt, $1.place.key.hexText) }
        unreadable.sort { $0.place.key.hexText < $1.place.key.hexText }
        // The oldest of those with one hash keeps it.
        var hashes: Set<[UInt8]> = []
        for position in credentials.indices where !hashes.insert(credentials[position].hash).inserted {
            credentials[position].held.hash = credentials[position].credential.unambiguousHash
        }
        return (credentials, unreadable)
    }

    private func credential(
        at place: StoragePlace,
        _ entry: StoredCredential,
        _ schemes: SchemeSnapshot
    ) throws(WalletError) -> VaultCredential? {
        guard let counter = UInt(exactly: entry.keyCounter),
            let publicKey = schemes.publicKey(of: entry.type.issuer, counter: counter)
        else { return nil }
        do {
            let credential: IdemixCredential
            // An update of the schemes may have changed the key.
            if let known = opened[place], known.publicKey == publicKey {
                credential = known
            } else {
                credential = try IdemixCredential(
                    decodingVouchedFor: entry.credential,
                    publicKey: publicKey,
                    secretKey: secretKey
                )
            }
            opened[place] = credential
            return VaultCredential(
                place: place,
                credential: credential,
                held: try HeldCredential(credential, schemes: schemes, isRevoked: entry.isRevoked),
                issuedAt: entry.issuedAt,
                witnessUpdatedAt: entry.witnessUpdatedAt
            )
        } catch let error as IRMAError where error.code == .unknownIdentifier {
            return nil
        } catch {
            throw WalletError(.storageDamaged, "the credential cannot be read", path: [entry.type.text], cause: error)
        }
    }

    /// Adds issued credentials in the place of those that they replace, notes the session down, completes the account whose
    /// enrolment it ends, and forgets the pending issuance, in one write.
    ///
    /// A credential of a type of which there is one at a time also replaces one that cannot be read.
    ///
    /// - Returns: The log's entry.
    /// - Throws: ``WalletError/Code/keyshareUnenrolled`` for an issuance that ended with its account meanwhile;
    ///   ``WalletError/Code/storageConflict`` for one that another wallet over the storage has finished.
    func add(
        _ issued: [IdemixCredential],
        schemes: SchemeSnapshot,
        at time: Date,
        entry: SessionLogEntry,
        completing scheme: SchemeIdentifier?,
        forgetting issuance: StoragePlace?
    ) async throws(WalletError) -> SessionLogEntry {
        try await changing { () async throws(WalletError) in
            var entry = entry
            var changes: [StorageChange] = []
            if let issuance { changes.append(try await removal(ofIssuance: issuance)) }
            if let scheme {
                // Issuances end with their account: it is the one of the enrolment.
                guard var enrolled = try await storedAccount(of: scheme) else { throw Self.unenrolled(scheme) }
                enrolled.account.isComplete = true
                changes.append(enrolled.account.change(replacing: enrolled.version))
            }
            var current = credentials(schemes)
            var added: [StoragePlace: (StoredCredential, IdemixCredential)] = [:]
            var removed: [StoragePlace] = []
            // Credentials of one time are in the order of their places, which is that of the session.
            let places = issued.map { _ in randomness.bytes(16) }.sorted { $0.lexicographicallyPrecedes($1) }
            for (credential, key) in zip(issued, places) {
                let held = try WalletError.converting { () throws(IRMAError) in
                    try HeldCredential(credential, schemes: schemes)
                }
                let isSingleton = schemes.credentialType(held.type)?.isSingleton == true
                for old in current where old.held.type == held.type {
                    guard isSingleton || Self.replaces(credential, held, old) else { continue }
                    if added.removeValue(forKey: old.place) == nil { removed.append(old.place) }
                    current.removeAll { $0.place == old.place }
                    entry.removed.append(LoggedCredential(old.held, schemes))
                }
                if isSingleton {
                    for place in unavailable(held.type, besides: current) where !removed.contains(place) {
                        removed.append(place)
                        entry.removed.append(LoggedCredential(held.type, attributes: []))
                    }
                }
                let place = StoragePlace(.irmaCredentials, key: key)
                let value = StoredCredential(
                    type: held.type,
                    keyCounter: UInt64(credential.publicKey.counter),
                    issuedAt: time,
                    witnessUpdatedAt: credential.witness == nil ? nil : time,
                    isRevoked: false,
                    credential: credential.encoded()
                )
                added[place] = (value, credential)
                current.append(VaultCredential(place: place, credential: credential, held: held, issuedAt: time))
                entry.issued.append(LoggedCredential(held, schemes))
            }
            for (place, value) in added { changes.append(.insert(place, try value.0.encoded())) }
            changes += removed.compactMap { removing($0) }
            entry = try await write(changes, noting: entry)
            if let issuance { ownIssuances.remove(issuance) }
            for place in removed { (stored[place], opened[place]) = (nil, nil) }
            for (place, value) in added { (stored[place], opened[place]) = (value.0, value.1) }
            return entry
        }
    }

    /// The places of a type's credentials that cannot be read, or whose key the schemes lack.
    private func unavailable(_ type: CredentialTypeIdentifier, besides current: [VaultCredential]) -> [StoragePlace] {
        let readable = Set(current.map(\.place))
        return stored.filter { $0.value.type == type && !readable.contains($0.key) }.map(\.key)
            .sorted { $0.key.hexText < $1.key.hexText }
    }

    /// Returns `true` for a credential that differs in nothing but its metadata, or has the values of a revoked one.
    ///
    /// Two revocable credentials differ in the attribute that their witnesses are for: one may be revoked without the other.
    private static func replaces(_ new: IdemixCredential, _ held: HeldCredential, _ old: VaultCredential) -> Bool {
        old.credential.presentIntegers == new.presentIntegers || old.held.isRevoked && old.held.values == held.values
    }

    /// Removes a credential, and notes it down.
    func remove(hash: [UInt8], schemes: SchemeSnapshot, at time: Date) async throws(WalletError) {
        try await changing { () async throws(WalletError) in
            guard let credential = credentials(schemes).first(where: { $0.hash == hash }) else {
                throw WalletError(.credentialNotAvailable, "no such credential")
            }
            guard schemes.credentialType(credential.held.type)?.disallowsDeletion != true else {
                throw WalletError(
                    .credentialNotAvailable,
                    "credentials of the type cannot be deleted",
                    path: [credential.held.type.text]
                )
            }
            try await remove(credential.place, noting: [LoggedCredential(credential.held, schemes)], at: time)
        }
    }

    /// Removes a credential that cannot be read, and notes its type down.
    func remove(unreadable place: StoragePlace, schemes: SchemeSnapshot, at time: Date) async throws(WalletError) {
        try await changing { () async throws(WalletError) in
            guard let credential = unreadable(schemes).first(where: { $0.place == place }) else {
                throw WalletError(.credentialNotAvailable, "no credential that cannot be read")
            }
            let removed = credential.type.map { [LoggedCredential($0, attributes: [])] } ?? []
            try await remove(place, noting: removed, at: time)
        }
    }

    private func remove(
        _ place: StoragePlace,
        noting removed: [LoggedCredential],
        at time: Date
    ) async throws(WalletError) {
        let changes = removing(place).map { [$0] } ?? []
        _ = try await write(changes, noting: SessionLogEntry(time: time, kind: nil, host: "", removed: removed))
        (stored[place], opened[place], damaged[place]) = (nil, nil, nil)
    }

    /// Removes everything but the secret key: credentials, accounts and the log.
    ///
    /// - Returns: The messages of the issuances that were under way.
    func removeAll() async throws(WalletError) -> [[UInt8]] {
        try await changing { () async throws(WalletError) in
            let commitments = try await issuances(of: nil).map(\.commitments)
            var changes: [StorageChange] = []
            for collection in StorageCollection.irma where collection != .irmaKeys {
                for record in try await storage.records(in: collection) {
                    changes.append(.remove(record.place, version: record.version))
                }
            }
            try await storage.write(changes)
            (stored, opened, damaged) = ([:], [:], [:])
            ownIssuances = []
            return commitments
        }
    }

    /// Keeps a newer witness of a credential, or that it was revoked.
    ///
    /// A witness that is older than the one that is kept changes nothing, nor does one of a credential that is gone.
    /// The time is nil for a witness that is not the newest yet.
    func update(
        _ hash: [UInt8],
        witness: RevocationWitness?,
        schemes: SchemeSnapshot,
        at time: Date?
    ) async throws(WalletError) {
        try await changing { () async throws(WalletError) in
            guard let current = credentials(schemes).first(where: { $0.hash == hash }),
                var value = stored[current.place]
            else { return }
            var credential = current.credential
            if let witness {
                let known = credential.witness?.accumulator
                guard witness.accumulator.index >= known?.index ?? 0 else { return }
                credential = try WalletError.convertingIdemix { () throws(IdemixError) in
                    try credential.updatingWitness(witness)
                }
                value.credential = credential.encoded()
                if let time { value.witnessUpdatedAt = time }
            } else {
                value.isRevoked = true
            }
            try await storage.write([.replace(current.place, try value.encoded(), version: value.version)])
            value.version += 1
            (stored[current.place], opened[current.place]) = (value, credential)
        }
    }
}

extension IdemixCredential {
    /// The integers behind the metadata, up to the last that is present: the type may have gained attributes between two
    /// issuances of the same values.
    fileprivate var presentIntegers: [BigInteger] {
        var integers = Array(attributes.dropFirst())
        while integers.last?.isZero == true { integers.removeLast() }
        return integers
    }

    /// The SHA-256 of all integers except the secret key, each after its length in 4 bytes.
    ///
    /// `hash`, which is the reference's, runs the integers together: an absent attribute has no bytes in it, so that a value in
    /// one place and the same value in another give the same.
    var unambiguousHash: [UInt8] {
        let bytes = attributes.map(\.bytes).flatMap { bytes in
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: bytes.count).bigEndian) { Array($0) } + bytes
        }
        return HashAlgorithm.sha256.digest(of: bytes)
    }
}

extension LoggedCredential {
    /// The part of a credential that the log remembers.
    init(_ held: HeldCredential, _ schemes: SchemeSnapshot) {
        let names = schemes.credentialType(held.type)?.attributes ?? []
        let attributes = names.enumerated().compactMap { position, attribute -> LoggedAttribute? in
            guard !attribute.isRevocation else { return nil }
            let id = AttributeIdentifier(held.type, attribute: attribute.name)
            return LoggedAttribute(id, value: held.values[position + 2] ?? nil)
        }
        self.init(held.type, attributes: attributes)
    }
}

extension [UInt8] {
    /// The bytes in hexadecimal digits.
    var hexText: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
