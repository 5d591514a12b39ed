import CredentialWallet
import CryptoCore
import IdemixCore

extension WalletVault {
    /// The part of the storage that a vault keeps in memory.
    struct Content: Sendable {
        var stored: [StoragePlace: StoredCredential] = [:]
        var damaged: [StoragePlace: DamagedCredential] = [:]
        var nextLogNumber: UInt64
    }

    private static let secretKeyPlace = StoragePlace(.irmaKeys, key: Array("secret key".utf8))
    static let deviceKeyPlace = StoragePlace(.irmaKeys, key: Array("device key".utf8))

    /// Reads the credentials, and the number of the last entry of the log.
    static func content(of storage: VaultStorage) async throws(WalletError) -> Content {
        let last = try await storage.places(in: .irmaLog).last.flatMap { number(of: $0) }
        var content = Content(nextLogNumber: (last ?? 0) + 1)
        for record in try await storage.records(in: .irmaCredentials) {
            do throws(WalletError) {
                content.stored[record.place] = try StoredCredential(decoding: try record.walletEntry())
            } catch {
                guard error.code == .storageDamaged else { throw error }
                content.damaged[record.place] = DamagedCredential(version: record.version, reason: error)
            }
        }
        return content
    }

    /// Reads the content anew, after another wallet over the storage has changed it.
    func reload() async throws(WalletError) {
        let content = try await Self.content(of: storage)
        for place in opened.keys where content.stored[place]?.version != stored[place]?.version { opened[place] = nil }
        (stored, damaged) = (content.stored, content.damaged)
        nextLogNumber = max(nextLogNumber, content.nextLogNumber)
    }

    /// The change that removes a credential, of the version that the vault has.
    func removing(_ place: StoragePlace) -> StorageChange? {
        (stored[place]?.version ?? damaged[place]?.version).map { .remove(place, version: $0) }
    }

    // MARK: The secret key

    /// The secret key of a storage; one without gets one.
    static func secretKey(
        in storage: VaultStorage,
        using randomness: any RandomSource
    ) async throws(WalletError) -> IdemixHolderSecretKey {
        if let key = try await storedSecretKey(in: storage) { return key }
        let key = newSecretKey(using: randomness)
        do throws(WalletError) {
            try await storage.write([.insert(secretKeyPlace, key.encodedBytes)])
            return key
        } catch {
            // Another wallet over the same storage was faster: its key counts.
            guard error.isStorageConflict, let key = try await storedSecretKey(in: storage) else { throw error }
            return key
        }
    }

    private static func newSecretKey(using randomness: some RandomSource) -> IdemixHolderSecretKey {
        IdemixHolderSecretKey.random(using: randomness)
    }

    private static func storedSecretKey(
        in storage: VaultStorage
    ) async throws(WalletError) -> IdemixHolderSecretKey? {
        guard let value = try await storage.entry(at: secretKeyPlace)?.value else { return nil }
        do throws(IdemixError) {
            return try IdemixHolderSecretKey(decoding: value)
        } catch {
            throw WalletError(.storageDamaged, "the value is no secret key", path: ["keys"], cause: error)
        }
    }
}
