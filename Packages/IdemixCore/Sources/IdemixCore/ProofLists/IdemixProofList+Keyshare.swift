extension IdemixProofList {
    /// The proofs with the keyshare server's part merged in.
    ///
    /// An answer with P adds the server's response to the user's, and with `multiplyingShare` P to U. An answer without
    /// P holds the sum already and replaces challenge and response.
    ///
    /// - Parameters:
    ///   - response: The server's answer.
    ///   - publicKeys: The issuers' keys of the proofs that the server takes part in, by position. P belongs to the last
    ///     one's.
    ///   - multiplyingShare: Indicates that U came without P: from clients below protocol 2.9.
    /// - Throws: ``IdemixError`` with a ``KeyshareMismatch`` as its cause, which names the first proof that the answer does
    ///   not fit, and why: ``IdemixError/Code/outOfRange`` for negative numbers, ``IdemixError/Code/notInvertible`` for a
    ///   share outside the group, else ``IdemixError/Code/keyshareMismatch``.
    public func merging(
        _ response: KeyshareResponse,
        at publicKeys: [Int: IdemixIssuerPublicKey],
        multiplyingShare: Bool
    ) throws(IdemixError) -> IdemixProofList {
        guard !response.secretKeyResponse.isNegative, !response.challenge.isNegative else {
            throw .mismatch(.negativeNumber, at: nil, "the keyshare server's numbers are negative", .outOfRange)
        }
        let publicKeys = publicKeys.sorted { $0.key < $1.key }
        if let P = response.P, let last = publicKeys.last, !last.value.isUnit(P) {
            throw .mismatch(.shareOutsideGroup, at: last.key, "the share P is no element of the group", .notInvertible)
        }
        var merged = proofs
        for (position, publicKey) in publicKeys {
            guard merged.indices.contains(position) else {
                throw .mismatch(.noProof, at: position, "the list has \(merged.count) proofs")
            }
            var factor: BigInteger?
            if multiplyingShare, case .issuance = merged[position] {
                factor = try share(of: response, for: publicKey, last: publicKeys.last?.value, at: position)
            }
            merged[position] = merged[position].replacing(
                challenge: response.challenge,
                secretKeyResponse: try secretKeyResponse(response, at: position),
                factorOfU: factor,
                publicKey: publicKey
            )
        }
        return IdemixProofList(merged)
    }

    /// The response for the secret key of the user and the server together.
    private func secretKeyResponse(
        _ response: KeyshareResponse,
        at position: Int
    ) throws(IdemixError) -> BigInteger {
        guard let own = proofs[position].secretKeyResponse else {
            throw .mismatch(.noSecretKeyResponse, at: position, "the proof has no response for the secret key")
        }
        // An answer without P holds the sum.
        guard response.P != nil else { return response.secretKeyResponse }
        guard response.challenge == proofs[position].challenge else {
            throw .mismatch(.otherChallenge, at: position, "the keyshare server answered another challenge")
        }
        return response.secretKeyResponse + own
    }

    /// The share P that a commitment is multiplied with.
    private func share(
        of response: KeyshareResponse,
        for publicKey: IdemixIssuerPublicKey,
        last: IdemixIssuerPublicKey?,
        at position: Int
    ) throws(IdemixError) -> BigInteger {
        guard let P = response.P else {
            throw .mismatch(.missingShare, at: position, "the answer has no share P for a commitment without it")
        }
        guard publicKey.elements.n == last?.elements.n, publicKey.elements.R.first == last?.elements.R.first else {
            throw .mismatch(.shareOfOtherKey, at: position, "the share P belongs to the key of the last proof")
        }
        return P
    }

    /// The proofs with the keyshare server's share P divided out of U, as issuers below protocol 2.9 expect them.
    ///
    /// - Parameter shares: P and the issuer's key, by the position of the commitments.
    /// - Throws: ``IdemixError`` with a ``KeyshareMismatch`` as its cause, which names the first position that has no
    ///   commitment (``IdemixError/Code/keyshareMismatch``) or whose share is not an element of the group
    ///   (``IdemixError/Code/notInvertible``).
    public func dividingOut(
        _ shares: [Int: (P: BigInteger, publicKey: IdemixIssuerPublicKey)]
    ) throws(IdemixError) -> IdemixProofList {
        var divided = proofs
        for (position, (P, publicKey)) in shares.sorted(by: { $0.key < $1.key }) {
            guard divided.indices.contains(position), case .issuance(let proof) = divided[position] else {
                throw .mismatch(.noCommitment, at: position, "there is no commitment at the position")
            }
            guard publicKey.isUnit(P), let inverse = P.inverse(modulo: publicKey.elements.n) else {
                throw .mismatch(
                    .shareOutsideGroup,
                    at: position,
                    "the share P is no element of the group",
                    .notInvertible
                )
            }
            let U = publicKey.group.modulus.product(proof.U, inverse)
            divided[position] = .issuance(proof.replacing(U: U, secretKeyResponse: proof.secretKeyResponse))
        }
        return IdemixProofList(divided)
    }
}

extension IdemixProof {
    /// The same proof with another challenge and response for the secret key; U is multiplied where there is a factor.
    fileprivate func replacing(
        challenge: BigInteger,
        secretKeyResponse: BigInteger,
        factorOfU: BigInteger?,
        publicKey: IdemixIssuerPublicKey
    ) -> IdemixProof {
        switch self {
        case .disclosure(let proof):
            return .disclosure(proof.replacing(challenge: challenge, secretKeyResponse: secretKeyResponse))
        case .issuance(let proof):
            let U = factorOfU.map { publicKey.group.modulus.product(proof.U, $0) }
            return .issuance(proof.replacing(challenge: challenge, U: U, secretKeyResponse: secretKeyResponse))
        }
    }
}
