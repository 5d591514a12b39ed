// The storages come with the wallet that keeps its content there.
@_exported public import CredentialWallet

extension StorageCollection {
    /// The secret key, which all credentials of an IRMA wallet share, and the key of the device.
    public static let irmaKeys = StorageCollection(6, "IRMA keys")
    /// The credentials of an IRMA wallet.
    public static let irmaCredentials = StorageCollection(7, "IRMA credentials")
    /// The accounts at keyshare servers.
    public static let irmaAccounts = StorageCollection(8, "IRMA accounts")
    /// The log of an IRMA wallet's sessions.
    public static let irmaLog = StorageCollection(9, "IRMA log")
    /// Issuances whose signatures have not come.
    public static let irmaIssuances = StorageCollection(10, "IRMA issuances")

    /// All collections of an IRMA wallet.
    public static let irma = [irmaKeys, irmaCredentials, irmaAccounts, irmaLog, irmaIssuances]
}

/// The storage of a wallet, whose errors are those of the wallet.
struct VaultStorage: Sendable {
    let base: any CredentialStorage

    /// The value at a place, or nil.
    ///
    /// - Throws: ``WalletError/Code/storageFailed``, ``WalletError/Code/storageDamaged``.
    func entry(at place: StoragePlace) async throws(WalletError) -> StorageEntry? {
        do throws(CredentialStoreError) { return try await base.entry(at: place) } catch { throw WalletError(error) }
    }

    /// The values of a collection, of which a damaged one refuses all.
    ///
    /// - Throws: ``WalletError/Code/storageFailed``, ``WalletError/Code/storageDamaged``.
    func entries(in collection: StorageCollection) async throws(WalletError) -> [StorageEntry] {
        do throws(CredentialStoreError) {
            return try await base.entries(in: collection)
        } catch {
            throw WalletError(error)
        }
    }

    /// The values of a collection, with damaged ones among them.
    ///
    /// - Throws: ``WalletError/Code/storageFailed``, ``WalletError/Code/storageDamaged``.
    func records(in collection: StorageCollection) async throws(WalletError) -> [StorageRecord] {
        do throws(CredentialStoreError) {
            return try await base.records(in: collection)
        } catch {
            throw WalletError(error)
        }
    }

    /// The places of a collection that have a value.
    ///
    /// - Throws: ``WalletError/Code/storageFailed``, ``WalletError/Code/storageDamaged``.
    func places(in collection: StorageCollection) async throws(WalletError) -> [StoragePlace] {
        do throws(CredentialStoreError) {
            return try await base.places(in: collection)
        } catch {
            throw WalletError(error)
        }
    }

    /// Makes changes, all of them or none.
    ///
    /// - Throws: ``WalletError/Code/storageConflict``, ``WalletError/Code/storageFailed``, ``WalletError/Code/storageDamaged``.
    func write(_ changes: [StorageChange]) async throws(WalletError) {
        do throws(CredentialStoreError) { try await base.write(changes) } catch { throw WalletError(error) }
    }
}

extension StorageRecord {
    /// The value with its place and version.
    ///
    /// - Throws: The error of a damaged value.
    func walletEntry() throws(WalletError) -> StorageEntry {
        do throws(CredentialStoreError) { return try entry() } catch { throw WalletError(error) }
    }
}
