extension ProofList {
    /// The proofs with the keyshare server's part merged in.
    ///
    /// An answer with P adds the server's response to the user's, and with `multiplyingShare` P to U. An answer without
    /// P holds the sum already and replaces challenge and response.
    ///
    /// - Parameters:
    ///   - response: The server's answer.
    ///   - publicKeys: The issuers' keys of the proofs that the server takes part in, by position.
    ///   - multiplyingShare: Whether U came without P: from clients below protocol 2.9.
    /// - Throws: ``IdemixError/Code/keyshareMismatch`` where an answer with P belongs to another challenge or a position
    ///   does not exist, ``IdemixError/Code/outOfRange``, ``IdemixError/Code/notInvertible``.
    public func merging(
        _ response: KeyshareResponse,
        at publicKeys: [Int: IssuerPublicKey],
        multiplyingShare: Bool
    ) throws(IdemixError) -> ProofList {
        guard !response.secretKeyResponse.isNegative, !response.challenge.isNegative else {
            throw IdemixError(.outOfRange, "the keyshare server's numbers are negative")
        }
        var merged = proofs
        for (position, publicKey) in publicKeys {
            guard merged.indices.contains(position), let own = merged[position].secretKeyResponse else {
                throw IdemixError(.keyshareMismatch, "there is no proof at position \(position)")
            }
            var secretKeyResponse = response.secretKeyResponse
            if let P = response.P {
                guard response.challenge == merged[position].challenge else {
                    throw IdemixError(.keyshareMismatch, "the keyshare server answered another challenge")
                }
                try publicKey.requireUnit(P, "P")
                secretKeyResponse = secretKeyResponse + own
            }
            merged[position] = merged[position].replacing(
                challenge: response.challenge,
                secretKeyResponse: secretKeyResponse,
                factorOfU: multiplyingShare ? response.P : nil,
                publicKey: publicKey
            )
        }
        return ProofList(merged)
    }

    /// The proofs with the keyshare server's share P divided out of U, as issuers below protocol 2.9 expect them.
    ///
    /// - Parameter shares: P and the issuer's key, by the position of the commitments.
    /// - Throws: ``IdemixError/Code/notInvertible``, ``IdemixError/Code/keyshareMismatch`` where there is no commitment at
    ///   a position.
    public func dividingOut(
        _ shares: [Int: (P: BigInteger, publicKey: IssuerPublicKey)]
    ) throws(IdemixError) -> ProofList {
        var divided = proofs
        for (position, (P, publicKey)) in shares {
            guard divided.indices.contains(position), case .issuance(let proof) = divided[position] else {
                throw IdemixError(.keyshareMismatch, "there is no commitment at position \(position)")
            }
            guard let inverse = P.inverse(modulo: publicKey.elements.n) else {
                throw IdemixError(.notInvertible, "the keyshare server's share has no inverse", path: ["P"])
            }
            let U = publicKey.group.modulus.product(proof.U, inverse)
            divided[position] = .issuance(proof.replacing(U: U, secretKeyResponse: proof.secretKeyResponse))
        }
        return ProofList(divided)
    }
}

extension Proof {
    /// The same proof with another challenge and response for the secret key; U is multiplied where there is a factor.
    fileprivate func replacing(
        challenge: BigInteger,
        secretKeyResponse: BigInteger,
        factorOfU: BigInteger?,
        publicKey: IssuerPublicKey
    ) -> Proof {
        switch self {
        case .disclosure(let proof):
            return .disclosure(proof.replacing(challenge: challenge, secretKeyResponse: secretKeyResponse))
        case .issuance(let proof):
            let U = factorOfU.map { publicKey.group.modulus.product(proof.U, $0) }
            return .issuance(proof.replacing(challenge: challenge, U: U, secretKeyResponse: secretKeyResponse))
        }
    }
}
