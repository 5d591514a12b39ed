public import CredentialTransport
public import CryptoCore
public import IRMAMessages

/// The schemes of a wallet: an immutable snapshot for each session, and updates beside them.
///
/// An update makes another snapshot; sessions keep theirs. A failed update leaves the current one.
public actor WalletSchemes {
    /// The newest snapshot.
    public private(set) var snapshot: SchemeSnapshot
    private let source: Source?

    private struct Source {
        let store: any SchemeStore
        let updater: SchemeUpdater
        let pinned: [SchemeIdentifier: PublicKey]
    }

    /// Schemes that are never updated.
    public init(_ snapshot: SchemeSnapshot) {
        self.snapshot = snapshot
        source = nil
    }

    /// The schemes of a store, which are updated over a transport.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - transport: Fetches newer versions.
    ///   - pinned: The pinned keys; a scheme without one is verified with the key that is kept with it.
    /// - Throws: ``WalletError/Code/invalidScheme``, ``WalletError/Code/storageFailed``.
    public init(
        _ store: any SchemeStore,
        transport: any HTTPTransport,
        pinned: [SchemeIdentifier: PublicKey] = WellKnownSchemes.keys
    ) async throws(WalletError) {
        do throws(IRMAError) {
            snapshot = try await store.snapshot(pinned: pinned)
        } catch {
            throw WalletError(error)
        }
        source = Source(store: store, updater: SchemeUpdater(transport: transport, store: store), pinned: pinned)
    }

    /// Updates schemes of the store; those that it does not have are skipped.
    ///
    /// - Returns: The errors by scheme; none if all of them are up to date.
    @discardableResult
    public func update(_ schemes: Set<SchemeIdentifier>) async -> [SchemeIdentifier: WalletError] {
        guard let source else { return [:] }
        var errors: [SchemeIdentifier: WalletError] = [:]
        var hasChanged = false
        for scheme in schemes.sorted() {
            do throws(IRMAError) {
                if case .updated = try await source.updater.update(scheme, pinned: source.pinned[scheme]) {
                    hasChanged = true
                }
            } catch {
                errors[scheme] = WalletError(error)
            }
        }
        guard hasChanged else { return errors }
        do throws(IRMAError) {
            snapshot = try await source.store.snapshot(pinned: source.pinned)
        } catch {
            for scheme in schemes { errors[scheme] = WalletError(error) }
        }
        return errors
    }

    /// Updates every scheme that the store has.
    ///
    /// - Returns: The errors by scheme; none if all of them are up to date.
    @discardableResult
    public func updateAll() async -> [SchemeIdentifier: WalletError] {
        let known = Array(snapshot.schemes.keys) + Array(snapshot.requestorSchemes.keys)
        return await update(Set(known))
    }
}
