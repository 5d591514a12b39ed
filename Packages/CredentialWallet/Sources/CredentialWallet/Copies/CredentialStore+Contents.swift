/// The credentials of a wallet's store, readable and unreadable.
public struct WalletContents: Sendable {
    /// The credentials whose values can be read, by the time of their addition.
    public let credentials: [WalletCredential]
    /// The credentials and copies that cannot be read, with the reasons: damaged and missing ones, and those that the store's
    /// options do not take.
    ///
    /// ``CredentialStore/remove(_:)`` takes the name of a credential, and ``CredentialStore/removeCopy(_:)`` that of a copy.
    public let unreadable: [UnreadableValue]

    /// A credential without the copies that cannot be read.
    func withoutUnreadableCopies(_ credential: WalletCredential) -> WalletCredential {
        let names = Set(unreadable.map { ExactText($0.id) })
        var rest = credential
        rest.copies.removeAll { copy in
            names.contains(ExactText(CopyReference(credential: credential.id, number: copy.number).text))
        }
        return rest
    }
}

extension CredentialStore {
    /// Reads every credential and every copy, and says which cannot be read.
    ///
    /// Call it at the start of an app: a damaged value does not affect the others, so a copy that is never used would stay
    /// unnoticed.
    ///
    /// ```swift
    /// func removeDamaged(in store: CredentialStore<some CopyFormat>) async throws {
    ///     for damaged in try await store.contents().unreadable where damaged.error.code == .storageDamaged {
    ///         print(damaged.id, damaged.error)
    ///         if try await store.removeCopy(damaged.id) == nil { try await store.remove(damaged.id) }
    ///     }
    /// }
    /// ```
    ///
    /// - Throws: `CredentialStoreError` with code `storageFailed`, `storageDamaged` for more than single values, or
    ///   `storageConflict`.
    public func contents() async throws(CredentialStoreError) -> WalletContents {
        for _ in 0..<Self.maximumAttempts {
            var unreadable: [UnreadableValue] = []
            let credentials = try await readableCredentials(&unreadable)
            var missing: [CopyReference: CopyKeyUsage] = [:]
            for credential in credentials {
                for copy in credential.copies {
                    missing[CopyReference(credential: credential.id, number: copy.number)] = copy.keyUsage
                }
            }
            for record in try await storage.records(in: format.copies) {
                guard let reference = CopyReference(record.place) else { continue }
                let keyUsage = missing.removeValue(forKey: reference) ?? .signature
                do throws(CredentialStoreError) {
                    _ = try read(record.copy(), named: reference.text, keyUsage)
                } catch {
                    unreadable.append(UnreadableValue(id: reference.text, error: error))
                }
            }
            // A copy can also have been removed in between, with a change of its credential.
            var others: [UnreadableValue] = []
            if !missing.isEmpty, try await readableCredentials(&others) != credentials { continue }
            unreadable += missing.keys.map(\.text).sorted().map { id in
                let error = CredentialStoreError(.storageDamaged, "the copy is missing", path: [id])
                return UnreadableValue(id: id, error: error)
            }
            return WalletContents(credentials: credentials, unreadable: unreadable)
        }
        throw CredentialStoreError(.storageConflict, "others change the storage all the time")
    }
}
