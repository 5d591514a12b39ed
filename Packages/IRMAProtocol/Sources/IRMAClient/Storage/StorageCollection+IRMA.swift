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
