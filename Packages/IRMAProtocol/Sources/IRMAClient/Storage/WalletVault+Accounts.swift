import CryptoCore
import IRMAMessages

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
    ) async throws(WalletError) -> WalletPlace {
        await lock()
        defer { unlock() }
        for account in accounts where try await self.account(of: account.scheme)?.username != account.username {
            throw Self.unenrolled(account.scheme)
        }
        let place = WalletPlace(.issuances, key: randomness.bytes(16))
        // Before it is stored: nobody takes it for one that was left.
        ownIssuances.insert(place)
        do throws(WalletError) {
            try await store.write([.insert(place, try issuance.encodedBytes())])
        } catch {
            ownIssuances.remove(place)
            throw error
        }
        return place
    }

    /// The places of the issuances that an earlier process left.
    func leftIssuances() async throws(WalletError) -> [WalletPlace] {
        try await store.places(in: .issuances).filter { !ownIssuances.contains($0) }
    }

    /// Takes an issuance that was left, so that nobody else finishes it; nil for one that is taken or finished.
    func takeIssuance(at place: WalletPlace) async throws(WalletError) -> SecretBytes? {
        guard ownIssuances.insert(place).inserted else { return nil }
        do throws(WalletError) {
            if let value = try await store.value(at: place) { return value }
        } catch {
            ownIssuances.remove(place)
            throw error
        }
        ownIssuances.remove(place)
        return nil
    }

    /// Leaves an issuance to ``leftIssuances()``: its session has ended, and its signatures may still come.
    func leaveIssuance(at place: WalletPlace) {
        ownIssuances.remove(place)
    }

    /// Forgets an issuance whose signatures will not come.
    func forgetIssuance(at place: WalletPlace) async throws(WalletError) {
        // Also where that fails: a later attempt may take it.
        defer { ownIssuances.remove(place) }
        try await store.write([.remove(place)])
    }

    /// The account at a scheme's keyshare server, or `nil`.
    func account(of scheme: SchemeIdentifier) async throws(WalletError) -> WalletKeyshareAccount? {
        guard let value = try await store.value(at: WalletKeyshareAccount.place(of: scheme)) else { return nil }
        let account = try WalletKeyshareAccount(decoding: value)
        guard account.scheme == scheme else {
            throw WalletError(.storageDamaged, "the account of another scheme", path: ["accounts"])
        }
        return account
    }

    /// All accounts.
    func accounts() async throws(WalletError) -> [WalletKeyshareAccount] {
        var accounts: [WalletKeyshareAccount] = []
        for place in try await store.places(in: .accounts) {
            guard let value = try await store.value(at: place) else { continue }
            accounts.append(try WalletKeyshareAccount(decoding: value))
        }
        return accounts.sorted { $0.scheme < $1.scheme }
    }

    /// Keeps an account in the place of one whose enrolment is not complete, with which its issuances end.
    ///
    /// - Throws: ``WalletError/Code/keyshare`` if there is an account whose enrolment is complete.
    func put(_ account: WalletKeyshareAccount) async throws(WalletError) {
        await lock()
        defer { unlock() }
        let replaced = try await self.account(of: account.scheme)
        guard replaced?.isComplete != true else {
            throw WalletError(.keyshare, "the user is enrolled", path: [account.scheme.text])
        }
        let issuances = replaced == nil ? [] : try await issuances(of: account.scheme)
        try await store.write([account.putting] + issuances.map { .remove($0.place) })
        ownIssuances.subtract(issuances.map(\.place))
    }

    /// Notes down that a server has the device's key of an account, unless the account was removed or replaced meanwhile.
    func noteKey(of account: WalletKeyshareAccount) async throws(WalletError) {
        await lock()
        defer { unlock() }
        guard var current = try await self.account(of: account.scheme), current.username == account.username else {
            return
        }
        current.hasRegisteredKey = true
        try await store.write([current.putting])
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
        await lock()
        defer { unlock() }
        guard try await account(of: scheme) != nil else {
            throw WalletError(.keyshareUnenrolled, "the user is not enrolled", path: [scheme.text])
        }
        // A credential that cannot be read is removed with the others, and not named.
        let known = credentials(schemes).filter { $0.held.type.scheme == scheme }
        let places = stored.filter { $0.value.type.scheme == scheme }.map(\.key)
        let issuances = try await issuances(of: scheme)
        let entry = try await write(
            [.remove(WalletKeyshareAccount.place(of: scheme))] + (places + issuances.map(\.place)).map { .remove($0) },
            noting: SessionLogEntry(
                time: time,
                kind: nil,
                host: "",
                removed: known.map { LoggedCredential($0.held, schemes) }
            )
        )
        for place in places { (stored[place], opened[place]) = (nil, nil) }
        ownIssuances.subtract(issuances.map(\.place))
        return (entry, known.map(\.hash), issuances.map(\.commitments))
    }

    /// The issuances under way that add credentials of a scheme, or complete its account.
    private func issuances(
        of scheme: SchemeIdentifier
    ) async throws(WalletError) -> [(place: WalletPlace, commitments: [UInt8])] {
        var issuances: [(place: WalletPlace, commitments: [UInt8])] = []
        for place in try await store.places(in: .issuances) {
            guard let value = try await store.value(at: place), let issuance = try? StoredIssuance(decoding: value),
                issuance.enrollment == scheme || issuance.keys.contains(where: { $0.type.scheme == scheme })
            else { continue }
            issuances.append((place, issuance.body))
        }
        return issuances
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
}
