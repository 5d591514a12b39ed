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
    let place: WalletPlace
    var credential: IdemixCredential
    var held: HeldCredential
    var issuedAt: Date
    var witnessUpdatedAt: Date?

    var hash: [UInt8] { held.hash }
}

/// The content of a wallet: the secret key, credentials, accounts and the log, as its store has them.
///
/// Changes are made one after the other, each in one write, so that sessions that run at the same time see each other's.
actor WalletVault {
    /// The secret key, which all credentials share.
    nonisolated let secretKey: IdemixHolderSecretKey
    let store: any WalletStore
    let randomness: any RandomSource
    var stored: [WalletPlace: StoredCredential]
    /// The places of damaged credentials, whose type is unknown, with the reasons.
    var damaged: [WalletPlace: WalletError]
    /// Credentials that were decoded, with the state that they were decoded from.
    var opened: [WalletPlace: IdemixCredential] = [:]
    var nextLogNumber: UInt64
    /// The issuances of sessions that run.
    var ownIssuances: Set<WalletPlace> = []
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private static let secretKeyPlace = WalletPlace(.keys, key: Array("secret key".utf8))
    static let deviceKeyPlace = WalletPlace(.keys, key: Array("device key".utf8))

    private init(
        secretKey: IdemixHolderSecretKey,
        store: any WalletStore,
        randomness: any RandomSource,
        stored: [WalletPlace: StoredCredential],
        damaged: [WalletPlace: WalletError],
        nextLogNumber: UInt64
    ) {
        self.secretKey = secretKey
        self.store = store
        self.randomness = randomness
        self.stored = stored
        self.damaged = damaged
        self.nextLogNumber = nextLogNumber
    }

    /// Reads what a store has; a store without a secret key gets one.
    ///
    /// A damaged credential does not stand in the way of the others.
    static func open(
        _ store: any WalletStore,
        using randomness: any RandomSource
    ) async throws(WalletError) -> WalletVault {
        let secretKey = try await secretKey(in: store, using: randomness)
        var stored: [WalletPlace: StoredCredential] = [:]
        var damaged: [WalletPlace: WalletError] = [:]
        for place in try await store.places(in: .credentials) {
            do throws(WalletError) {
                guard let value = try await store.value(at: place) else { continue }
                stored[place] = try StoredCredential(decoding: value)
            } catch {
                guard error.code == .storageDamaged else { throw error }
                damaged[place] = error
            }
        }
        let last = try await store.places(in: .log).last.flatMap { number(of: $0) }
        return WalletVault(
            secretKey: secretKey,
            store: store,
            randomness: randomness,
            stored: stored,
            damaged: damaged,
            nextLogNumber: (last ?? 0) + 1
        )
    }

    private static func secretKey(
        in store: any WalletStore,
        using randomness: any RandomSource
    ) async throws(WalletError) -> IdemixHolderSecretKey {
        if let key = try await storedSecretKey(in: store) { return key }
        let key = newSecretKey(using: randomness)
        do throws(WalletError) {
            try await store.write([.insert(secretKeyPlace, key.encodedBytes)])
            return key
        } catch {
            // Another wallet over the same store was faster: its key counts.
            guard error.code == .storageConflict, let key = try await storedSecretKey(in: store) else { throw error }
            return key
        }
    }

    private static func newSecretKey(using randomness: some RandomSource) -> IdemixHolderSecretKey {
        IdemixHolderSecretKey.random(using: randomness)
    }

    private static func storedSecretKey(in store: any WalletStore) async throws(WalletError) -> IdemixHolderSecretKey? {
        guard let value = try await store.value(at: secretKeyPlace) else { return nil }
        do throws(IdemixError) {
            return try IdemixHolderSecretKey(decoding: value)
        } catch {
            throw WalletError(.storageDamaged, "the value is no secret key", path: ["keys"], cause: error)
        }
    }

    func lock() async {
        guard isBusy else {
            isBusy = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func unlock() {
        guard !waiting.isEmpty else {
            isBusy = false
            return
        }
        waiting.removeFirst().resume()
    }
}
