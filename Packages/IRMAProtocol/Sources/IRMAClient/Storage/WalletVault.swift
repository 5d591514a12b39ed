import CryptoCore
import IRMAMessages
import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A credential in the vault, with the key and the type that a snapshot of the schemes has for it.
struct VaultCredential: Sendable {
    let place: WalletPlace
    var credential: Credential
    var held: HeldCredential
    var issuedAt: Date
    var witnessUpdatedAt: Date?

    var hash: [UInt8] { held.hash }
}

/// What a wallet keeps: the secret key, credentials, accounts and the log, as its store has them.
///
/// Changes are made one after the other, each in one write, so that sessions that run at the same time see each other's.
actor WalletVault {
    /// The secret key, which all credentials share.
    nonisolated let secretKey: HolderSecretKey
    private let store: any WalletStore
    private let randomness: any RandomSource
    private var stored: [WalletPlace: StoredCredential]
    /// Credentials that were decoded, with the state that they were decoded from.
    private var opened: [WalletPlace: Credential] = [:]
    private var nextLogNumber: UInt64
    /// The issuances of sessions that run.
    private var ownIssuances: Set<WalletPlace> = []
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private static let secretKeyPlace = WalletPlace(.keys, key: Array("secret key".utf8))
    private static let deviceKeyPlace = WalletPlace(.keys, key: Array("device key".utf8))

    private init(
        secretKey: HolderSecretKey,
        store: any WalletStore,
        randomness: any RandomSource,
        stored: [WalletPlace: StoredCredential],
        nextLogNumber: UInt64
    ) {
        self.secretKey = secretKey
        self.store = store
        self.randomness = randomness
        self.stored = stored
        self.nextLogNumber = nextLogNumber
    }

    /// Reads what a store has; a store without a secret key gets one.
    static func open(
        _ store: any WalletStore,
        using randomness: any RandomSource
    ) async throws(WalletError) -> WalletVault {
        let secretKey = try await secretKey(in: store, using: randomness)
        var stored: [WalletPlace: StoredCredential] = [:]
        for place in try await store.places(in: .credentials) {
            guard let value = try await store.value(at: place) else { continue }
            stored[place] = try StoredCredential(decoding: value)
        }
        let last = try await store.places(in: .log).last.flatMap { number(of: $0) }
        return WalletVault(
            secretKey: secretKey,
            store: store,
            randomness: randomness,
            stored: stored,
            nextLogNumber: (last ?? 0) + 1
        )
    }

    private static func secretKey(
        in store: any WalletStore,
        using randomness: any RandomSource
    ) async throws(WalletError) -> HolderSecretKey {
        if let key = try await storedSecretKey(in: store) { return key }
        let key = newSecretKey(using: randomness)
        do throws(WalletError) {
            try await store.write([.insert(secretKeyPlace, key.encodedBytes)])
            return key
        } catch {
            // Another wallet over the same store was faster: its key counts.
            guard error.code == .storageConflict, let key = try await storedSecretKey(in: store) else { throw error }
            return key
        }
    }

    private static func newSecretKey(using randomness: some RandomSource) -> HolderSecretKey {
        HolderSecretKey.random(using: randomness)
    }

    private static func storedSecretKey(in store: any WalletStore) async throws(WalletError) -> HolderSecretKey? {
        guard let value = try await store.value(at: secretKeyPlace) else { return nil }
        do throws(IdemixError) {
            return try HolderSecretKey(decoding: value)
        } catch {
            throw WalletError(.storageDamaged, "the value is no secret key", path: ["keys"], cause: error)
        }
    }

    // MARK: Credentials

    /// The credentials whose type and key the schemes have, the oldest first.
    func credentials(_ schemes: SchemeSnapshot) throws(WalletError) -> [VaultCredential] {
        var credentials: [VaultCredential] = []
        for (place, entry) in stored {
            guard let credential = try credential(at: place, entry, schemes) else { continue }
            credentials.append(credential)
        }
        return credentials.sorted {
            ($0.issuedAt, $0.place.key.hexText) < ($1.issuedAt, $1.place.key.hexText)
        }
    }

    private func credential(
        at place: WalletPlace,
        _ entry: StoredCredential,
        _ schemes: SchemeSnapshot
    ) throws(WalletError) -> VaultCredential? {
        guard let counter = UInt(exactly: entry.keyCounter),
            let publicKey = schemes.publicKey(of: entry.type.issuer, counter: counter)
        else { return nil }
        do {
            let credential: Credential
            if let known = opened[place] {
                credential = known
            } else {
                credential = try Credential(
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

    /// Adds issued credentials in the place of those that they replace, notes the session down, and forgets the pending
    /// issuance, in one write.
    ///
    /// - Returns: The log's entry.
    func add(
        _ issued: [Credential],
        schemes: SchemeSnapshot,
        at time: Date,
        entry: SessionLogEntry,
        forgetting issuance: WalletPlace?
    ) async throws(WalletError) -> SessionLogEntry {
        await lock()
        defer { unlock() }
        var entry = entry
        var changes: [WalletChange] = []
        var current = try credentials(schemes)
        var added: [WalletPlace: (StoredCredential, Credential)] = [:]
        var removed: [WalletPlace] = []
        for credential in issued {
            let held = try WalletError.converting { () throws(IRMAError) in
                try HeldCredential(credential, schemes: schemes)
            }
            let isSingleton = schemes.credentialType(held.type)?.isSingleton == true
            for old in current where old.held.type == held.type {
                let isReplaced = isSingleton || old.hash == held.hash || old.held.values == held.values
                guard isReplaced else { continue }
                if added.removeValue(forKey: old.place) == nil { removed.append(old.place) }
                current.removeAll { $0.place == old.place }
                entry.removed.append(LoggedCredential(old.held, schemes))
            }
            let place = WalletPlace(.credentials, key: randomness.bytes(16))
            let value = StoredCredential(
                type: held.type,
                keyCounter: UInt64(credential.publicKey.counter),
                issuedAt: time,
                witnessUpdatedAt: credential.witness == nil ? nil : time,
                isRevoked: false,
                credential: credential.encodedBytes()
            )
            added[place] = (value, credential)
            current.append(VaultCredential(place: place, credential: credential, held: held, issuedAt: time))
            entry.issued.append(LoggedCredential(held, schemes))
        }
        for (place, value) in added { changes.append(.insert(place, try value.0.encodedBytes())) }
        for place in removed { changes.append(.remove(place)) }
        if let issuance { changes.append(.remove(issuance)) }
        entry = try await write(changes, noting: entry)
        if let issuance { ownIssuances.remove(issuance) }
        for place in removed { (stored[place], opened[place]) = (nil, nil) }
        for (place, value) in added { (stored[place], opened[place]) = (value.0, value.1) }
        return entry
    }

    /// Removes a credential, and notes it down.
    func remove(hash: [UInt8], schemes: SchemeSnapshot, at time: Date) async throws(WalletError) {
        await lock()
        defer { unlock() }
        guard let credential = try credentials(schemes).first(where: { $0.hash == hash }) else {
            throw WalletError(.credentialNotAvailable, "no such credential")
        }
        guard schemes.credentialType(credential.held.type)?.disallowsDeletion != true else {
            throw WalletError(
                .credentialNotAvailable,
                "credentials of the type cannot be deleted",
                path: [credential.held.type.text]
            )
        }
        var entry = SessionLogEntry(
            time: time,
            kind: nil,
            host: "",
            removed: [LoggedCredential(credential.held, schemes)]
        )
        try await store.write([.remove(credential.place), try logChange(&entry)])
        nextLogNumber += 1
        (stored[credential.place], opened[credential.place]) = (nil, nil)
    }

    /// Removes everything but the secret key: credentials, accounts and the log.
    func removeAll() async throws(WalletError) {
        await lock()
        defer { unlock() }
        var changes: [WalletChange] = []
        for collection in WalletCollection.all where collection != .keys {
            for place in try await store.places(in: collection) { changes.append(.remove(place)) }
        }
        try await store.write(changes)
        (stored, opened) = ([:], [:])
    }

    /// Keeps a newer witness of a credential, or that it was revoked.
    ///
    /// A witness that is older than the one that is kept changes nothing, nor does one of a credential that is gone.
    func update(
        _ hash: [UInt8],
        witness: RevocationWitness?,
        schemes: SchemeSnapshot,
        at time: Date
    ) async throws(WalletError) {
        await lock()
        defer { unlock() }
        guard let current = try credentials(schemes).first(where: { $0.hash == hash }),
            var value = stored[current.place]
        else { return }
        var credential = current.credential
        if let witness {
            let known = credential.witness?.accumulator
            guard witness.accumulator.index >= known?.index ?? 0 else { return }
            credential = try WalletError.converting { () throws(IdemixError) in
                try credential.updatingWitness(witness)
            }
            value.credential = credential.encodedBytes()
            value.witnessUpdatedAt = time
        } else {
            value.isRevoked = true
        }
        try await store.write([.put(current.place, try value.encodedBytes())])
        (stored[current.place], opened[current.place]) = (value, credential)
    }

    // MARK: Pending issuances

    /// Keeps an issuance of a session of this process.
    func keep(_ issuance: StoredIssuance) async throws(WalletError) -> WalletPlace {
        let place = WalletPlace(.issuances, key: randomness.bytes(16))
        try await store.write([.insert(place, try issuance.encodedBytes())])
        ownIssuances.insert(place)
        return place
    }

    /// The issuances that an earlier process left.
    func leftIssuances() async throws(WalletError) -> [(WalletPlace, SecretBytes)] {
        var left: [(WalletPlace, SecretBytes)] = []
        for place in try await store.places(in: .issuances) where !ownIssuances.contains(place) {
            if let value = try await store.value(at: place) { left.append((place, value)) }
        }
        return left
    }

    /// Forgets an issuance whose signatures will not come.
    func forgetIssuance(at place: WalletPlace) async throws(WalletError) {
        try await store.write([.remove(place)])
        ownIssuances.remove(place)
    }

    // MARK: Accounts

    /// The account at a scheme's keyshare server, or `nil`.
    func account(of scheme: SchemeIdentifier) async throws(WalletError) -> KeyshareAccount? {
        guard let value = try await store.value(at: KeyshareAccount.place(of: scheme)) else { return nil }
        let account = try KeyshareAccount(decoding: value)
        guard account.scheme == scheme else {
            throw WalletError(.storageDamaged, "the account of another scheme", path: ["accounts"])
        }
        return account
    }

    /// All accounts.
    func accounts() async throws(WalletError) -> [KeyshareAccount] {
        var accounts: [KeyshareAccount] = []
        for place in try await store.places(in: .accounts) {
            guard let value = try await store.value(at: place) else { continue }
            accounts.append(try KeyshareAccount(decoding: value))
        }
        return accounts.sorted { $0.scheme < $1.scheme }
    }

    /// Keeps an account.
    func put(_ account: KeyshareAccount) async throws(WalletError) {
        try await store.write([.put(KeyshareAccount.place(of: account.scheme), account.encodedBytes())])
    }

    /// Removes an account.
    func removeAccount(of scheme: SchemeIdentifier) async throws(WalletError) {
        try await store.write([.remove(KeyshareAccount.place(of: scheme))])
    }

    /// The device's key in software, for wallets without hardware for it; made when it is first needed.
    func softwareDeviceKey() async throws(WalletError) -> PrivateKey {
        await lock()
        defer { unlock() }
        do {
            if let value = try await store.value(at: Self.deviceKeyPlace) {
                return try PrivateKey(curve: .p256, rawRepresentation: value)
            }
            let key = try PrivateKey.generate(.p256)
            guard let bytes = key.rawRepresentation else {
                throw WalletError(.storageFailed, "the key has no form for storage", path: ["keys"])
            }
            try await store.write([.insert(Self.deviceKeyPlace, bytes)])
            return key
        } catch let error as WalletError {
            throw error
        } catch {
            throw WalletError(.storageDamaged, "the value is no device key", path: ["keys"], cause: error)
        }
    }

    // MARK: Log

    /// Notes a session down that changed nothing else.
    func append(_ entry: SessionLogEntry) async throws(WalletError) -> SessionLogEntry {
        await lock()
        defer { unlock() }
        return try await write([], noting: entry)
    }

    /// Makes changes, together with an entry of the log.
    private func write(
        _ changes: [WalletChange],
        noting entry: SessionLogEntry
    ) async throws(WalletError) -> SessionLogEntry {
        var entry = entry
        var attempt = 1
        while true {
            do throws(WalletError) {
                try await store.write(changes + [try logChange(&entry)])
                nextLogNumber += 1
                return entry
            } catch {
                // Another wallet over the same store has used the number.
                guard error.code == .storageConflict, attempt < 3 else { throw error }
                attempt += 1
                nextLogNumber = (try await store.places(in: .log).last.flatMap { Self.number(of: $0) } ?? 0) + 1
            }
        }
    }

    /// Entries of the log, the newest first.
    func log(before number: UInt64?, limit: Int) async throws(WalletError) -> [SessionLogEntry] {
        var entries: [SessionLogEntry] = []
        for place in try await store.places(in: .log).reversed() {
            guard entries.count < limit else { break }
            guard let own = Self.number(of: place), number.map({ own < $0 }) ?? true,
                let value = try await store.value(at: place)
            else { continue }
            do throws(IRMAError) {
                var entry = try SessionLogEntry(decoding: value.withUnsafeBytes { [UInt8]($0) })
                entry.number = own
                entries.append(entry)
            } catch {
                throw WalletError(.storageDamaged, "the value is no entry of the log", path: ["log"], cause: error)
            }
        }
        return entries
    }

    private func logChange(_ entry: inout SessionLogEntry) throws(WalletError) -> WalletChange {
        entry.number = nextLogNumber
        let key = withUnsafeBytes(of: nextLogNumber.bigEndian) { Array($0) }
        let written = entry
        let bytes = try WalletError.converting { () throws(IRMAError) in try written.encodedBytes() }
        return .insert(WalletPlace(.log, key: key), SecretBytes(bytes))
    }

    private static func number(of place: WalletPlace) -> UInt64? {
        guard place.key.count == 8 else { return nil }
        return place.key.reduce(0) { $0 << 8 | UInt64($1) }
    }

    // MARK: One change after the other

    private func lock() async {
        guard isBusy else {
            isBusy = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func unlock() {
        guard !waiting.isEmpty else {
            isBusy = false
            return
        }
        waiting.removeFirst().resume()
    }
}

extension LoggedCredential {
    /// What the log remembers of a credential.
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
