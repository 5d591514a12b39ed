public import CryptoCore

/// Makes a list of proofs that answer one challenge and show one secret key.
///
/// A builder cannot be copied and ends with ``prove(context:nonce:isSignature:keyshareCommitments:)``: its randomizers
/// answer one challenge only.
public struct ProofListBuilder<Randomness: RandomSource>: ~Copyable {
    private enum Secrets {
        case disclosure(DisclosureSecrets)
        case issuance(IssuanceSecrets)

        var contributions: ProofContributions {
            switch self {
            case .disclosure(let secrets): secrets.contributions
            case .issuance(let secrets): secrets.contributions
            }
        }

        var publicKey: IssuerPublicKey {
            switch self {
            case .disclosure(let secrets): secrets.request.credential.publicKey
            case .issuance(let secrets): secrets.publicKey
            }
        }

        func proof(challenge: BigInteger) -> Proof {
            switch self {
            case .disclosure(let secrets): .disclosure(secrets.proof(challenge: challenge))
            case .issuance(let secrets): .issuance(secrets.proof(challenge: challenge))
            }
        }
    }

    private let randomness: Randomness
    private var secrets: [Secrets] = []
    /// The commitment to the secret key: the first proof's, which the others adopt.
    private var keyCommitment: KeyCommitment?

    /// An empty list.
    public init(from randomness: Randomness = SystemRandomSource()) {
        self.randomness = randomness
    }

    /// Adds a disclosure.
    ///
    /// - Throws: ``IdemixError/Code/unprovableStatement`` for a false range statement;
    ///   ``IdemixError/Code/revocationNotSupported`` for a proof of non-revocation under a key without G and H.
    public mutating func add(_ request: DisclosureRequest) throws(IdemixError) {
        let commitment = commitment(for: request.credential.publicKey)
        secrets.append(.disclosure(try DisclosureSecrets(request, keyCommitment: commitment, from: randomness)))
        keyCommitment = commitment
    }

    /// Adds a disclosure that was prepared ahead of time.
    ///
    /// - Throws: ``IdemixError/Code/commitmentUsed`` where it has been used before.
    public mutating func add(_ prepared: PreparedDisclosure) throws(IdemixError) {
        let disclosure = try prepared.take()
        guard let keyCommitment else {
            keyCommitment = disclosure.keyCommitment
            secrets.append(.disclosure(disclosure))
            return
        }
        let moved = keyCommitment.moved(to: disclosure.request.credential.publicKey)
        secrets.append(.disclosure(disclosure.adopting(moved)))
    }

    /// Adds the commitment for a credential to be issued.
    ///
    /// - Parameters:
    ///   - publicKey: The key of the issuer, in whose group the commitment lies.
    ///   - secretKey: The holder's secret key, which the credential will be bound to.
    ///   - blindIndices: The base indices of the random-blind attributes.
    ///   - keyshareP: The keyshare server's share R_0^s of the secret key, which is multiplied into U.
    /// - Returns: The holder's state, needed when the signature comes.
    /// - Throws: ``IdemixError/Code/invalidIndices``, ``IdemixError/Code/notInvertible``.
    public mutating func addIssuance(
        publicKey: IssuerPublicKey,
        secretKey: HolderSecretKey,
        blindIndices: Set<Int> = [],
        keyshareP: BigInteger? = nil
    ) throws(IdemixError) -> PendingCredential {
        let commitment = commitment(for: publicKey)
        let issuance = try IssuanceSecrets(
            publicKey: publicKey,
            secretKey: secretKey,
            blindIndices: blindIndices,
            keyshareP: keyshareP,
            keyCommitment: commitment,
            from: randomness
        )
        secrets.append(.issuance(issuance))
        keyCommitment = commitment
        return PendingCredential(issuance, keyshareP: keyshareP)
    }

    /// The contributions of each proof to the challenge, without the keyshare server's part.
    public var contributions: [ProofContributions] { secrets.map(\.contributions) }

    /// The proofs.
    ///
    /// - Parameters:
    ///   - context: The context of the session: 1.
    ///   - nonce: The verifier's nonce n_1; for attribute-based signatures the one computed from the message.
    ///   - isSignature: Whether this is an attribute-based signature.
    ///   - keyshareCommitments: The keyshare server's R_0^ρ, by the position of the proofs it takes part in.
    public consuming func prove(
        context: BigInteger = 1,
        nonce: BigInteger,
        isSignature: Bool = false,
        keyshareCommitments: [Int: BigInteger] = [:]
    ) -> ProofList {
        var contributions: [BigInteger] = []
        for (position, secrets) in secrets.enumerated() {
            var own = secrets.contributions.all
            if let keyshare = keyshareCommitments[position] {
                // The commitment is the second one: Z~ or U~.
                own[1] = secrets.publicKey.group.modulus.product(own[1], keyshare)
            }
            contributions += own
        }
        let challenge = FiatShamir.challenge(
            context: context,
            contributions: contributions,
            nonce: nonce,
            isSignature: isSignature
        )
        return answer(challenge)
    }

    /// The proofs for a known challenge.
    package consuming func answer(_ challenge: BigInteger) -> ProofList {
        ProofList(secrets.map { $0.proof(challenge: challenge) })
    }

    private func commitment(for publicKey: IssuerPublicKey) -> KeyCommitment {
        keyCommitment?.moved(to: publicKey)
            ?? KeyCommitment(KeyCommitment.randomizer(from: randomness), publicKey: publicKey)
    }
}
