public import CryptoCore

/// A disclosure proof up to the challenge, made ahead of time: almost all of the work.
///
/// It answers one challenge. A second answer would give the secrets away, so the second attempt throws, whichever thread
/// makes it.
public final class PreparedIdemixDisclosure: Sendable {
    private let secrets: OneTime<DisclosureSecrets>

    /// Computes the commitments of a proof.
    ///
    /// - Throws: ``IdemixError/Code/unprovableStatement`` for a false range statement;
    ///   ``IdemixError/Code/revocationNotSupported`` for a proof of non-revocation under a key without G and H.
    public init(
        _ request: IdemixDisclosureRequest,
        using randomness: some RandomSource = .system
    ) throws(IdemixError) {
        let keyCommitment = KeyCommitment(
            KeyCommitment.randomizer(using: randomness),
            publicKey: request.credential.publicKey
        )
        secrets = OneTime(try DisclosureSecrets(request, keyCommitment: keyCommitment, using: randomness))
    }

    private init(_ secrets: DisclosureSecrets) {
        self.secrets = OneTime(secrets)
    }

    /// The same disclosure for a newer accumulator, at a small part of the cost of a new one; this one is used up.
    ///
    /// - Parameter witness: The credential's witness for the newer accumulator.
    /// - Throws: ``IdemixError/Code/commitmentUsed`` if this one has answered a challenge or been moved before;
    ///   ``IdemixError/Code/invalidWitness`` if the witness belongs to another credential, which uses it up too.
    public func moved(to witness: RevocationWitness) throws(IdemixError) -> PreparedIdemixDisclosure {
        PreparedIdemixDisclosure(try take().moved(to: witness))
    }

    /// The secrets, the first time.
    func take() throws(IdemixError) -> DisclosureSecrets {
        guard let secrets = secrets.take() else {
            throw IdemixError(.commitmentUsed, "a prepared disclosure answers one challenge only")
        }
        return secrets
    }
}
