import CryptoCore
import IRMAMessages
import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

    /// A proof that a keyshare server takes part in.
    private struct Participation {
        let position: Int
        let key: KeyshareKeyIdentifier
        let publicKey: IssuerPublicKey
    }

    /// The message for the server, and what the wallet needs when its answer comes.
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
                guard error.remoteError?.name == .missingCommitment, attempt < KeyshareConnection.restarts else {
                    throw error
                }
                attempt += 1
            }
        }
    }

    // MARK: The kinds of session

    private func disclosure() async throws(WalletError) -> SessionAnswer {
        let builder = ProofListBuilder(using: core.randomness)
        try await addDisclosures(to: builder)
        var proofs = ProofList([])
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
        let builder = ProofListBuilder(using: core.randomness)
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
        let builder = ProofListBuilder(using: core.randomness)
        try await addDisclosures(to: builder)
        let participations = participations(in: credentials)
        let shares = try await shares(of: participations, from: shown.count)
        let now = core.clock.now()
        var requests: [IssuanceRequest] = []
        for (position, credential) in credentials.enumerated() {
            requests.append(
                try credential.issuanceRequest(schemes, keyshareP: shares[shown.count + position]?.P, at: now)
            )
        }
        let own = requests
        let pending = try WalletError.converting { () throws(IdemixError) in
            try builder.addIssuance(
                of: own,
                secretKey: core.vault.secretKey,
                context: request.parameters.context ?? 1
            )
        }
        var (proofs, answers) = try await prove(builder, request.parameters.challenge(), participations)
        if version < .v2_9 {
            let list = proofs
            proofs = try WalletError.converting { () throws(IdemixError) in try list.dividingOut(shares) }
        }
        let hasDisclosure = !request.disclose.disjunctions.isEmpty
        let message = IssuanceCommitments(
            combinedProofs: proofs,
            nonce: pending.nonce,
            keyshareTokens: answers.mapValues(\.token),
            indices: hasDisclosure ? selection.indices : nil
        )
        return SessionAnswer(path: "commitments", body: try encoded(message), result: .issuance(pending))
    }

    private func encoded(_ message: some IRMAMessage) throws(WalletError) -> [UInt8] {
        do throws(IRMAError) {
            return try message.encodedBytes()
        } catch {
            throw WalletError(.serialization, error.message, path: error.path, cause: error)
        }
    }

    // MARK: Disclosures

    /// What is shown of each credential.
    private func disclosureRequests() throws(WalletError) -> [DisclosureRequest] {
        var requests: [DisclosureRequest] = []
        for (credential, disclosure) in zip(shown, selection.disclosures) {
            requests.append(
                try WalletError.converting { () throws(IdemixError) in
                    try DisclosureRequest(
                        credential.credential,
                        disclosing: disclosure.disclosed,
                        provingNonRevocation: disclosure.provesNonRevocation
                    )
                }
            )
        }
        return requests
    }

    private func addDisclosures(to builder: ProofListBuilder) async throws(WalletError) {
        for (request, disclosure) in zip(try disclosureRequests(), selection.disclosures) {
            let prepared = await core.prepared.take(PreparedDisclosures.Kind(disclosure), for: request)
            try WalletError.converting { () throws(IdemixError) in
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

    // MARK: Keyshare servers

    /// The proofs that keyshare servers take part in, by scheme.
    private func participations(in credentials: [CredentialRequest]) -> [SchemeIdentifier: [Participation]] {
        var found: [SchemeIdentifier: [Participation]] = [:]
        func add(_ position: Int, _ type: CredentialTypeIdentifier, _ publicKey: IssuerPublicKey) {
            guard schemes.schemes[type.scheme]?.keyshareScheme != nil else { return }
            let key = KeyshareKeyIdentifier(issuer: type.issuer.text, counter: publicKey.counter)
            found[type.scheme, default: []].append(Participation(position: position, key: key, publicKey: publicKey))
        }
        for (position, credential) in shown.enumerated() {
            add(position, credential.held.type, credential.credential.publicKey)
        }
        for (position, credential) in credentials.enumerated() {
            guard let publicKey = try? credential.publicKey(schemes) else { continue }
            add(shown.count + position, credential.credential, publicKey)
        }
        return found
    }

    private func keyshare(
        _ scheme: SchemeIdentifier
    ) throws(WalletError) -> (connection: KeyshareConnection, access: KeyshareAccess) {
        guard let access = access[scheme] else {
            throw WalletError(.keyshareUnenrolled, "the user is not enrolled", path: [scheme.text])
        }
        return (try core.keyshare(scheme, schemes), access)
    }

    /// The shares P of the keys of credentials to be issued, by position.
    private func shares(
        of participations: [SchemeIdentifier: [Participation]],
        from first: Int
    ) async throws(WalletError) -> [Int: (P: BigInteger, publicKey: IssuerPublicKey)] {
        var shares: [Int: (P: BigInteger, publicKey: IssuerPublicKey)] = [:]
        for (scheme, all) in participations.sorted(by: { $0.key < $1.key }) {
            let issued = all.filter { $0.position >= first }
            guard !issued.isEmpty else { continue }
            let (connection, access) = try keyshare(scheme)
            let answer = try await connection.shares(for: issued.map(\.key), access)
            for participation in issued {
                guard let P = answer[participation.key] else { continue }
                shares[participation.position] = (P, participation.publicKey)
            }
        }
        return shares
    }

    private func prove(
        _ builder: ProofListBuilder,
        _ challenge: Challenge,
        _ participations: [SchemeIdentifier: [Participation]]
    ) async throws(WalletError) -> (ProofList, [SchemeIdentifier: KeyshareAnswer]) {
        let contributions = try WalletError.converting { () throws(IdemixError) in try builder.contributions }
        // An issuer below 2.9 multiplies P into U itself.
        let linkable = request.kind == .issuing && version < .v2_9
        return try await prove(
            contributions: contributions,
            challenge,
            participations,
            linkable: linkable
        ) { (commitments: [Int: BigInteger]) throws(WalletError) in
            try WalletError.converting { () throws(IdemixError) in
                try builder.prove(challenge: challenge, keyshareCommitments: commitments)
            }
        }
    }

    /// Proves, with the keyshare servers' commitments in the challenge, and asks them for their answers.
    private func prove(
        contributions: [ProofContributions],
        _ challenge: Challenge,
        _ participations: [SchemeIdentifier: [Participation]],
        linkable: Bool,
        _ prove: ([Int: BigInteger]) throws(WalletError) -> ProofList
    ) async throws(WalletError) -> (ProofList, [SchemeIdentifier: KeyshareAnswer]) {
        let servers = participations.sorted { $0.key < $1.key }
        // In the newer protocol the server computes the challenge, of which it knows no other server's part.
        let isNewer = servers.count == 1 && (version >= .v2_9 || core.options.prefersNewKeyshareProtocol)
        let keys = Dictionary(
            servers.flatMap(\.value).map { ($0.position, $0.key) },
            uniquingKeysWith: { first, _ in first }
        )
        let inputs = contributions.enumerated().map { position, contributions in
            KeyshareChallengeInput(key: keys[position], contributions: contributions)
        }
        let inputHash = isNewer ? KeyshareChallengeInput.hash(inputs) : nil
        var commitments: [Int: BigInteger] = [:]
        for (scheme, participations) in servers {
            let (connection, access) = try keyshare(scheme)
            let answer = try await connection.commitments(for: participations.map(\.key), inputHash: inputHash, access)
            for participation in participations { commitments[participation.position] = answer[participation.key] }
        }
        let proofs = try prove(commitments)
        var answers: [SchemeIdentifier: KeyshareAnswer] = [:]
        for (scheme, participations) in servers {
            let (connection, access) = try keyshare(scheme)
            guard let first = participations.first, proofs.proofs.indices.contains(first.position),
                let userResponse = proofs.proofs[first.position].secretKeyResponse
            else { continue }
            let own = proofs.proofs[first.position].challenge
            let answer: KeyshareAnswer
            if isNewer {
                let request = KeyshareCommitment.ChallengeRequest(
                    challenge: challenge,
                    userResponse: userResponse,
                    inputs: inputs
                )
                answer = try await connection.response(to: request, linkable: linkable, access)
            } else {
                answer = try await connection.response(to: own, access)
            }
            guard answer.response.challenge == own else {
                throw WalletError(.keyshare, "the server answered another challenge", path: [scheme.text])
            }
            answers[scheme] = answer
        }
        return (proofs, answers)
    }

    /// The proofs with the keyshare servers' answers in them, as verifiers expect them.
    private func merging(
        _ answers: [SchemeIdentifier: KeyshareAnswer],
        _ participations: [SchemeIdentifier: [Participation]],
        into proofs: ProofList
    ) throws(WalletError) -> ProofList {
        var merged = proofs
        for (scheme, answer) in answers {
            let keys = participations[scheme, default: []].map { ($0.position, $0.publicKey) }
            let list = merged
            merged = try WalletError.converting { () throws(IdemixError) in
                try list.merging(
                    answer.response,
                    at: Dictionary(keys, uniquingKeysWith: { first, _ in first }),
                    multiplyingShare: false
                )
            }
        }
        return merged
    }

    // MARK: Timestamps

    /// The timestamp of a signature, which is checked to be about it.
    private func timestamp(for prepared: PreparedSignature) async throws(WalletError) -> Timestamp {
        let channel = try core.channel(to: prepared.timestampServer)
        let body = try await channel.post("", prepared.timestampRequest)
        let answer: TimestampResponse
        do throws(IRMAError) {
            answer = try TimestampResponse(decoding: body)
        } catch {
            throw WalletError(.serialization, error.message, path: ["timestamp"] + error.path, cause: error)
        }
        guard let stamp = answer.stamp else {
            throw WalletError(
                .serverResponse,
                "the timestamp server gave none: \(answer.error ?? "without a reason")",
                path: ["timestamp"]
            )
        }
        do throws(IRMAError) {
            // Verifiers know which keys are the server's; here only a stamp over something else is refused.
            let key = try TimestampKey(rawRepresentation: stamp.signature.publicKey)
            try stamp.requireSignature(over: prepared.timestampRequest.nonce, by: [key])
        } catch {
            throw WalletError(.serverResponse, error.message, path: ["timestamp"] + error.path, cause: error)
        }
        return stamp
    }
}

/// The message that answers a request.
struct SessionAnswer: Sendable {
    /// What the wallet needs when the server's answer comes.
    enum Result: Sendable {
        case disclosure
        case signature(SignedMessage)
        case issuance(PendingIssuance)
    }

    /// The path below the session's URL.
    let path: String
    let body: [UInt8]
    let result: Result
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
