import CryptoCore
import IRMAMessages
import IdemixCore

extension SessionProver {
    /// A proof that a keyshare server takes part in.
    struct Participation {
        let position: Int
        let key: KeyshareKeyIdentifier
        let publicKey: IdemixIssuerPublicKey
    }

    /// The proofs that keyshare servers take part in, by scheme.
    func participations(in credentials: [CredentialRequest]) -> [SchemeIdentifier: [Participation]] {
        var found: [SchemeIdentifier: [Participation]] = [:]
        func add(_ position: Int, _ type: CredentialTypeIdentifier, _ publicKey: IdemixIssuerPublicKey) {
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
    func shares(
        of participations: [SchemeIdentifier: [Participation]],
        from first: Int
    ) async throws(WalletError) -> [Int: (P: BigInteger, publicKey: IdemixIssuerPublicKey)] {
        var shares: [Int: (P: BigInteger, publicKey: IdemixIssuerPublicKey)] = [:]
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

    func prove(
        _ builder: IdemixProofListBuilder,
        _ challenge: IdemixChallenge,
        _ participations: [SchemeIdentifier: [Participation]]
    ) async throws(WalletError) -> (IdemixProofList, [SchemeIdentifier: KeyshareAnswer]) {
        let contributions = try WalletError.convertingIdemix { () throws(IdemixError) in try builder.contributions }
        // An issuer below 2.9 multiplies P into U itself.
        let linkable = request.kind == .issuing && version < .v2_9
        return try await prove(
            contributions: contributions,
            challenge,
            participations,
            linkable: linkable
        ) { (commitments: [Int: BigInteger]) throws(WalletError) in
            try WalletError.convertingIdemix { () throws(IdemixError) in
                try builder.prove(challenge: challenge, keyshareCommitments: commitments)
            }
        }
    }

    /// Proves, with the keyshare servers' commitments in the challenge, and asks them for their answers.
    ///
    /// No other session of the wallet comes in between.
    func prove(
        contributions: [IdemixProofContributions],
        _ challenge: IdemixChallenge,
        _ participations: [SchemeIdentifier: [Participation]],
        linkable: Bool,
        _ prove: ([Int: BigInteger]) throws(WalletError) -> IdemixProofList
    ) async throws(WalletError) -> (IdemixProofList, [SchemeIdentifier: KeyshareAnswer]) {
        let servers = participations.sorted { $0.key < $1.key }
        for (scheme, _) in servers {
            // The user types the PIN before the turn, which others wait for.
            let (connection, access) = try keyshare(scheme)
            _ = try await connection.token(of: access.account, askingFor: access.pin)
        }
        let schemes = servers.map(\.key)
        try await core.turns.begin(at: schemes)
        defer { core.turns.end(at: schemes) }
        return try await exchange(contributions, challenge, servers, linkable: linkable, prove)
    }

    private func exchange(
        _ contributions: [IdemixProofContributions],
        _ challenge: IdemixChallenge,
        _ servers: [(key: SchemeIdentifier, value: [Participation])],
        linkable: Bool,
        _ prove: ([Int: BigInteger]) throws(WalletError) -> IdemixProofList
    ) async throws(WalletError) -> (IdemixProofList, [SchemeIdentifier: KeyshareAnswer]) {
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
    func merging(
        _ answers: [SchemeIdentifier: KeyshareAnswer],
        _ participations: [SchemeIdentifier: [Participation]],
        into proofs: IdemixProofList
    ) throws(WalletError) -> IdemixProofList {
        var merged = proofs
        for (scheme, answer) in answers {
            let keys = participations[scheme, default: []].map { ($0.position, $0.publicKey) }
            let list = merged
            merged = try WalletError.convertingIdemix { () throws(IdemixError) in
                try list.merging(
                    answer.response,
                    at: Dictionary(keys, uniquingKeysWith: { first, _ in first }),
                    multiplyingShare: false
                )
            }
        }
        return merged
    }
}
