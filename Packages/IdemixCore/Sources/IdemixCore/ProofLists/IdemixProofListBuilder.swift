public import CryptoCore
import Synchronization

/// Makes a list of proofs that answer one challenge and show one secret key.
///
/// A builder is a reference that any thread or task can use, also across an `await`, while a keyshare server is asked for
/// its part. It ends with ``prove(challenge:keyshareCommitments:)``: its randomizers answer one challenge only, and every
/// later call throws.
public final class IdemixProofListBuilder: Sendable {
    private enum Secrets: Sendable {
        case disclosure(DisclosureSecrets)
        case issuance(IssuanceSecrets)

        var contributions: IdemixProofContributions {
            switch self {
            case .disclosure(let secrets): secrets.contributions
            case .issuance(let secrets): secrets.contributions
            }
        }

        var publicKey: IdemixIssuerPublicKey {
            switch self {
            case .disclosure(let secrets): secrets.request.credential.publicKey
            case .issuance(let secrets): secrets.publicKey
            }
        }

        func proof(challenge: BigInteger) -> IdemixProof {
            switch self {
            case .disclosure(let secrets): .disclosure(secrets.proof(challenge: challenge))
            case .issuance(let secrets): .issuance(secrets.proof(challenge: challenge))
            }
        }
    }

    private struct State: Sendable {
        var secrets: [Secrets] = []
        /// The commitment to the secret key: the first proof's, which the others adopt.
        var keyCommitment: KeyCommitment?

        func commitment(for publicKey: IdemixIssuerPublicKey, using randomness: any RandomSource) -> KeyCommitment {
            keyCommitment?.moved(to: publicKey)
                ?? KeyCommitment(KeyCommitment.randomizer(using: randomness), publicKey: publicKey)
        }
    }

    private let randomness: any RandomSource
    /// Nil once a challenge has been answered.
    private let state = Mutex<State?>(State())

    /// An empty list.
    public init(using randomness: any RandomSource = .system) {
        self.randomness = randomness
    }

    /// Adds a disclosure.
    ///
    /// - Throws: ``IdemixError/Code/unprovableStatement`` for a false range statement;
    ///   ``IdemixError/Code/revocationNotSupported`` for a proof of non-revocation under a key without G and H;
    ///   ``IdemixError/Code/commitmentUsed`` after the list was proved.
    public func add(_ request: IdemixDisclosureRequest) throws(IdemixError) {
        try change { state throws(IdemixError) in
            let commitment = state.commitment(for: request.credential.publicKey, using: randomness)
            let secrets = try DisclosureSecrets(request, keyCommitment: commitment, using: randomness)
            state.secrets.append(.disclosure(secrets))
            state.keyCommitment = commitment
        }
    }

    /// Adds a disclosure that was prepared ahead of time.
    ///
    /// - Throws: ``IdemixError/Code/commitmentUsed`` if it has been used before, or after the list was proved.
    public func add(_ prepared: PreparedIdemixDisclosure) throws(IdemixError) {
        try change { state throws(IdemixError) in
            let disclosure = try prepared.take()
            guard let keyCommitment = state.keyCommitment else {
                state.keyCommitment = disclosure.keyCommitment
                state.secrets.append(.disclosure(disclosure))
                return
            }
            let moved = keyCommitment.moved(to: disclosure.request.credential.publicKey)
            state.secrets.append(.disclosure(disclosure.adopting(moved)))
        }
    }

    /// Adds the commitment for a credential to be issued.
    ///
    /// - Parameters:
    ///   - publicKey: The key of the issuer, in whose group the commitment lies.
    ///   - secretKey: The holder's secret key, which the credential will be bound to.
    ///   - blindIndices: The base indices of the random-blind attributes.
    ///   - keyshareP: The keyshare server's share R_0^s of the secret key, which is multiplied into U.
    /// - Returns: The holder's state, needed when the signature comes.
    /// - Throws: ``IdemixError/Code/invalidIndices``, ``IdemixError/Code/notInvertible``,
    ///   ``IdemixError/Code/commitmentUsed`` after the list was proved.
    public func addIssuance(
        publicKey: IdemixIssuerPublicKey,
        secretKey: IdemixHolderSecretKey,
        blindIndices: Set<Int> = [],
        keyshareP: BigInteger? = nil
    ) throws(IdemixError) -> PendingIdemixCredential {
        try change { state throws(IdemixError) in
            try Self.addIssuance(
                to: &state,
                publicKey: publicKey,
                secretKey: secretKey,
                blindIndices: blindIndices,
                keyshareP: keyshareP,
                using: randomness
            )
        }
    }

