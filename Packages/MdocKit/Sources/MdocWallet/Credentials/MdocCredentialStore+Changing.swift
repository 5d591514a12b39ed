public import CryptoCore
public import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension MdocCredentialStore {
    /// The largest number of times that a change begins again because others change the same credential.
    static let maximumAttempts = 64

    /// Adds a credential with its copies, all or nothing.
    ///
    /// - Parameters:
    ///   - copies: The copies, at least one, all of one document type.
    ///   - display: The issuer's data for showing the credential, one per language.
    ///   - rotation: The number of presentations that a copy serves.
    ///   - refillThreshold: The number of usable copies at which to fetch more; below 0 counts as 0.
    ///   - time: The time of the addition.
    ///   - random: The source of the identifier.
    /// - Throws: `MdocError` with code `invalidValue` for no copies or several document types, `duplicateCopy` for two equal
    ///   copies, `storageFailed` or `storageDamaged`, after which the credential may be there: look before you add its copies
    ///   once more, which would be shown twice; as `IssuerSigned.init(decoding:options:)` does for a copy that this
    ///   store's options do not allow to read again, such as `deviation`.
    @discardableResult
    public func add(
        _ copies: [NewCopy],
        display: [CredentialDisplay] = [],
        rotation: RotationPolicy = .untilExpiry,
        refillThreshold: Int = 0,
        at time: Date,
        using random: some RandomSource = .system
    ) async throws(MdocError) -> WalletCredential {
        guard let docType = copies.first?.issuerSigned.docType else {
            throw MdocError(.invalidValue, "a credential has at least one copy")
        }
        try requireReadable(copies)
        let place = MdocStoragePlace(.credentials, key: random.bytes(MdocStoragePlace.identifierSize))
        var credential = WalletCredential(
            id: place.credentialID,
            docType: docType,
            addedAt: time,
            rotation: rotation,
            refillThreshold: max(refillThreshold, 0),
            display: display,
            copies: [],
            nextNumber: 1
        )
        let added = try credential.add(copies)
        try await storage.write(added + [.insert(place, credential.encoded())])
        send([.added(credential.id)])
        return credential
    }

    /// Adds copies to a credential, and removes those that are spent, expired or damaged, all or nothing.
    ///
    /// - Parameters:
    ///   - copies: The copies, of the credential's document type.
    ///   - id: The identifier of the credential.
    ///   - time: The time.
    /// - Returns: The credential, and the handles of the removed copies' keys, to be deleted by the wallet.
    /// - Throws: `MdocError` with code `unknownCredential`, `invalidValue` for another document type, `duplicateCopy` for a
    ///   copy that is there, `storageFailed`, `storageDamaged` for the credential itself, or `storageConflict`; for a copy that cannot be read again as
    ///   ``add(_:display:rotation:refillThreshold:at:using:)`` does.
    public func add(
        _ copies: [NewCopy],
        to id: WalletCredential.ID,
        at time: Date
    ) async throws(MdocError) -> RefilledCredential {
        try requireReadable(copies)
        for _ in 0..<Self.maximumAttempts {
            guard let (found, version) = try await versioned(id), let place = MdocStoragePlace(credential: found.id)
            else { throw MdocError(.unknownCredential, "the store has no credential \(id)") }
            var credential = found
            let stored = try await copyRecords(of: place)
            let useless = credential.copies.filter { copy in
                !copy.isUnspent(by: credential.rotation) || copy.validUntil < time
                    || stored[copy.number]?.isDamagedCopy ?? true
            }
            let added = try credential.add(copies)
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
    /// - Throws: `MdocError` with code `unknownCredential`, `spentCopy` or `outsideValidity`; `storageFailed`,
    ///   `storageDamaged` or `storageConflict`.
    func claim(_ copies: Set<CopyReference>, at time: Date) async throws(MdocError) -> [CopyReference: SecretBytes] {
        for _ in 0..<Self.maximumAttempts {
            var handles: [CopyReference: SecretBytes] = [:]
            var changes: [MdocStorageChange] = []
            var events: [WalletEvent] = []
            for (id, references) in Dictionary(grouping: copies, by: \.credential) {
                guard let (found, version) = try await versioned(id), let place = MdocStoragePlace(credential: found.id)
                else { throw MdocError(.unknownCredential, "the store has no credential \(id)") }
                var credential = found
                for reference in references {
                    let copy = try credential.use(reference.number, at: time)
                    guard let stored = try await stored(copy, of: credential) else {
                        throw MdocError(.unknownCredential, "the store has no copy \(reference.text)")
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

    /// Refuses copies that this store could not read again.
    private func requireReadable(_ copies: [NewCopy]) throws(MdocError) {
        for copy in copies { _ = try IssuerSigned(decoding: copy.issuerSigned.encodedBytes, options: options) }
    }

    /// Writes changes.
    ///
    /// - Returns: `false` if others were faster.
    func isWritten(_ changes: [MdocStorageChange]) async throws(MdocError) -> Bool {
        do throws(MdocError) {
            try await storage.write(changes)
            return true
        } catch {
            guard error.code == .storageConflict else { throw error }
            return false
        }
    }

    static func contention(_ id: WalletCredential.ID) -> MdocError {
        MdocError(.storageConflict, "others change the credential \(id) all the time")
    }
}

extension WalletCredential {
    /// Adds copies.
    ///
    /// - Returns: The changes that store their data.
    fileprivate mutating func add(_ copies: [NewCopy]) throws(MdocError) -> [MdocStorageChange] {
        var changes: [MdocStorageChange] = []
        for copy in copies {
            guard copy.issuerSigned.docType == docType else {
                throw MdocError(.invalidValue, "a copy of \(docType) is of type \(copy.issuerSigned.docType)")
            }
            let digest = HashAlgorithm.sha256.digest(of: copy.issuerSigned.encodedBytes)
            guard !self.copies.contains(where: { $0.digest == digest }) else {
                throw MdocError(.duplicateCopy, "the credential has this copy already")
            }
            guard nextNumber < .max, let place = MdocStoragePlace(copy: nextNumber, of: id) else {
                throw MdocError(.limitExceeded, "the credential had \(nextNumber) copies")
            }
            let validity = copy.issuerSigned.mobileSecurityObject.validityInfo
            self.copies.append(
                Copy(
                    number: nextNumber,
                    deviceKeyUsage: copy.deviceKeyUsage,
                    uses: 0,
                    validFrom: validity.validFrom,
                    validUntil: validity.validUntil,
                    expectedUpdate: validity.expectedUpdate,
                    digest: digest
                )
            )
            changes.append(.insert(place, StoredCopy(copy).encoded()))
            nextNumber += 1
        }
        return changes
    }

    /// Counts a use of a copy.
    fileprivate mutating func use(_ number: UInt32, at time: Date) throws(MdocError) -> Copy {
        guard let index = copies.firstIndex(where: { $0.number == number }) else {
            throw MdocError(.spentCopy, "copy \(number) of \(id) was removed")
        }
        guard copies[index].isValid(at: time) else {
            throw MdocError(.outsideValidity, "copy \(number) of \(id) is outside its validity")
        }
        let (uses, overflows) = copies[index].uses.addingReportingOverflow(1)
        guard copies[index].isUnspent(by: rotation), !overflows else {
            throw MdocError(.spentCopy, "copy \(number) of \(id) was presented \(copies[index].uses) times")
        }
        copies[index].uses = uses
        return copies[index]
    }
}
