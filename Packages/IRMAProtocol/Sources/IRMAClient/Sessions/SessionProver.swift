import CryptoCore
import IRMAMessages
import IdemixCore

/// Makes the proofs of one answer, with the keyshare servers that have a part of the secret key.
struct SessionProver: Sendable {
    let core: WalletCore
    let schemes: SchemeSnapshot
    let request: SessionRequest
    let version: ProtocolVersion
    let selection: DisclosureSelection
    /// The credentials to show, in the order of the selection.
    let shown: [VaultCredential]
    let access: [SchemeIdentifier: KeyshareAccess]

    /// The message for the server, with the state for its answer.
    func answer() async throws(WalletError) -> SessionAnswer {
        var attempt = 1
        while true {
            do throws(WalletError) {
                switch request.purpose {
                case .disclosing: return try await disclosure()
                case .signing: return try await signature()
                case .issuing(let credentials): return try await commitments(to: credentials)
                }
            } catch {
                // The keyshare server forgot the commitments: they, and the proofs with them, are made again.
                guard error.code == .keyshare, let name = error.remoteError?.name,
                    Self.namesOfForgottenCommitments.contains(name), attempt < KeyshareConnection.restarts
                else { throw error }
                attempt += 1
            }
        }
    }

    /// The errors of a keyshare server that has no commitment, or has answered it already: the reference's calls the latter,
    /// which follows the loss of an answer, an internal error.
    private static let namesOfForgottenCommitments: Set<RemoteError.Name> = [.missingCommitment, .internalError]

    // MARK: The kinds of session

    private func disclosure() async throws(WalletError) -> SessionAnswer {
        let builder = IdemixProofListBuilder(using: core.randomness)
        try await addDisclosures(to: builder)
        var proofs = IdemixProofList([])
        if !shown.isEmpty {
            let participations = participations(in: [])
            let (own, answers) = try await prove(builder, request.parameters.challenge(), participations)
            proofs = try merging(answers, participations, into: own)
        }
        let response = DisclosureResponse(proofs: proofs, indices: selection.indices)
        return SessionAnswer(path: "proofs", body: try encoded(response), result: .disclosure)
    }

    private func signature() async throws(WalletError) -> SessionAnswer {
        let disclosures = try disclosureRequests()
        let builder = IdemixProofListBuilder(using: core.randomness)
        let prepared = try WalletError.converting { () throws(IRMAError) in
            try PreparedSignature(
                of: request,
                showing: disclosures,
                indices: selection.indices,
                schemes: schemes,
                builder: builder
            )
        }
        let timestamp = try await timestamp(for: prepared)
        let participations = participations(in: [])
        let challenge = prepared.challenge(with: timestamp)
        let (own, answers) = try await prove(
            contributions: prepared.contributions,
            challenge,
            participations,
            linkable: false
        ) { (commitments: [Int: BigInteger]) throws(WalletError) in
            try WalletError.converting { () throws(IRMAError) in
                try prepared.completed(with: timestamp, keyshareCommitments: commitments).signature
            }
        }
        let message = SignedMessage(
            signature: try merging(answers, participations, into: own),
            indices: selection.indices,
            nonce: request.parameters.nonce,
            context: request.parameters.context,
            message: request.message ?? "",
            timestamp: timestamp
        )
        return SessionAnswer(path: "proofs", body: try encoded(message), result: .signature(message))
    }

    private func commitments(to credentials: [CredentialRequest]) async throws(WalletError) -> SessionAnswer {
        let builder = IdemixProofListBuilder(using: core.randomness)
        try await addDisclosures(to: builder)
        let participations = participations(in: credentials)
        let shares = try await shares(of: participations, from: shown.count)
        let now = core.clock.now()
        var requests: [IdemixIssuanceRequest] = []
        for (position, credential) in credentials.enumerated() {
            requests.append(
                try credential.issuanceRequest(schemes, keyshareP: shares[shown.count + position]?.P, at: now)
            )
        }
        let own = requests
        let pending = try WalletError.convertingIdemix { () throws(IdemixError) in
            try builder.addIssuance(
                of: own,
                secretKey: core.vault.secretKey,
                context: request.parameters.context ?? 1
            )
        }
        var (proofs, answers) = try await prove(builder, request.parameters.challenge(), participations)
        if version < .v2_9 {
            let list = proofs
            proofs = try WalletError.convertingIdemix { () throws(IdemixError) in try list.dividingOut(shares) }
        }
        let hasDisclosure = !request.disclose.disjunctions.isEmpty
        var message = IssuanceCommitments(
            combinedProofs: proofs,
            nonce: pending.nonce,
            keyshareTokens: answers.mapValues(\.token),
            indices: hasDisclosure ? selection.indices : nil
        )
        message.keyBindingKeys = try await core.copyKeys(for: credentials)
        return SessionAnswer(path: "commitments", body: try encoded(message), result: .issuance(pending))
    }

    private func encoded(_ message: some IRMAMessage) throws(WalletError) -> [UInt8] {
        do throws(IRMAError) {
            return try message.encoded()
        } catch {
            throw WalletError(.serialization, error.message, path: error.path, cause: error)
        }
    }

    // MARK: Disclosures

    /// The disclosures, one for each credential.
    private func disclosureRequests() throws(WalletError) -> [IdemixDisclosureRequest] {
        var requests: [IdemixDisclosureRequest] = []
        for (credential, disclosure) in zip(shown, selection.disclosures) {
            requests.append(
                try WalletError.converting { () throws(IRMAError) in
                    try disclosure.request(showing: credential.credential, schemes: schemes)
                }
            )
        }
        return requests
    }

    private func addDisclosures(to builder: IdemixProofListBuilder) async throws(WalletError) {
        for (request, disclosure) in zip(try disclosureRequests(), selection.disclosures) {
            let prepared = await core.prepared.take(PreparedDisclosures.Kind(disclosure), for: request)
            try WalletError.convertingIdemix { () throws(IdemixError) in
                if let prepared { try builder.add(prepared) } else { try builder.add(request) }
            }
        }
    }

    /// Prepares what was shown for the next time.
    func prepareAgain() async {
        guard let requests = try? disclosureRequests() else { return }
        for (request, disclosure) in zip(requests, selection.disclosures) {
            await core.prepared.prepare(PreparedDisclosures.Kind(disclosure), for: request)
        }
    }
}

/// The message that answers a request.
struct SessionAnswer: Sendable {
    /// The state that the wallet needs when the server's answer comes.
    enum Expected: Sendable {
        case disclosure
        case signature(SignedMessage)
        case issuance(PendingIdemixIssuance)
    }

    /// The path below the session's URL.
    let path: String
    let body: [UInt8]
    let result: Expected
}

extension PreparedDisclosures.Kind {
    /// The kind of a disclosure.
    init(_ disclosure: DisclosureSelection.Disclosure) {
        self.init(
            hash: disclosure.hash,
            disclosed: disclosure.disclosed,
            provesNonRevocation: disclosure.provesNonRevocation
        )
    }
}
