import CredentialWallet
import IRMAMessages
import IdemixCore

/// The outcome of ``IRMAWallet/resumeIssuances()`` for one issuance.
public enum ResumedIssuance: Sendable {
    /// The credentials are in the wallet, and the log has the entry.
    case finished(SessionLogEntry)
    /// The issuance could not be finished, and is kept for the next attempt.
    case kept(WalletError)
    /// The issuance cannot be finished, and is forgotten.
    case forgotten(WalletError)
    /// Another wallet over the same storage has ended the issuance, or it ended with its account.
    case endedElsewhere

    /// The log's entry of a finished issuance, or nil.
    public var entry: SessionLogEntry? {
        if case .finished(let entry) = self { entry } else { nil }
    }
}

extension IRMAWallet {
    /// Finishes issuances whose answers an earlier run of the process did not see: the app was ended between the two.
    ///
    /// Each message is sent once more, with the same bytes. Servers replay their answer for about ten seconds; an issuance
    /// whose server no longer knows it is forgotten. One whose server cannot be reached or is overloaded, also where a proxy says
    /// so, and one whose issuer's key the schemes lack, is kept for the next time. Call it right after the wallet was opened.
    /// Of two wallets over one storage that finish the same issuance, one adds the credentials.
    ///
    /// - Returns: What became of each issuance.
    /// - Throws: ``WalletError/Code/storageFailed``, ``WalletError/Code/storageDamaged``.
    public func resumeIssuances() async throws(WalletError) -> [ResumedIssuance] {
        var results: [ResumedIssuance] = []
        for place in try await core.vault.leftIssuances() {
            guard let value = try await core.vault.takeIssuance(at: place) else { continue }
            var stored: StoredIssuance?
            do throws(WalletError) {
                let issuance = try StoredIssuance(decoding: value)
                stored = issuance
                results.append(.finished(try await resume(issuance, at: place)))
            } catch {
                results.append(try await end(stored, at: place, after: error))
            }
        }
        return results
    }

    /// Keeps an issuance for the next attempt, or forgets it where no attempt can be better.
    private func end(
        _ stored: StoredIssuance?,
        at place: StoragePlace,
        after error: WalletError
    ) async throws(WalletError) -> ResumedIssuance {
        guard await core.vault.hasIssuance(at: place) else {
            await core.vault.leaveIssuance(at: place)
            return .endedElsewhere
        }
        guard !error.isAnswerLost, !error.isOverload, !Self.passing.contains(error.code) else {
            await core.vault.leaveIssuance(at: place)
            return .kept(error)
        }
        // The keys belong to who ended the issuance.
        guard try await core.vault.forgetIssuance(at: place) else { return .endedElsewhere }
        if let stored { await core.removeCopyKeys(of: stored.body) }
        return .forgotten(error)
    }

    /// Failures after which the next attempt may be better, besides those of the server and the way to it.
    private static let passing: Set<WalletError.Code> = [
        .cancelled, .storageFailed, .storageConflict, .unknownIdentifier,
    ]

    private func resume(_ stored: StoredIssuance, at place: StoragePlace) async throws(WalletError) -> SessionLogEntry {
        let schemes = await core.schemes.snapshot
        var publicKeys: [IdemixIssuerPublicKey] = []
        for (type, counter) in stored.keys {
            guard let key = schemes.publicKey(of: type.issuer, counter: counter) else {
                throw WalletError(.unknownIdentifier, "the issuer has no key \(counter)", path: [type.text])
            }
            publicKeys.append(key)
        }
        let keys = publicKeys
        let pending = try WalletError.convertingIdemix { () throws(IdemixError) in
            try PendingIdemixIssuance(decoding: stored.pending, publicKeys: keys, secretKey: core.vault.secretKey)
        }
        let channel = try core.channel(to: stored.url).setting("Authorization", stored.authorization)
        let response = try WalletSession.response(in: try await channel.post("commitments", stored.body))
        let credentials = try core.credentials(from: response, pending)
        var entry = stored.entry
        entry.copyRefusal = try await core.keepCopies(of: response, to: stored.body, credentials, schemes: schemes)
        return try await core.vault.add(
            credentials,
            schemes: schemes,
            at: core.clock.now(),
            entry: entry,
            completing: stored.enrollment,
            forgetting: place
        )
    }
}
