/// The encoding of the two numbers of an ECDSA signature.
public enum ECDSASignatureFormat: Hashable, Sendable {
    /// r‖s, each with the fixed width of the curve: COSE, JOSE, IEEE P1363.
    case raw
    /// `ECDSA-Sig-Value`, a DER sequence of two integers: X.509, CMS, TLS (RFC 3279, 2.2.3).
    case der
}
