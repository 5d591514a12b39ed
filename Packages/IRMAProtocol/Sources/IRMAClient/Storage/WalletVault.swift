import CredentialWallet
import CryptoCore
import IRMAMessages
import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A credential in the vault, with the key and the type that a snapshot of the schemes has for it.
struct VaultCredential: Sendable {
    let place: StoragePlace
    var credential: IdemixCredential
    var held: HeldCredential
    var issuedAt: Date
    var witnessUpdatedAt: Date?

    var hash: [UInt8] { held.hash }
}

/// A credential in the storage whose value is damaged, so that its type is unknown.
struct DamagedCredential: Sendable {
    /// The version that a removal names.
    let version: UInt64
    let reason: WalletError
}

/// The content of a wallet: the secret key, credentials, accounts and the log, as its storage has them.
///
/// Changes are made one after the other, each in one write, so that sessions that run at the same time see each other's. A
/// change names the versions of the values that it was made from. Where another wallet over the storage was faster, the
/// vault reads what that one wrote, and makes the change from it.
actor WalletVault {
    /// The secret key, which all credentials share.
    nonisolated let secretKey: IdemixHolderSecretKey
    let storage: VaultStorage
    let randomness: any RandomSource
    var stored: [StoragePlace: StoredCredential]
    var damaged: [StoragePlace: DamagedCredential]
    /// Credentials that were decoded, with the state that they were decoded from.
    var opened: [StoragePlace: IdemixCredential] = [:]
    var nextLogNumber: UInt64
    /// The issuances of sessions that run.
    var ownIssuances: Set<StoragePlace> = []
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// The number of times that a change is made before others over the storage, which are faster each time, refuse it.
    private static let maximumAttempts = 8

    private init(
        _ storage: VaultStorage,
        secretKey: IdemixHolderSecretKey,
        content: Content,
        randomness: any RandomSource
    ) {
        self.storage = storage
        self.secretKey = secretKey
        self.randomness = randomness
        stored = content.stored
        damaged = content.damaged
        nextLogNumber = content.nextLogNumber
    }

    /// Reads what a storage has; one without a secret key gets one.
    ///
    /// A damaged credential does not stand in the way of the others.
    static func open(
        _ storage: any CredentialStorage,
        using randomness: any RandomSource
    ) async throws(WalletError) -> WalletVault {
        let storage = VaultStorage(base: storage)
        let secretKey = try await secretKey(in: storage, using: randomness)
        let content = try await content(of: storage)
        return WalletVault(storage, secretKey: secretKey, content: content, randomness: randomness)
    }

    /// Makes a change of the content, while no other is made.
    ///
    /// After a conflict with another wallet over the storage, the content is read anew and the change is made from it.
    ///
    /// - Throws: What the change throws; ``WalletError/Code/storageConflict`` if others were faster each time.
    func changing<Value: Sendable>(
        _ change: () async throws(WalletError) -> Value
    ) async throws(WalletError) -> Value {
        await lock()
        defer { unlock() }
        var attempt = 1
        while true {
            do throws(WalletError) {
                return try await change()
            } catch {
                guard error.isStorageConflict, attempt < Self.maximumAttempts else { throw error }
                attempt += 1
                try await reload()
            }
        }
    }

    private func lock() async {
        guard isBusy else {
            isBusy = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func unlock() {
        guard !waiting.isEmpty else {
            isBusy = false
            return
        }
        waiting.removeFirst().resume()
    }
}
