public import CryptoCore

extension CredentialStore {
    /// Removes a credential with its copies, damaged or not.
    ///
    /// - Returns: The handles of the copies' keys, to be deleted by the wallet; nil for an unknown credential.
    /// - Throws: `CredentialStoreError` with code `storageFailed`, `storageDamaged` for more than single values, or
    ///   `storageConflict`.
    @discardableResult
    public func remove(_ id: WalletCredential.ID) async throws(CredentialStoreError) -> CopyKeyHandles? {
        guard let place = place(of: id) else { return nil }
        for _ in 0..<Self.maximumAttempts {
            let records = try await storage.records(in: format.credentials)
            guard let record = records.first(where: { $0.place == place }) else { return nil }
            let copies = try await copyRecords(of: place).sorted { $0.key < $1.key }.map(\.value)
            guard try await isWritten(copies.map(\.removal) + [record.removal]) else { continue }
            send([.removed(place.credentialID)])
            return CopyKeyHandles(of: copies)
        }
        throw Self.contention(id)
    }

    /// Removes one copy, such as a damaged one.
    ///
    /// - Parameter id: The name of the copy, as an offer has it and ``contents()`` for an unreadable one.
    /// - Returns: The handle of the copy's key, to be deleted by the wallet; nil for an unknown copy.
    /// - Throws: `CredentialStoreError` with code `storageFailed`, `storageDamaged` for the credential itself, which ``remove(_:)``
    ///   takes away as a whole, or `storageConflict`.
    @discardableResult
    public func removeCopy(_ id: String) async throws(CredentialStoreError) -> CopyKeyHandles? {
        guard let reference = try? CopyReference(id), let place = place(of: reference.credential)
        else { return nil }
        for _ in 0..<Self.maximumAttempts {
            let copies = [try await copyRecords(of: place)[reference.number]].compactMap(\.self)
            var changes = copies.map(\.removal)
            if let (found, version) = try await versioned(reference.credential),
                found.copies.contains(where: { $0.number == reference.number })
            {
                var credential = found
                credential.copies.removeAll { $0.number == reference.number }
                changes.append(.replace(place, credential.encoded(), version: version))
            }
            guard !changes.isEmpty else { return nil }
            guard try await isWritten(changes) else { continue }
            return CopyKeyHandles(of: copies)
        }
        throw Self.contention(reference.credential)
    }

    /// The handles of the keys of all copies in the store, in no order.
    ///
    /// A wallet that was stopped between a removal and the deletion of its keys has more keys than these. While a copy is unreadable,
    /// a key that is not among the handles may be that copy's.
    ///
    /// - Throws: `CredentialStoreError` with code `storageFailed`, or `storageDamaged` for more than single values.
    public func keyHandles() async throws(CredentialStoreError) -> CopyKeyHandles {
        CopyKeyHandles(of: try await storage.records(in: format.copies))
    }

    /// The values of a credential's copies by their numbers, also of those that it does not list.
    func copyRecords(of place: StoragePlace) async throws(CredentialStoreError) -> [UInt32: StorageRecord] {
        try await storage.records(in: format.copies).reduce(into: [:]) { records, record in
            guard let reference = CopyReference(record.place), reference.credential == place.credentialID else {
                return
            }
            records[reference.number] = record
        }
    }
}

/// The handles of the keys of copies.
public struct CopyKeyHandles: Sendable {
    /// The handles, as they were added.
    public let handles: [SecretBytes]
    /// The copies whose handle cannot be read, with the reasons.
    public let unreadable: [UnreadableValue]

    /// Reads the handles in values of a storage.
    init(of records: [StorageRecord]) {
        var handles: [SecretBytes] = []
        var unreadable: [UnreadableValue] = []
        for record in records {
            do throws(CredentialStoreError) {
                handles.append(try record.copy().keyHandle)
            } catch {
                let id = CopyReference(record.place)?.text ?? record.place.credentialID
                unreadable.append(UnreadableValue(id: id, error: error))
            }
        }
        self.handles = handles
        self.unreadable = unreadable
    }
}

extension StorageRecord {
    /// The change that removes the value.
    var removal: StorageChange { .remove(place, version: version) }

    /// The value as that of a copy.
    ///
    /// - Throws: `CredentialStoreError` with code `storageDamaged` or `unsupportedVersion`.
    func copy() throws(CredentialStoreError) -> CopyValue { try CopyValue(stored: value.get()) }

    /// Returns `true` for a value that will never be a copy again.
    var isDamagedCopy: Bool {
        do throws(CredentialStoreError) {
            _ = try copy()
            return false
        } catch {
            return error.code == .storageDamaged
        }
    }
}
