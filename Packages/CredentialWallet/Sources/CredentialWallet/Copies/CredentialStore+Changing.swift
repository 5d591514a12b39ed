public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CredentialStore {
    /// The largest number of times that a change begins again because others change the same credential.
    static var maximumAttempts: Int { 64 }

    /// Adds a credential with its copies, all or nothing.
    ///
    /// - Parameters:
    ///   - copies: The copies, at least one, all of one type.
    ///   - display: The issuer's data for showing the credential, one per language.
    ///   - rotation: The number of presentations that a copy serves: ``RotationPolicy/once`` where the issuer gave several copies
    ///     so that presentations cannot be linked.
    ///   - refillThreshold: The number of usable copies at which to fetch more; below 0 counts as 0.
    ///   - time: The time of the addition.
    ///   - random: The source of the identifier.
    /// - Throws: `CredentialStoreError` with code `invalidCopies` for no copies or several types, `duplicateCopy` for two equal
    ///   copies, `unreadableCopy` for one that the store's options do not allow to read again, `limitExceeded` for a handle that is
    ///   too long; `storageFailed` or `storageDamaged`, after which the credential may be there: look before you add its copies
    ///   once more, which would be shown twice.
    @discardableResult
    public func add(
        _ copies: [Format.NewCopy],
        display: [CredentialDisplay] = [],
        rotation: RotationPolicy,
        refillThreshold: Int = 0,
        at time: Date,
        using random: some RandomSource = .system
    ) async throws(CredentialStoreError) -> WalletCredential {
        let copies = try readableParts(of: copies)
        guard let type = copies.first?.type else {
            throw CredentialStoreError(.invalidCopies, "a credential has at least one copy")
        }
        let place = StoragePlace(format.credentials, key: random.bytes(StoragePlace.identifierSize))
        var credential = WalletCredential(
            id: place.credentialID,
            type: type,
            addedAt: time,
            rotation: rotation,
            refillThreshold: max(refillThreshold, 0),
            display: display,
            copies: [],
            nextNumber: 1
        )
        let added = try credential.add(copies, in: format.copies)
        try await storage.write(added + [.insert(place, credential.encoded())])
        send([.added(credential.id)])
        return credential
    }

    /// Adds copies to a credential, and removes those that are spent, expired or damaged, all or nothing.
    ///
    /// - Parameters:
    ///   - copies: The copies, of the credential's type.
    ///   - id: The identifier of the credential.
    ///   - time: The time.
    /// - Returns: The credential, and the handles of the removed copies' keys, to be deleted by the wallet.
    /// - Throws: `CredentialStoreError` with code `unknownCredential`, `invalidCopies` for another type, `duplicateCopy` for a
    ///   copy that is there, `unreadableCopy`, `limitExceeded`, `storageFailed`, `storageDamaged` for the credential itself, or
    ///   `storageConflict`.
    public func add(
        _ copies: [Format.NewCopy],
        to id: WalletCredential.ID,
        at time: Date
    ) async throws(CredentialStoreError) -> RefilledCredential {
        let copies = try readableParts(of: copies)
        for _ in 0..<Self.maximumAttempts {
            guard let (found, version) = try await versioned(id), let place = place(of: found.id) else {
                throw CredentialStoreError(.unknownCredential, "the store has no credential \(id)")
            }
            var credential = found
            let stored = try await copyRecords(of: place)
            let useless = credential.copies.filter { copy in
                !copy.isUnspent(by: credential.rotation) || copy.validUntil < time
                    || stored[copy.number]?.isDamagedCopy ?? true
            }
            let added = try credential.add(copies, in: format.copies)
            credential.copies.removeAll { copy in useless.contains { $0.number == copy.number } }
            let removed = useless.compactMap { stored[$0.number] }
            let changes = added + removed.map(\.removal)
            guard try await isWritten(changes + [.replace(place, credential.encoded(), version: version)]) else {
                continue
            }
            send([.refilled(id)])
            let handles = CopyKeyHandles(of: removed)
            return RefilledCredential(
                credential: credential,
                removedKeyHandles: handles.handles,
                removedUnreadableCopies: handles.unreadable
            )
        }
        throw Self.contention(id)
    }

    /// Counts uses of copies, all or none.
    ///
    /// - Returns: The handles of the copies' keys.
    /// - Throws: `CredentialStoreError` with code `unknownCredential`, `spentCopy` or `outsideValidity`; `storageFailed`,
    ///   `storageDamaged` or `storageConflict`.
    func claim(
        _ copies: Set<CopyReference>,
        at time: Date
    ) async throws(CredentialStoreError) -> [CopyReference: SecretBytes] {
        for _ in 0..<Self.maximumAttempts {
            var handles: [CopyReference: SecretBytes] = [:]
            var changes: [StorageChange] = []
            var events: [WalletEvent] = []
            for (id, references) in Dictionary(grouping: copies, by: \.credential) {
                guard let (found, version) = try await versioned(id), let place = place(of: found.id) else {
                    throw CredentialStoreError(.unknownCredential, "the store has no credential \(id)")
                }
                var credential = found
                for reference in references {
                    let copy = try credential.use(reference.number, at: time)
                    guard let stored = try await stored(copy, of: credential) else {
                        throw CredentialStoreError(.unknownCredential, "the store has no copy \(reference.text)")
                    }
                    handles[reference] = stored.keyHandle
                    events.append(.used(credential.id, copy: reference.number))
                }
                changes.append(.replace(place, credential.encoded(), version: version))
                if credential.hasFewCopies(at: time) {
                    events.append(.copiesLow(credential.id, remaining: credential.usableCopies(at: time).count))
                }
            }
            guard try await isWritten(changes) else { continue }
            send(events)
            return handles
        }
        throw Self.contention(copies.map(\.credential).sorted().joined(separator: ", "))
    }

    /// The parts of copies.
    ///
    /// - Throws: `CredentialStoreError` with code `unreadableCopy` for a copy that this store could not read again.
    private func readableParts(of copies: [Format.NewCopy]) throws(CredentialStoreError) -> [CopyParts] {
        let parts = copies.map { format.parts(of: $0) }
        for copy in parts { _ = try read(CopyValue(copy), named: "new copy", copy.keyUsage) }
        return parts
    }

    /// Writes changes.
    ///
    /// - Returns: `false` if others were faster.
    func isWritten(_ changes: [StorageChange]) async throws(CredentialStoreError) -> Bool {
        do throws(CredentialStoreError) {
            try await storage.write(changes)
            return true
        } catch {
            guard error.code == .storageConflict else { throw error }
            return false
        }
    }

    static func contention(_ id: WalletCredential.ID) -> CredentialStoreError {
        CredentialStoreError(.storageConflict, "others change the credential \(id) all the time")
    }
}

