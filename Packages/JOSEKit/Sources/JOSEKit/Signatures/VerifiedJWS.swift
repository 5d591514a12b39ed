public import CryptoCore
public import VerificationCore

/// A payload whose signature or MAC was verified.
///
/// Only the verifications of ``JWS`` make values of this type.
public struct VerifiedJWS: Sendable {
    private let parts: Parts

    /// The payload.
    public var payload: [UInt8] { parts.payload }

    /// The header that the signature covers.
    public var header: JOSEHeader { parts.header }

    /// The unsigned header.
    public var unprotectedHeader: JOSEHeader { parts.unprotectedHeader }

    /// The algorithm of the signature.
    public var algorithm: JWSAlgorithm { parts.algorithm }

    /// The chain that the key was taken from, where it was validated; nil for a key that the caller gave.
    public var certificateChain: ValidatedCertificateChain? { parts.candidate.chain }

    /// The JWK that the signature verified with, where the caller gave one or a set; nil for any other key.
    public var jwk: JWK? { parts.candidate.jwk }

    /// The public key that the signature verified with; nil for a MAC.
    public var publicKey: PublicKey? {
        switch parts.candidate.key {
        case .publicKey(let key): key
        case .symmetric: nil
        }
    }

    /// The deviations that policies let pass: of the certificates (in `x5c`), a short MAC key.
    public var deviations: [Deviation] {
        let short = SignatureCheck.deviation(parts.candidate.key, parts.algorithm)
        return (certificateChain?.deviations(at: ["x5c"]) ?? []) + (short.map { [$0] } ?? [])
    }

    init(payload: [UInt8], signature: JWSSignature, algorithm: JWSAlgorithm, candidate: JWSCandidate) {
        parts = Parts(payload, signature, algorithm, candidate)
    }

    /// The parts of a verified JWS, on the heap, since each step of a verification passes them on.
    private final class Parts: Sendable {
        let payload: [UInt8]
        let header: JOSEHeader
        let unprotectedHeader: JOSEHeader
        let algorithm: JWSAlgorithm
        let candidate: JWSCandidate

        init(_ payload: [UInt8], _ signature: JWSSignature, _ algorithm: JWSAlgorithm, _ candidate: JWSCandidate) {
            self.payload = payload
            // Not the signature itself, which keeps the received text alive.
            header = signature.protectedHeader
            unprotectedHeader = signature.unprotectedHeader
            self.algorithm = algorithm
            self.candidate = candidate
        }
    }
}
