public import CryptoCore
public import VerificationCore

/// A payload whose signature or MAC was verified.
///
/// Only the verifications of ``JWS`` make values of this type.
public struct VerifiedJWS: Sendable {
    /// The payload.
    public let payload: [UInt8]

    /// The header that the signature covers.
    public let header: JOSEHeader

    /// The unsigned header.
    public let unprotectedHeader: JOSEHeader

    /// The algorithm of the signature.
    public let algorithm: JWSAlgorithm

    /// The chain that the key was taken from, where it was validated; nil for a key that the caller gave.
    public let certificateChain: ValidatedCertificateChain?

    /// The JWK that the signature verified with, where the caller gave one or a set; nil for any other key.
    public let jwk: JWK?

    /// The public key that the signature verified with; nil for a MAC.
    public let publicKey: PublicKey?

    /// The deviations that policies let pass: of the certificates (in `x5c`), a short MAC key.
    public let deviations: [Deviation]

    init(
        payload: [UInt8],
        signature: JWSSignature,
        algorithm: JWSAlgorithm,
        candidate: JWSCandidate
    ) {
        self.payload = payload
        header = signature.protectedHeader
        unprotectedHeader = signature.unprotectedHeader
        self.algorithm = algorithm
        certificateChain = candidate.chain
        jwk = candidate.jwk
        let short = SignatureCheck.deviation(candidate.key, algorithm)
        deviations = (candidate.chain?.deviations(at: ["x5c"]) ?? []) + (short.map { [$0] } ?? [])
        publicKey =
            switch candidate.key {
            case .publicKey(let key): key
            case .symmetric: nil
            }
    }
}