extension WalletCredential {
    /// Adds copies.
    ///
    /// - Returns: The changes that store their data.
    fileprivate mutating func add(
        _ copies: [CopyParts],
        in collection: StorageCollection
    ) throws(CredentialStoreError) -> [StorageChange] {
        var changes: [StorageChange] = []
        for copy in copies {
            guard copy.type.hasSameBytes(as: type) else {
                throw CredentialStoreError(.invalidCopies, "a copy of \(type) is of type \(copy.type)")
            }
            let digest = HashAlgorithm.sha256.digest(of: copy.encoded)
            guard !self.copies.contains(where: { $0.digest == digest }) else {
                throw CredentialStoreError(.duplicateCopy, "the credential has this copy already")
            }
            guard nextNumber < .max, let place = StoragePlace(copy: nextNumber, of: id, in: collection) else {
                throw CredentialStoreError(.limitExceeded, "the credential had \(nextNumber) copies")
            }
            self.copies.append(Copy(copy, number: nextNumber, digest: digest))
            for type in copy.furtherTypes where !furtherTypes.contains(where: { $0.hasSameBytes(as: type) }) {
                furtherTypes.append(type)
            }
            changes.append(.insert(place, try CopyValue(copy).value()))
            nextNumber += 1
        }
        return changes
    }

    /// Counts a use of a copy.
    fileprivate mutating func use(_ number: UInt32, at time: Date) throws(CredentialStoreError) -> Copy {
        guard let index = copies.firstIndex(where: { $0.number == number }) else {
            throw CredentialStoreError(.spentCopy, "copy \(number) of \(id) was removed")
        }
        guard copies[index].isValid(at: time) else {
            throw CredentialStoreError(.outsideValidity, "copy \(number) of \(id) is outside its validity")
        }
        let (uses, overflows) = copies[index].uses.addingReportingOverflow(1)
        guard copies[index].isUnspent(by: rotation), !overflows else {
            throw CredentialStoreError(.spentCopy, "copy \(number) of \(id) was presented \(copies[index].uses) times")
        }
        copies[index].uses = uses
        return copies[index]
    }
}
