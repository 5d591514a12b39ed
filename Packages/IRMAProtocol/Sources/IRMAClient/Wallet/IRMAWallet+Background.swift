import CryptoCore
public import IRMAMessages
import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension IRMAWallet {
    /// Updates schemes and witnesses from time to time, until the task is cancelled.
    ///
    /// Nothing of it fails a session: what could not be fetched is tried again later, and a session asks for what it needs.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                repeat { await self.updateSchemes() } while await self.sleeps(self.core.options.schemeUpdateInterval)
            }
            group.addTask {
                while await self.sleeps(self.core.options.witnessSweepInterval) { await self.updateDueWitnesses() }
            }
        }
    }

    private func sleeps(_ duration: Duration) async -> Bool {
        do {
            try await core.clock.timer.sleep(for: duration)
            return true
        } catch {
            return false
        }
    }

    /// Updates the schemes.
    ///
    /// - Returns: The errors by scheme; none if all of them are up to date.
    @discardableResult
    public func updateSchemes() async -> [SchemeIdentifier: WalletError] { await core.schemes.updateAll() }

    /// The schemes whose files cannot be read, with the reasons.
    ///
    /// Their credentials are kept, and cannot be shown before ``updateSchemes()`` or a session that needs the scheme has
    /// fetched it anew.
    public func unreadableSchemes() async -> [SchemeIdentifier: WalletError] { await core.schemes.unreadable }

    /// Updates the witnesses of all credentials that have one, from their revocation servers.
    ///
    /// A credential that turns out to be revoked is marked so. Each update has its time
    /// (``WalletOptions/witnessUpdateLimit``), and a few run beside each other: a slow server holds up no others.
    ///
    /// - Returns: The errors by the hash of the credential; also for a revoked one.
    @discardableResult
    public func updateWitnesses() async -> [[UInt8]: WalletError] {
        await updateWitnesses { _, _ in true }
    }

    /// Updates the witnesses that are due: each on average once in the time that its type's description names, at times that
    /// no server can foretell.
    func updateDueWitnesses() async {
        let now = core.clock.now()
        let sweep = core.options.witnessSweepInterval / .seconds(1)
        await updateWitnesses { credential, type in
            let period = Double(max(1, type.revocationUpdateSpeed)) * 3600
            let age = now.timeIntervalSince(credential.witnessUpdatedAt ?? credential.issuedAt)
            guard age >= period / 2 else { return false }
            let draw = self.core.randomness.bytes(4).reduce(0.0) { $0 * 256 + Double($1) } / 4_294_967_296
            // The rest of the period has so many sweeps, of which each is as likely as the others.
            return draw < sweep / max(period - age, sweep)
        }
    }

    @discardableResult
    private func updateWitnesses(
        where isDue: (VaultCredential, CredentialTypeDescription) -> Bool
    ) async -> [[UInt8]: WalletError] {
        let schemes = await core.schemes.snapshot
        let due = await core.vault.credentials(schemes).filter { credential in
            guard credential.credential.witness != nil, !credential.held.isRevoked,
                let type = schemes.credentialType(credential.held.type)
            else { return false }
            return isDue(credential, type)
        }
        let updater = WitnessUpdater(core, schemes: schemes)
        let limit = core.options.witnessUpdateLimit
        return await withTaskGroup(of: (hash: [UInt8], error: WalletError?).self) { group in
            var errors: [[UInt8]: WalletError] = [:]
            for (position, credential) in due.enumerated() {
                // One that has ended makes room for the next.
                if position >= Self.concurrentUpdates, let ended = await group.next() {
                    errors[ended.hash] = ended.error
                }
                guard !Task.isCancelled else { break }
                group.addTask {
                    do throws(WalletError) {
                        try await updater.update(credential, within: limit)
                        return (credential.hash, nil)
                    } catch {
                        return (credential.hash, error)
                    }
                }
            }
            for await ended in group { errors[ended.hash] = ended.error }
            return errors
        }
    }

    /// The number of witnesses that are updated beside each other.
    private static let concurrentUpdates = 4
}
