import CredentialWallet
import CryptoCore
import IRMAMessages

extension WalletVault {
    /// Keeps an issuance of a session of this process.
    ///
    /// - Parameters:
    ///   - issuance: The issuance.
    ///   - accounts: The accounts without which its credentials are of no use.
    /// - Throws: ``WalletError/Code/keyshareUnenrolled`` for an account that was removed or replaced meanwhile.
    func keep(
        _ issuance: StoredIssuance,
        of accounts: [WalletKeyshareAccount]
    ) async throws(WalletError) -> StoragePlace {
        try await changing { () async throws(WalletError) in
            for account in accounts
            where try await self.account(of: account.scheme)?.username != account.username {
                throw Self.unenrolled(account.scheme)
            }
            let place = StoragePlace(.irmaIssuances, key: randomness.bytes(16))
            // Before it is stored: nobody takes it for one that was left.
            ownIssuances.insert(place)
            do throws(WalletError) {
                try await storage.write([.insert(place, try issuance.encoded())])
            } catch {
                ownIssuances.remove(place)
                throw error
            }
            return place
        }
    }

    /// The places of the issuances that an earlier process left.
    func leftIssuances() async throws(WalletError) -> [StoragePlace] {
        try await storage.places(in: .irmaIssuances).filter { !ownIssuances.contains($0) }
    }

    /// Takes an issuance that was left, so that no other call finishes it; nil for one that is taken or finished.
    func takeIssuance(at place: StoragePlace) async throws(WalletError) -> SecretBytes? {
        guard ownIssuances.insert(place).inserted else { return nil }
        do throws(WalletError) {
            if let value = try await storage.entry(at: place)?.value { return value }
        } catch {
            ownIssuances.remove(place)
            throw error
        }
        ownIssuances.remove(place)
        return nil
    }

    /// Leaves an issuance to ``leftIssuances()``: its session has ended, and its signatures may still come.
    func leaveIssuance(at place: StoragePlace) {
        ownIssuances.remove(place)
    }

    /// Indicates that an issuance is still there, as far as the storage says so.
    func hasIssuance(at place: StoragePlace) async -> Bool {
        do throws(WalletError) {
            return try await storage.entry(at: place) != nil
        } catch {
            return true
        }
    }

    /// Forgets an issuance whose signatures will not come.
    ///
    /// - Returns: `false` for one that another wallet has ended.
    func forgetIssuance(at place: StoragePlace) async throws(WalletError) -> Bool {
        // Also where that fails: a later attempt may take it.
        defer { ownIssuances.remove(place) }
        return try await changing { () async throws(WalletError) in
            guard let version = try await storage.entry(at: place)?.version else { return false }
            try await storage.write([.remove(place, version: version)])
            return true
        }
    }

    /// The change that removes the issuance whose credentials are added.
    ///
    /// - Throws: ``WalletError/Code/keyshareUnenrolled`` for one that ended with its account;
    ///   ``WalletError/Code/storageConflict`` for one that another wallet over the storage has finished.
    func removal(ofIssuance place: StoragePlace) async throws(WalletError) -> StorageChange {
        if let version = try await storage.entry(at: place)?.version { return .remove(place, version: version) }
        guard !ownIssuances.contains(place) else {
            throw WalletError(.storageConflict, "another wallet has ended the issuance", path: ["issuances"])
        }
        throw WalletError(.keyshareUnenrolled, "the account was removed or replaced", path: ["issuances"])
    }

    /// The issuances under way that add credentials of a scheme, or complete its account, or all for nil: the changes that
    /// remove them, and their messages.
    func issuances(
        of scheme: SchemeIdentifier?
    ) async throws(WalletError) -> [(removal: StorageChange, commitments: [UInt8])] {
        var issuances: [(removal: StorageChange, commitments: [UInt8])] = []
        for entry in try await storage.entries(in: .irmaIssuances) {
            guard let issuance = try? StoredIssuance(decoding: entry.value),
                scheme == nil || issuance.enrollment == scheme
                    || issuance.keys.contains(where: { $0.type.scheme == scheme })
            else { continue }
            issuances.append((.remove(entry.place, version: entry.version), issuance.body))
        }
        return issuances
    }
}