    /// Adds the commitments for several credentials to be issued, all of them or none.
    ///
    /// - Parameters:
    ///   - requests: The credentials, in the order of the session's request.
    ///   - secretKey: The holder's secret key, which the credentials will be bound to.
    ///   - context: The context of the session: 1.
    /// - Returns: The holder's state with a fresh nonce n_2, needed when the signatures come.
    /// - Throws: ``IdemixError/Code/notInvertible`` for a keyshare server's share outside its group, with the position in
    ///   the path, ``IdemixError/Code/commitmentUsed`` after the list was proved.
    public func addIssuance(
        of requests: [IdemixIssuanceRequest],
        secretKey: IdemixHolderSecretKey,
        context: BigInteger = 1
    ) throws(IdemixError) -> PendingIdemixIssuance {
        try change { state throws(IdemixError) in
            var entries: [PendingIdemixIssuance.Entry] = []
            for (position, request) in requests.enumerated() {
                do throws(IdemixError) {
                    let pending = try Self.addIssuance(
                        to: &state,
                        publicKey: request.publicKey,
                        secretKey: secretKey,
                        blindIndices: request.blindIndices,
                        keyshareP: request.keyshareP,
                        using: randomness
                    )
                    entries.append(
                        PendingIdemixIssuance.Entry(
                            attributes: request.attributes,
                            revocationIndex: request.revocationIndex,
                            credential: pending
                        )
                    )
                } catch {
                    throw error.inside("credentials[\(position)]")
                }
            }
            let nonce = BigInteger.random(bits: IdemixSystemParameters.Common.nonce, using: randomness)
            return PendingIdemixIssuance(context: context, nonce: nonce, entries: entries)
        }
    }

    private static func addIssuance(
        to state: inout State,
        publicKey: IdemixIssuerPublicKey,
        secretKey: IdemixHolderSecretKey,
        blindIndices: Set<Int>,
        keyshareP: BigInteger?,
        using randomness: any RandomSource
    ) throws(IdemixError) -> PendingIdemixCredential {
        let commitment = state.commitment(for: publicKey, using: randomness)
        let issuance = try IssuanceSecrets(
            publicKey: publicKey,
            secretKey: secretKey,
            blindIndices: blindIndices,
            keyshareP: keyshareP,
            keyCommitment: commitment,
            using: randomness
        )
        state.secrets.append(.issuance(issuance))
        state.keyCommitment = commitment
        return PendingIdemixCredential(issuance, keyshareP: keyshareP)
    }

    /// The contributions of each proof to the challenge, without the keyshare server's part.
    ///
    /// - Throws: ``IdemixError/Code/commitmentUsed`` after the list was proved.
    public var contributions: [IdemixProofContributions] {
        get throws(IdemixError) {
            try change { state throws(IdemixError) in state.secrets.map(\.contributions) }
        }
    }

    /// The proofs; the builder is used up.
    ///
    /// - Parameters:
    ///   - challenge: The verifier's input to the challenge.
    ///   - keyshareCommitments: The keyshare server's R_0^ρ, by the position of the proofs it takes part in.
    /// - Throws: ``IdemixError/Code/commitmentUsed`` after the list was proved. For a position without a proof
    ///   ``IdemixError/Code/keyshareMismatch``, for a commitment outside the group of its key
    ///   ``IdemixError/Code/notInvertible``, both with the position in the path; the builder can be used again then.
    public func prove(
        challenge: IdemixChallenge,
        keyshareCommitments: [Int: BigInteger] = [:]
    ) throws(IdemixError) -> IdemixProofList {
        let secrets = try take { secrets throws(IdemixError) in
            for (position, commitment) in keyshareCommitments {
                guard secrets.indices.contains(position) else {
                    throw IdemixError(.keyshareMismatch, "no proof at this position", path: ["proofs[\(position)]"])
                }
                do throws(IdemixError) {
                    try secrets[position].publicKey.requireUnit(commitment, "Pcommit")
                } catch {
                    throw error.inside("proofs[\(position)]")
                }
            }
        }
        var contributions: [BigInteger] = []
        for (position, secrets) in secrets.enumerated() {
            var own = secrets.contributions.all
            if let keyshare = keyshareCommitments[position] {
                // The commitment is the second one: Z~ or U~.
                own[1] = secrets.publicKey.group.modulus.product(own[1], keyshare)
            }
            contributions += own
        }
        return Self.answer(challenge.hash(of: contributions), with: secrets)
    }

    /// The proofs for a known challenge.
    package func answer(_ challenge: BigInteger) throws(IdemixError) -> IdemixProofList {
        Self.answer(challenge, with: try take { _ in })
    }

    private static func answer(_ challenge: BigInteger, with secrets: [Secrets]) -> IdemixProofList {
        IdemixProofList(secrets.map { $0.proof(challenge: challenge) })
    }

    /// Takes the secrets out, once, if a check of them does not throw.
    private func take(
        checking check: ([Secrets]) throws(IdemixError) -> Void
    ) throws(IdemixError) -> [Secrets] {
        try state.withLock { state throws(IdemixError) in
            guard let current = state else { throw Self.used }
            try check(current.secrets)
            state = nil
            return current.secrets
        }
    }

    private func change<Result: Sendable>(
        _ body: (inout State) throws(IdemixError) -> Result
    ) throws(IdemixError) -> Result {
        try state.withLock { state throws(IdemixError) in
            guard var current = state else { throw Self.used }
            let result = try body(&current)
            state = current
            return result
        }
    }

    private static var used: IdemixError {
        IdemixError(.commitmentUsed, "a list of proofs answers one challenge only")
    }
}
