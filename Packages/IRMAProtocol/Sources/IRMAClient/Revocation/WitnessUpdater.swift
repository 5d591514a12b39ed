import CredentialTransport
import IRMAMessages
import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Moves the witnesses of credentials to newer accumulators: with what a request brings along, or from revocation servers.
struct WitnessUpdater: Sendable {
    private let core: WalletCore
    private let schemes: SchemeSnapshot

    /// The largest number of intervals of events that an attempt fetches for a credential.
    ///
    /// A thousand have up to 512,000 events. The time for them grows with the length of the issuer's key: an estimate
    /// is two minutes for one of 2048 bits, and four times that for each doubling.
    private let maximumIntervals: Int

    init(_ core: WalletCore, schemes: SchemeSnapshot, maximumIntervals: Int = 1000) {
        self.core = core
        self.schemes = schemes
        self.maximumIntervals = maximumIntervals
    }

    /// Updates the witnesses of the credentials whose types a request wants proved not to be revoked.
    ///
    /// It takes no longer than the wallet waits for revocation servers; an update that fails leaves the witness as it is.
    func update(for request: SessionRequest) async {
        guard let demands = request.parameters.revocation?.demands, !demands.isEmpty else { return }
        let concerned = await core.vault.credentials(schemes).filter {
            demands[$0.held.type] != nil && $0.credential.witness != nil && !$0.held.isRevoked
        }
        guard !concerned.isEmpty else { return }
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for credential in concerned where !Task.isCancelled {
                    let counter = credential.credential.publicKey.counter
                    let update = demands[credential.held.type]?.updates[counter]
                    _ = try? await self.update(credential, with: update, atLeast: nil)
                }
                return true
            }
            group.addTask {
                // The wait is cancelled where the updates are done before.
                try? await core.clock.timer.sleep(for: core.options.revocationWait)
                return false
            }
            _ = await group.next()
            group.cancelAll()
        }
    }

    /// Updates the witness of a credential from the revocation servers, in a limited time.
    ///
    /// - Throws: ``WalletError/Code/revocation``, also where the time is over.
    func update(_ credential: VaultCredential, within limit: Duration) async throws(WalletError) {
        let (outcome, isLate) = await withTaskGroup(of: Result<Void, WalletError>?.self) { group in
            group.addTask {
                do throws(WalletError) {
                    try await self.update(credential, with: nil, atLeast: nil)
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                // The wait is cancelled where the update ends before.
                try? await core.clock.timer.sleep(for: limit)
                return nil
            }
            var outcome: Result<Void, WalletError>?
            var isLate = false
            for await result in group {
                if let result { outcome = result } else { isLate = outcome == nil && !Task.isCancelled }
                group.cancelAll()
            }
            return (outcome, isLate)
        }
        do throws(WalletError) {
            try outcome?.get()
        } catch {
            // A credential that turned out to be revoked at the last moment is that.
            guard isLate, !(error.cause is IdemixError) else { throw error }
            throw WalletError(
                .revocation,
                "the update did not end within \(limit)",
                path: [credential.held.type.text],
                cause: error
            )
        }
    }

    /// Updates the witness of a credential.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - update: The update that the request brought along, or `nil` to ask the revocation servers.
    ///   - index: The index of the accumulator that the witness has to reach at least, or `nil`.
    /// - Returns: The credential with its newest witness.
    /// - Throws: ``WalletError/Code/revocation``, also for a credential that turns out to be revoked, which is then kept as
    ///   such.
    @discardableResult
    func update(
        _ credential: VaultCredential,
        with update: RevocationUpdate?,
        atLeast index: UInt64?
    ) async throws(WalletError) -> VaultCredential {
        guard let witness = credential.credential.witness else {
            throw WalletError(.revocation, "the credential has no witness", path: [credential.held.type.text])
        }
        do throws(WalletError) {
            let newer = try await newer(witness, of: credential, with: update)
            if let index, newer.accumulator.index < index {
                throw WalletError(.revocation, "no update reaches the accumulator that the verifier demands")
            }
            var updated = credential
            // Where the server was asked, the time of its answer is noted down all the same.
            guard newer != witness || update == nil else { return credential }
            updated.credential = try WalletError.convertingIdemix { () throws(IdemixError) in
                try credential.credential.updatingWitness(newer)
            }
            try await core.vault.update(credential.hash, witness: newer, schemes: schemes, at: core.clock.now())
            await core.prepared.move(credential.hash, to: newer)
            return updated
        } catch {
            guard (error.cause as? IdemixError)?.code == .revoked else {
                throw error.inside(credential.held.type.text)
            }
            try await core.vault.update(credential.hash, witness: nil, schemes: schemes, at: core.clock.now())
            await core.forget(credential.hash)
            throw error.inside(credential.held.type.text)
        }
    }

    private func newer(
        _ witness: RevocationWitness,
        of credential: VaultCredential,
        with update: RevocationUpdate?
    ) async throws(WalletError) -> RevocationWitness {
        let publicKey = credential.credential.publicKey
        let offered: RevocationUpdate
        if let update {
            offered = update
        } else {
            offered = try await fetchUpdate(of: credential.held.type, counter: publicKey.counter)
        }
        let verified = try WalletError.convertingIdemix { () throws(IdemixError) in
            try offered.verified(by: publicKey)
        }
        var witness = witness
        var intervals = 0
        while true {
            do throws(IdemixError) {
                return try witness.updated(with: verified, publicKey: publicKey)
            } catch {
                guard error.code == .updateTooNew else { throw WalletError(error) }
                // An advance that was begun earlier leads to an older accumulator; the next one goes on from there.
                witness = try await advanced(witness, of: credential, to: verified, with: offered.events, &intervals)
                guard witness.accumulator.index < verified.accumulator.index else { continue }
                // What is still to come may fail.
                try await core.vault.update(credential.hash, witness: witness, schemes: schemes, at: nil)
                await core.prepared.move(credential.hash, to: witness)
            }
        }
    }

    /// The witness after the events that a newer update does not bring, which are fetched part by part.
    ///
    /// The computed part is kept for the next attempt where a server gives no answer, the session does not wait any
    /// longer, or there are more events than one attempt fetches. The events are known to be the issuer's when the last
    /// one fits the signed accumulator.
    private func advanced(
        _ witness: RevocationWitness,
        of credential: VaultCredential,
        to update: VerifiedRevocationUpdate,
        with last: RevocationEventList?,
        _ intervals: inout Int
    ) async throws(WalletError) -> RevocationWitness {
        let (hash, type, publicKey) = (credential.hash, credential.held.type, credential.credential.publicKey)
        func begun() throws(WalletError) -> RevocationWitnessAdvance {
            try WalletError.convertingIdemix { () throws(IdemixError) in
                try RevocationWitnessAdvance(of: witness, to: update, publicKey: publicKey)
            }
        }
        var advance: RevocationWitnessAdvance
        var isResumed = false
        if let kept = await core.advances.take(hash, of: witness) {
            (advance, isResumed) = (kept, true)
        } else {
            advance = try begun()
        }
        while !advance.isComplete {
            do throws(WalletError) {
                guard !Task.isCancelled else { throw WalletError(.cancelled, "the task was cancelled") }
                let events: RevocationEventList
                if let last, last.contains(advance.index + 1) {
                    events = last
                } else {
                    guard intervals < maximumIntervals else {
                        let missing = advance.accumulator.index - advance.index
                        throw WalletError(.revocation, "there are \(missing) more events to fetch, at the next attempt")
                    }
                    intervals += 1
                    events = try await self.events(after: advance, of: type, before: last)
                }
                try WalletError.convertingIdemix { () throws(IdemixError) in try advance.add(events) }
            } catch {
                // Events that do not fit may have come after others that were made up: those of an earlier attempt are
                // fetched anew.
                guard (error.cause as? IdemixError)?.code == .invalidEventChain else {
                    await core.keep(advance, hash, schemes: schemes)
                    throw error
                }
                guard isResumed else { throw error }
                isResumed = false
                advance = try begun()
            }
        }
        return try WalletError.convertingIdemix { () throws(IdemixError) in try advance.witness() }
    }

    /// The next events of an advance: those of an aligned interval whose length is a power of two, so that answers can
    /// be cached.
    private func events(
        after advance: RevocationWitnessAdvance,
        of type: CredentialTypeIdentifier,
        before last: RevocationEventList?
    ) async throws(WalletError) -> RevocationEventList {
        let next = advance.index + 1
        var end = min(advance.accumulator.index, .max - 1) + 1
        if let first = last?.firstIndex, first > next { end = min(end, first) }
        guard let interval = RevocationIntervals.first(of: next..<max(next, end)) else {
            throw WalletError(.revocation, "the indices of events are too large", path: [type.text])
        }
        let counter = advance.origin.signedAccumulator.keyCounter
        let body = try await fetch("events/\(counter)/\(interval.lowerBound)/\(interval.upperBound)", of: type)
        return try WalletError.convertingIdemix { () throws(IdemixError) in
            try RevocationEventList(decodingCBOR: body).prefix(below: interval.upperBound)
        }
    }

    private func fetchUpdate(
        of type: CredentialTypeIdentifier,
        counter: UInt
    ) async throws(WalletError) -> RevocationUpdate {
        let body = try await fetch("update/\(RevocationIntervals.smallest)/\(counter)", of: type)
        return try WalletError.convertingIdemix { () throws(IdemixError) in try RevocationUpdate(decodingCBOR: body) }
    }

    /// The answer of the first revocation server that gives one.
    private func fetch(_ path: String, of type: CredentialTypeIdentifier) async throws(WalletError) -> [UInt8] {
        var last = WalletError(.revocation, "the type has no revocation server", path: [type.text])
        for server in schemes.credentialType(type)?.revocationServers ?? [] {
            do throws(WalletError) {
                return try await core.channel(to: server).get("revocation/\(type.text)/\(path)")
            } catch {
                last = WalletError(.revocation, "the revocation server gave no update", path: [type.text], cause: error)
            }
        }
        throw last
    }
}

extension RevocationEventList {
    /// Indicates that the event of an index is among these.
    fileprivate func contains(_ index: UInt64) -> Bool {
        guard let lastIndex else { return false }
        return (firstIndex...lastIndex).contains(index)
    }
}
