import CryptoCore

/// A keyshare server's commitment, which answers one challenge; a second attempt throws, whichever thread makes it.
///
/// A commitment answers only in the protocol that it was made for: where the user committed to its part of the proofs
/// first, the server computes the challenge itself, and never takes one from the user.
public final class KeyshareCommitment: Sendable {
    /// R_0^ρ for each key.
    public let commitments: [KeyshareKeyIdentifier: BigInteger]
    /// P = R_0^s for the last of the keys.
    public let share: BigInteger
    private let secret: KeyshareSecret
    let moduli: [KeyshareKeyIdentifier: MontgomeryModulus]
    let inputHash: [UInt8]?
    private let randomizer: OneTime<BigInteger>

    init(
        secret: KeyshareSecret,
        randomizer: BigInteger,
        share: BigInteger,
        commitments: [KeyshareKeyIdentifier: BigInteger],
        moduli: [KeyshareKeyIdentifier: MontgomeryModulus],
        inputHash: [UInt8]?
    ) {
        self.secret = secret
        self.randomizer = OneTime(randomizer)
        self.share = share
        self.commitments = commitments
        self.moduli = moduli
        self.inputHash = inputHash
    }

    /// Answers a challenge that the user computed: ρ + c·s, with P.
    ///
    /// For commitments made without a hash.
    ///
    /// - Throws: ``IdemixError/Code/keyshareMismatch``, ``IdemixError/Code/outOfRange``,
    ///   ``IdemixError/Code/commitmentUsed``.
    public func response(toChallenge challenge: BigInteger) throws(IdemixError) -> KeyshareResponse {
        guard inputHash == nil else {
            throw IdemixError(.keyshareMismatch, "the commitment was made for a challenge that the server computes")
        }
        guard !challenge.isNegative, challenge.bitCount <= 256 else {
            throw IdemixError(.outOfRange, "the challenge is out of its range", path: ["challenge"])
        }
        return KeyshareResponse(P: share, challenge: challenge, secretKeyResponse: try answer(challenge))
    }

    /// The values that the server needs to compute the challenge of a list of proofs.
    public struct ChallengeRequest: Sendable {
        /// The verifier's input to the challenge.
        public var challenge: IdemixChallenge
        /// The user's own response for the secret key.
        public var userResponse: BigInteger
        /// The user's part of each proof, in the list's order.
        public var inputs: [KeyshareChallengeInput]

        /// Collects the parts of a message.
        public init(
            challenge: IdemixChallenge,
            userResponse: BigInteger,
            inputs: [KeyshareChallengeInput]
        ) {
            self.challenge = challenge
            self.userResponse = userResponse
            self.inputs = inputs
        }
    }

    /// Computes the challenge of the user's proofs and answers it.
    ///
    /// For commitments made with a hash.
    ///
    /// - Parameters:
    ///   - request: The input of the challenge; its parts must be those that were hashed.
    ///   - linkable: For issuers that know only the older protocol: the answer names P and holds the server's response
    ///     only; otherwise it holds the sum ρ + c·s + s^ and no P.
    /// - Throws: ``IdemixError/Code/keyshareMismatch`` if the inputs are not those that were hashed or name an unknown
    ///   key, ``IdemixError/Code/outOfRange``, ``IdemixError/Code/commitmentUsed``.
    public func response(to request: ChallengeRequest, linkable: Bool = false) throws(IdemixError) -> KeyshareResponse {
        guard let inputHash, constantTimeEqual(inputHash, KeyshareChallengeInput.hash(request.inputs)) else {
            throw IdemixError(.keyshareMismatch, "the inputs are not those that the user committed to")
        }
        let longest = IdemixSystemParameters.bits4096.attributeCommitment + 1
        guard !request.userResponse.isNegative, request.userResponse.bitCount <= longest else {
            throw IdemixError(.outOfRange, "the user's response is out of its range", path: ["resp"])
        }
        let challenge = request.challenge.hash(of: try contributions(request.inputs))
        let response = try answer(challenge)
        return KeyshareResponse(
            P: linkable ? share : nil,
            challenge: challenge,
            secretKeyResponse: linkable ? response : response + request.userResponse
        )
    }

    /// The user's contributions, with R_0^ρ multiplied into the commitments of the server's keys.
    private func contributions(_ inputs: [KeyshareChallengeInput]) throws(IdemixError) -> [BigInteger] {
        var contributions: [BigInteger] = []
        for input in inputs {
            var own = input.contributions.all
            if let key = input.key {
                guard let commitment = commitments[key], let modulus = moduli[key] else {
                    throw IdemixError(.keyshareMismatch, "there is no commitment for the key \(key)")
                }
                own[1] = modulus.product(own[1], commitment)
            }
            contributions += own
        }
        return contributions
    }

    /// ρ, the first time; nil once it has been used.
    func takeRandomizer() -> BigInteger? { randomizer.take() }

    /// ρ + c·s, the first time.
    private func answer(_ challenge: BigInteger) throws(IdemixError) -> BigInteger {
        guard let randomizer = randomizer.take() else {
            throw IdemixError(.commitmentUsed, "a keyshare commitment answers one challenge only")
        }
        return .response(
            randomizer: randomizer,
            challenge: challenge,
            secret: secret.value,
            bits: IdemixSystemParameters.Common.secretKey + 1
        )
    }
}

/// A keyshare server's answer to a challenge (ProofP).
public struct KeyshareResponse: Hashable, Sendable {
    /// The server's share P = R_0^s; nil if the server has merged its response with the user's.
    public let P: BigInteger?
    /// The challenge c.
    public let challenge: BigInteger
    /// ρ + c·s, or with the user's response added ρ + c·s + s^.
    public let secretKeyResponse: BigInteger

    /// Collects the numbers of a received answer.
    public init(P: BigInteger?, challenge: BigInteger, secretKeyResponse: BigInteger) {
        self.P = P
        self.challenge = challenge
        self.secretKeyResponse = secretKeyResponse
    }
}
