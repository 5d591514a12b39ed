/// The known revocation status of a credential's signer; the texts are findings for a developer.
public enum SignerRevocationVerdict: Hashable, Sendable {
    /// Current revocation lists of the authorities name no certificate of the chain.
    case good
    /// A revocation list names a certificate of the chain.
    case revoked(String)
    /// Nothing can be said: there is no list, or it is past its time. That is not ``good``.
    case unknown(String)
}
