public import CredentialTransport
public import CryptoCore
public import IRMAMessages

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The schemes of a wallet: an immutable snapshot for each session, and updates beside them.
///
/// An update makes another snapshot; sessions keep theirs. A failed update leaves the current one. A scheme whose files are
/// damaged does not stop the others, and an update fetches it anew.
public actor WalletSchemes {
    /// The newest snapshot.
    public private(set) var snapshot: SchemeSnapshot
    /// The reasons that schemes of the store could not be read when it was read last; none for schemes that are all right.
    ///
    /// The snapshot has none of them, or the version that was read before.
    public private(set) var unreadable: [SchemeIdentifier: WalletError]
    private let source: Source?
    /// The number of readings of the store that have begun, and that of the one that the snapshot is from.
    private var readings = (begun: 0, kept: 0)

    private struct Source {
        let store: any SchemeStore
        let updater: SchemeUpdater
        let pinned: [SchemeIdentifier: PublicKey]
    }

    /// Schemes that are never updated.
    public init(_ snapshot: SchemeSnapshot) {
        self.snapshot = snapshot
        unreadable = [:]
        source = nil
    }

    /// The schemes of a store, which are updated over a transport; those that cannot be read are ``unreadable``.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - transport: Fetches newer versions.
    ///   - pinned: The pinned keys; a scheme without one is verified with the key that is kept with it.
    /// - Throws: ``WalletError/Code/storageFailed``.
    public init(
        _ store: any SchemeStore,
        transport: any HTTPTransport,
        pinned: [SchemeIdentifier: PublicKey] = WellKnownSchemes.keys
    ) async throws(WalletError) {
        do throws(IRMAError) {
            let reading = try await store.reading(pinned: pinned)
            snapshot = reading.snapshot
            unreadable = reading.errors.mapValues { WalletError($0) }
        } catch {
            throw WalletError(error)
        }
        source = Source(store: store, updater: SchemeUpdater(transport: transport, store: store), pinned: pinned)
    }

    /// Updates schemes of the store; those that it does not have are refused.
    ///
    /// A version in the store that was not read before is read too: one whose reading failed, or that came by another way. One
    /// that is damaged is fetched anew.
    ///
    /// - Returns: The errors by scheme; none if all of them are up to date.
    @discardableResult
    public func update(_ schemes: Set<SchemeIdentifier>) async -> [SchemeIdentifier: WalletError] {
        guard let source else { return [:] }
        var errors: [SchemeIdentifier: WalletError] = [:]
        var hasChanged = false
        for scheme in schemes.sorted() {
            do throws(IRMAError) {
                let result = try await source.updater.update(scheme, pinned: source.pinned[scheme])
                // Logos may come later than the version whose requestors name them.
                if case .updated = result { hasChanged = true }
                if time(of: scheme) != result.files.time || unreadable[scheme] != nil { hasChanged = true }
            } catch {
                errors[scheme] = WalletError(error)
            }
        }
        guard hasChanged else { return errors }
        do throws(IRMAError) {
            try await readStore(source)
        } catch {
            for scheme in schemes { errors[scheme] = WalletError(error) }
        }
        for (scheme, error) in unreadable where schemes.contains(scheme) && errors[scheme] == nil {
            errors[scheme] = error
        }
        return errors
    }

    /// The time of the snapshot's version of a scheme.
    private func time(of scheme: SchemeIdentifier) -> Date? {
        snapshot.schemes[scheme]?.time ?? snapshot.requestorSchemes[scheme]?.time
    }

    /// Makes a snapshot of the store; one of two that overlap stays if its reading began later.
    private func readStore(_ source: Source) async throws(IRMAError) {
        readings.begun += 1
        let number = readings.begun
        let read = try await source.store.reading(pinned: source.pinned, keeping: snapshot)
        guard number > readings.kept else { return }
        (snapshot, readings.kept) = (read.snapshot, number)
        unreadable = read.errors.mapValues { WalletError($0) }
    }

    /// Updates every scheme that the store has.
    ///
    /// - Returns: The errors by scheme; none if all of them are up to date.
    @discardableResult
    public func updateAll() async -> [SchemeIdentifier: WalletError] {
        let known = Array(snapshot.schemes.keys) + Array(snapshot.requestorSchemes.keys)
        let stored = (try? await source?.store.schemes()) ?? []
        return await update(Set(known + stored))
    }
}
