import CredentialTransport
import CredentialWallet
import CryptoCore
import IRMAMessages
import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension WalletSession {
    /// Answers the request.
    ///
    /// - Parameters:
    ///   - choice: The user's choice.
    ///   - pin: Asks the user for a PIN, where a keyshare server has a part of the secret key and no token is left.
    /// - Throws: ``WalletError/Code/invalidChoice``, after which the session waits for another choice;
    ///   ``WalletError/Code/transport`` if the answer was lost, ``WalletError/Code/serverResponse`` and
    ///   ``WalletError/Code/api`` if the server is overloaded or a proxy answers in its place, and
    ///   ``WalletError/Code/storageFailed`` and ``WalletError/Code/storageConflict`` if the outcome could not be kept after
    ///   the server's answer, after which ``canResend`` is `true` and ``resend()`` can be tried;
    ///   ``WalletError/Code/storageFailed`` if an issuance could not be kept before it is sent, which ends the session;
    ///   ``WalletError/Code/rejected``, ``WalletError/Code/api`` and others.
    public func answer(
        _ choice: WalletChoice,
        pin: @escaping KeysharePINHandler = { _ in nil }
    ) async throws(WalletError) -> SessionOutcome {
        guard case .ready(let preparation) = state else {
            throw WalletError(.invalidState, "the session has no request that waits for an answer")
        }
        let selection = try selection(for: choice, preparation)
        let task = Task { () async -> Result<SentAnswer, WalletError> in
            do throws(WalletError) {
                return .success(try await self.makeAnswer(preparation, choice, selection, pin))
            } catch {
                return .failure(error)
            }
        }
        state = .answering(task)
        let sent = try await ending { () async throws(WalletError) in
            let made = await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
            let sent = try made.get()
            do throws(WalletError) {
                try self.requireRunning()
            } catch {
                // Nobody has seen the answer; the caller's task may be cancelled, too.
                await Task { await self.forget(sent) }.value
                throw error
            }
            self.state = .sent(sent)
            return sent
        }
        return try await send(sent)
    }

    /// Sends the answer once more after it was lost on the way, with the same bytes.
    ///
    /// Servers replay their answer to the same wallet for about ten seconds.
    ///
    /// - Throws: As ``answer(_:pin:)``.
    public func resend() async throws(WalletError) -> SessionOutcome {
        guard case .sent(let sent) = state else {
            throw WalletError(.invalidState, "no answer was lost")
        }
        return try await send(sent)
    }

    private func selection(
        for choice: WalletChoice,
        _ preparation: SessionPreparation
    ) throws(WalletError) -> DisclosureSelection {
        let disjunctions = preparation.request.disjunctions
        guard choice.candidates.count == disjunctions.count else {
            throw WalletError(
                .invalidChoice,
                "\(choice.candidates.count) choices for \(disjunctions.count) disjunctions"
            )
        }
        for (position, (candidate, disjunction)) in zip(choice.candidates, disjunctions).enumerated() {
            guard disjunction.candidates.contains(candidate), candidate.isUsable else {
                throw WalletError(.invalidChoice, "not a candidate that can be shown", path: ["disclose[\(position)]"])
            }
        }
        return try WalletError.converting { () throws(IRMAError) in
            try DisclosureSelection(
                choice.candidates + preparation.repeated,
                answering: preparation.effective,
                schemes: preparation.schemes
            )
        }
    }

    private func makeAnswer(
        _ preparation: SessionPreparation,
        _ choice: WalletChoice,
        _ selection: DisclosureSelection,
        _ pin: @escaping KeysharePINHandler
    ) async throws(WalletError) -> SentAnswer {
        let credentials = try await credentials(for: selection, preparation)
        let access = try await access(preparation, selection, pin)
        let prover = SessionProver(
            core: core,
            schemes: preparation.schemes,
            request: preparation.effective,
            version: version,
            selection: selection,
            shown: credentials,
            access: access
        )
        let answer = try await prover.answer()
        var entry = SessionLogEntry(
            time: core.clock.now(),
            kind: preparation.request.kind,
            host: preparation.request.requestor.host,
            requestorName: preparation.request.requestor.description?.name
        )
        for (candidate, disjunction) in zip(choice.candidates, preparation.request.disjunctions) {
            entry.disclosed.append(preparation.request.attributes(of: candidate, in: disjunction))
        }
        entry.disclosed += preparation.request.repeated
        if case .signature(let message) = answer.result { entry.signature = message }
        return SentAnswer(
            answer: answer,
            preparation: preparation,
            prover: prover,
            entry: entry,
            stored: try await keep(answer, entry, preparation, access)
        )
    }

    /// Keeps the state of an issuance, which would be lost with the process otherwise.
    private func keep(
        _ answer: SessionAnswer,
        _ entry: SessionLogEntry,
        _ preparation: SessionPreparation,
        _ access: [SchemeIdentifier: KeyshareAccess]
    ) async throws(WalletError) -> StoragePlace? {
        guard case .issuance(let pending) = answer.result else { return nil }
        let issuance = StoredIssuance(
            url: address,
            authorization: authorization,
            body: answer.body,
            keys: preparation.effective.credentials.map { ($0.credential, $0.keyCounter ?? 0) },
            entry: entry,
            enrollment: enrollment?.account.scheme,
            pending: pending.encoded()
        )
        let schemes = Set(preparation.effective.credentials.map(\.credential.scheme))
        do throws(WalletError) {
            try requireRunning()
            return try await core.vault.keep(issuance, of: schemes.compactMap { access[$0]?.account })
        } catch {
            await core.removeCopyKeys(of: answer.body)
            throw error
        }
    }

    /// The credentials of a selection, with witnesses that the verifier takes.
    private func credentials(
        for selection: DisclosureSelection,
        _ preparation: SessionPreparation
    ) async throws(WalletError) -> [VaultCredential] {
        let all = await core.vault.credentials(preparation.schemes)
        var credentials: [VaultCredential] = []
        for disclosure in selection.disclosures {
            guard var credential = all.first(where: { $0.hash == disclosure.hash }) else {
                throw WalletError(.credentialNotAvailable, "the credential is gone", path: [disclosure.type.text])
            }
            if disclosure.provesNonRevocation {
                credential = try await reaching(credential, preparation)
            }
            credentials.append(credential)
        }
        return credentials
    }

    /// A credential whose witness is as new as the events that the verifier sent along.
    private func reaching(
        _ credential: VaultCredential,
        _ preparation: SessionPreparation
    ) async throws(WalletError) -> VaultCredential {
        let update = preparation.effective.parameters.revocation?[credential.held.type]?
            .updates[credential.credential.publicKey.counter]
        guard let update, let index = update.events?.lastIndex,
            let witness = credential.credential.witness, witness.accumulator.index < index
        else { return credential }
        return try await WitnessUpdater(core, schemes: preparation.schemes)
            .update(credential, with: update, atLeast: index)
    }

    /// The accounts at the keyshare servers whose schemes are shown or issued.
    private func access(
        _ preparation: SessionPreparation,
        _ selection: DisclosureSelection,
        _ pin: @escaping KeysharePINHandler
    ) async throws(WalletError) -> [SchemeIdentifier: KeyshareAccess] {
        let schemes =
            selection.disclosures.map(\.type.scheme) + preparation.effective.credentials.map(\.credential.scheme)
        var access: [SchemeIdentifier: KeyshareAccess] = [:]
        for scheme in Set(schemes).sorted() where preparation.schemes.schemes[scheme]?.keyshareScheme != nil {
            if let enrollment, enrollment.account.scheme == scheme {
                access[scheme] = KeyshareAccess(account: enrollment.account, pin: enrollment.pin(orAsking: pin))
            } else {
                access[scheme] = KeyshareAccess(account: try await core.account(of: scheme), pin: pin)
            }
        }
        return access
    }
}
