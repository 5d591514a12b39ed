import CredentialTransport
import CryptoCore
import IRMAMessages
import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension WalletSession {
    func send(_ sent: SentAnswer) async throws(WalletError) -> SessionOutcome {
        guard case .sent = state, let channel else {
            throw WalletError(.cancelled, "the session was cancelled")
        }
        state = .sending
        return try await ending { () async throws(WalletError) in
            do throws(WalletError) {
                return try await self.finish(sent, try await channel.post(sent.answer.path, sent.answer.body))
            } catch {
                if error.isAnswerLost || error.isOverload || Self.passing.contains(error.code) {
                    // The server may have taken the answer, and its own may be had again.
                    self.state = .sent(sent)
                } else {
                    await self.forget(sent)
                }
                throw error
            }
        }
    }

    /// Failures after which the answer can be sent once more, besides those of the server and the way to it: of the caller's
    /// task, and of the storage that keeps the outcome.
    private static let passing: Set<WalletError.Code> = [.cancelled, .storageFailed, .storageConflict]

    /// Forgets an issuance that has failed; a failure of the storage leaves it to ``IRMAWallet/resumeIssuances()``.
    func forget(_ sent: SentAnswer) async {
        guard let place = sent.stored, (try? await core.vault.forgetIssuance(at: place)) == true else { return }
        await core.removeCopyKeys(of: sent.answer.body)
    }

    private func finish(_ sent: SentAnswer, _ body: [UInt8]) async throws(WalletError) -> SessionOutcome {
        let response = try Self.response(in: body)
        let entry: SessionLogEntry
        if case .issuance(let pending) = sent.answer.result {
            entry = try await takeIn(response, pending, sent)
        } else {
            entry = try await core.vault.append(sent.entry)
        }
        let shown = url.map { ShownAttributes(server: $0, disjunctions: showing(sent)) }
        let next = response.nextSession.map { WalletSession($0, core: core, shown: shown) }
        state = .finished
        let (http, prover) = (http, sent.prover)
        Task(priority: .background) {
            await http?.close()
            await prover.prepareAgain()
        }
        return SessionOutcome(entry: entry, nextSession: next, returnURL: sent.preparation.request.returnURL)
    }

    /// The server's answer to proofs that it accepts.
    static func response(in body: [UInt8]) throws(WalletError) -> ServerSessionResponse {
        let response = try reading { () throws(IRMAError) in try ServerSessionResponse(decoding: body) }
        guard response.proofStatus == .valid else {
            throw WalletError(
                .rejected,
                "the server does not accept the proofs: \(response.proofStatus)",
                cause: RefusedProofs(status: response.proofStatus)
            )
        }
        return response
    }

    /// Checks the issuers' signatures, and keeps the credentials.
    private func takeIn(
        _ response: ServerSessionResponse,
        _ pending: PendingIdemixIssuance,
        _ sent: SentAnswer
    ) async throws(WalletError) -> SessionLogEntry {
        let credentials = try core.credentials(from: response, pending)
        let schemes = sent.preparation.schemes
        var entry = sent.entry
        entry.copyRefusal = try await core.keepCopies(
            of: response,
            to: sent.answer.body,
            credentials,
            schemes: schemes
        )
        for credential in credentials { await core.prepared.remove(credential.hash) }
        return try await core.vault.add(
            credentials,
            schemes: schemes,
            at: core.clock.now(),
            entry: entry,
            completing: enrollment?.account.scheme,
            forgetting: sent.stored
        )
    }

    /// The attributes that the chain has shown so far: those of this session and those that it repeated.
    private func showing(_ sent: SentAnswer) -> [ShownDisjunction] {
        let preparation = sent.preparation
        var shown: [ShownDisjunction] = []
        for places in sent.prover.selection.indices {
            var attributes: [AttributeRequest] = []
            var credentials: [CandidateCredential] = []
            for place in places {
                guard sent.prover.shown.indices.contains(place.credential) else { continue }
                let credential = sent.prover.shown[place.credential]
                let name = preparation.schemes.credentialType(credential.held.type)?.attribute(at: place.attribute)?
                    .name
                let id = name.map { AttributeIdentifier(credential.held.type, attribute: $0) }
                attributes.append(
                    AttributeRequest(
                        id ?? AttributeIdentifier(credential.held.type.text),
                        value: credential.held.values[place.attribute] ?? nil
                    )
                )
                if !credentials.contains(where: { $0.hash == credential.hash }) {
                    credentials.append(CandidateCredential(type: credential.held.type, hash: credential.hash))
                }
            }
            shown.append(ShownDisjunction(attributes: AttributeConjunction(attributes), credentials: credentials))
        }
        return shown
    }
}

extension WalletCore {
    /// The credentials of a server's answer, after everything in it was checked.
    func credentials(
        from response: ServerSessionResponse,
        _ pending: PendingIdemixIssuance
    ) throws(WalletError) -> [IdemixCredential] {
        func finish(_ randomness: some RandomSource) throws(IdemixError) -> [IdemixCredential] {
            try pending.finish(with: response.signatures ?? [], using: randomness)
        }
        do throws(IdemixError) { return try finish(randomness) } catch { throw WalletError(error) }
    }
}
