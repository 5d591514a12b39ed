import CredentialWallet
import CryptoCore
import IRMAMessages

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension WalletVault {
    /// The account at a scheme's keyshare server, or `nil`.
    func account(of scheme: SchemeIdentifier) async throws(WalletError) -> WalletKeyshareAccount? {
        try await storedAccount(of: scheme)?.account
    }

    /// The account at a scheme's keyshare server with the version of its value, or `nil`.
    func storedAccount(
        of scheme: SchemeIdentifier
    ) async throws(WalletError) -> (account: WalletKeyshareAccount, version: UInt64)? {
        guard let entry = try await storage.entry(at: WalletKeyshareAccount.place(of: scheme)) else { return nil }
        let account = try WalletKeyshareAccount(decoding: entry.value)
        guard account.scheme == scheme else {
            throw WalletError(.storageDamaged, "the account of another scheme", path: ["accounts"])
        }
        return (account, entry.version)
    }

    /// All accounts.
    func accounts() async throws(WalletError) -> [WalletKeyshareAccount] {
        var accounts: [WalletKeyshareAccount] = []
        for entry in try await storage.entries(in: .irmaAccounts) {
            accounts.append(try WalletKeyshareAccount(decoding: entry.value))
        }
        return accounts.sorted { $0.scheme < $1.scheme }
    }

    /// Keeps an account in the place of one whose enrolment is not complete, with which its issuances end.
    ///
    /// - Throws: ``WalletError/Code/keyshare`` if there is an account whose enrolment is complete.
    func put(_ account: WalletKeyshareAccount) async throws(WalletError) {
        try await changing { () async throws(WalletError) in
            let replaced = try await storedAccount(of: account.scheme)
            guard replaced?.account.isComplete != true else {
                throw WalletError(.keyshare, "the user is enrolled", path: [account.scheme.text])
            }
            let issuances = replaced == nil ? [] : try await issuances(of: account.scheme)
            try await storage.write([account.change(replacing: replaced?.version)] + issuances.map(\.removal))
            ownIssuances.subtract(issuances.map(\.removal.place))
        }
    }

    /// Notes down that a server has the device's key of an account, unless the account was removed or replaced meanwhile.
    func noteKey(of account: WalletKeyshareAccount) async throws(WalletError) {
        try await changing { () async throws(WalletError) in
            guard var current = try await storedAccount(of: account.scheme),
                current.account.username == account.username
            else { return }
            current.account.hasRegisteredKey = true
            try await storage.write([current.account.change(replacing: current.version)])
        }
    }

    static func unenrolled(_ scheme: SchemeIdentifier) -> WalletError {
        WalletError(.keyshareUnenrolled, "the account was removed or replaced meanwhile", path: [scheme.text])
    }

    /// Removes an account with the credentials and the issuances of its scheme, also those that the schemes no longer know,
    /// and notes it down.
    ///
    /// - Returns: The log's entry, the hashes of the known credentials, and the messages of the issuances.
    func removeAccount(
        of scheme: SchemeIdentifier,
        schemes: SchemeSnapshot,
        at time: Date
    ) async throws(WalletError) -> (entry: SessionLogEntry, hashes: [[UInt8]], commitments: [[UInt8]]) {
        try await changing { () async throws(WalletError) in
            guard let version = try await storedAccount(of: scheme)?.version else {
                throw WalletError(.keyshareUnenrolled, "the user is not enrolled", path: [scheme.text])
            }
            let issuances = try await issuances(of: scheme)
            // A credential that cannot be read is removed with the others, and not named.
            let known = credentials(schemes).filter { $0.held.type.scheme == scheme }
            let places = stored.filter { $0.value.type.scheme == scheme }.map(\.key)
            let account = StorageChange.remove(WalletKeyshareAccount.place(of: scheme), version: version)
            let entry = try await write(
                [account] + places.compactMap { removing($0) } + issuances.map(\.removal),
                noting: SessionLogEntry(
                    time: time,
                    kind: nil,
                    host: "",
                    removed: known.map { LoggedCredential($0.held, schemes) }
                )
            )
            for place in places { (stored[place], opened[place]) = (nil, nil) }
            ownIssuances.subtract(issuances.map(\.removal.place))
            return (entry, known.map(\.hash), issuances.map(\.commitments))
        }
    }

    /// The device's key in software, for wallets without hardware for it; made when it is first needed.
    func softwareDeviceKey() async throws(WalletError) -> PrivateKey {
        try await changing { () async throws(WalletError) in
            do {
                if let value = try await storage.entry(at: Self.deviceKeyPlace)?.value {
                    return try PrivateKey(curve: .p256, rawRepresentation: value)
                }
                let key = try PrivateKey.generate(.p256)
                guard let bytes = key.rawRepresentation else {
                    throw WalletError(.storageFailed, "the key has no form for storage", path: ["keys"])
                }
                try await storage.write([.insert(Self.deviceKeyPlace, bytes)])
                return key
            } catch let error as WalletError {
                throw error
            } catch {
                throw WalletError(.storageDamaged, "the value is no device key", path: ["keys"], cause: error)
            }
        }
    }
}
