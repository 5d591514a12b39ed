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
    func prepare(_ request: SessionRequest) async throws(WalletError) -> WalletRequest {
        let schemes = try await acceptableSchemes(for: request)
        if enrollment != nil { try await noteAccount(in: request, schemes) }
        for scheme in Set(request.credentials.map(\.credential.scheme)).sorted()
        where schemes.schemes[scheme]?.keyshareScheme != nil && enrollment?.account.scheme != scheme {
            _ = try await core.account(of: scheme)
        }
        await WitnessUpdater(core, schemes: schemes).update(for: request)
        let credentials = await core.vault.credentials(schemes)
        let held = credentials.map(\.held)
        let now = core.clock.now()
        let shown = self.shown?.disjunctions ?? []
        var effective = request
        effective.disclose.disjunctions += shown.map { AttributeDisjunction([$0.attributes]) }
        let candidates = try WalletError.converting { [effective] () throws(IRMAError) in
            try effective.candidates(among: held, schemes: schemes, at: now)
        }
        // A server under another host, which a request of a chain may ask for, gets what was shown with a question.
        let isRepeated = url.map { self.shown?.wereShown(to: $0) ?? false } ?? false
        let asked = effective.disclose.disjunctions.prefix(candidates.count - (isRepeated ? shown.count : 0))
        let preparation = SessionPreparation(
            request: WalletRequest(
                requestor: requestor(schemes),
                request: request,
                protocolVersion: version,
                disjunctions: zip(asked, candidates).enumerated().map { position, pair in
                    let label = request.labels[position] ?? nil
                    return WalletDisjunction(label: label, disjunction: pair.0, candidates: pair.1)
                },
                credentials: try request.offers(schemes, held: held, at: now),
                repeated: !isRepeated
                    ? [] : shown.map { $0.attributes.attributes.map { LoggedAttribute($0.type, value: $0.value) } },
                held: held,
                valueNames: Self.indices(of: effective, schemes)
            ),
            effective: effective,
            repeated: isRepeated ? try repeated(shown, among: Array(candidates.dropFirst(asked.count))) : [],
            schemes: schemes
        )
        try requireRunning()
        state = .ready(preparation)
        return preparation.request
    }

    /// The schemes that know all that a request names and need nothing more, after an update where the present ones do not.
    private func acceptableSchemes(for request: SessionRequest) async throws(WalletError) -> SchemeSnapshot {
        let present = await core.schemes.snapshot
        do throws(WalletError) {
            try request.requireAcceptable(kind: kind, schemes: present, options: core.options, at: core.clock.now())
            return present
        } catch {
            guard [.unknownIdentifier, .requiredAttributeMissing].contains(error.code) else { throw error }
        }
        // An attribute may have become optional.
        let failures = await core.schemes.update(request.schemeIdentifiers)
        let schemes = await core.schemes.snapshot
        do throws(WalletError) {
            try request.requireAcceptable(kind: kind, schemes: schemes, options: core.options, at: core.clock.now())
            return schemes
        } catch {
            // What kept the newer version away says more than what is missing without it.
            guard let failure = failures.min(by: { $0.key < $1.key })?.value else { throw error }
            throw WalletError(error.code, error.message, path: error.path, cause: failure)
        }
    }

    /// Notes down the name that the keyshare server gave to the account: the value of the login attribute.
    private func noteAccount(in request: SessionRequest, _ schemes: SchemeSnapshot) async throws(WalletError) {
        guard var enrollment else { return }
        let login = schemes.schemes[enrollment.account.scheme]?.description.keyshareAttribute
        let username = request.credentials.lazy.compactMap { credential -> String? in
            guard let login, let name = login.attribute, credential.credential == login.credentialType else {
                return nil
            }
            return credential.attributes[ExactText(name)]
        }.first
        guard let username else {
            throw WalletError(
                .keyshare,
                "the server does not issue the login attribute",
                path: [enrollment.account.scheme.text]
            )
        }
        enrollment.account.username = username
        try await core.vault.put(enrollment.account)
        self.enrollment = enrollment
    }

    private func requestor(_ schemes: SchemeSnapshot) -> WalletRequestor {
        let host = url?.host.description ?? ""
        let isSecure = url?.scheme == .https
        let description = isSecure ? schemes.requestor(host: host, at: core.clock.now()) : nil
        return WalletRequestor(host: host, description: description, logo: description.flatMap(schemes.logo(of:)))
    }

    /// The answers to what the chain has shown before: the same credentials, or others where those are gone.
    private func repeated(
        _ shown: [ShownDisjunction],
        among candidates: [[DisclosureCandidate]]
    ) throws(WalletError) -> [DisclosureCandidate] {
        var repeated: [DisclosureCandidate] = []
        for (shown, ways) in zip(shown, candidates) {
            let same = ways.first { way in
                way.isUsable && way.credentials.map(\.hash) == shown.credentials.map(\.hash)
            }
            guard let candidate = same ?? ways.first(where: \.isUsable) else {
                throw WalletError(.credentialNotAvailable, "a credential that the chain has shown is gone")
            }
            repeated.append(candidate)
        }
        return repeated
    }

    private static func indices(of request: SessionRequest, _ schemes: SchemeSnapshot) -> [AttributeIdentifier: Int] {
        var indices: [AttributeIdentifier: Int] = [:]
        for attribute in request.disclose.attributes {
            guard let name = attribute.type.attribute else { continue }
            indices[attribute.type] = schemes.credentialType(attribute.type.credentialType)?.baseIndex(of: name)
        }
        return indices
    }
}
