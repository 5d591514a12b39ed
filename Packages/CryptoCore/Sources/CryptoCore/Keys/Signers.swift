/// An owner of a private key that signs messages with it, perhaps in hardware or over a network.
///
/// Functions that need signatures take `any Signer`. Where even an asynchronous call does not fit, the formats offer
/// two steps instead: they return the bytes to sign and take the signature back.
public protocol Signer: Sendable {
    /// The public key that belongs to it.
    var publicKey: PublicKey { get }

    /// The algorithm that it signs with.
    var algorithm: SignatureAlgorithm { get }

    /// A signature over a message.
    ///
    /// ECDSA signatures are r‖s in the curve's fixed width; ``ECDSASignature`` converts from DER.
    func signature(for message: [UInt8]) async throws -> [UInt8]
}

/// An owner of a private key for Diffie-Hellman that computes shared secrets with it, perhaps in hardware.
public protocol KeyAgreement: Sendable {
    /// The public key that belongs to it.
    var publicKey: PublicKey { get }

    /// The secret shared with a public key of the same curve.
    ///
    /// An implementation refuses keys of other curves and, on X25519 and X448, results of all zeros.
    func sharedSecret(with publicKey: PublicKey) async throws -> SecretBytes
}

/// A ``Signer`` over a private key in memory.
public struct SoftwareSigner: Signer {
    /// The algorithm that it signs with.
    public let algorithm: SignatureAlgorithm

    private let key: PrivateKey

    /// Takes a key and an algorithm that goes with it.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - algorithm: By default the one that goes with the key's strength (RFC 9864), for RSA PSS with SHA-256
    ///     or with what the key is restricted to.
    /// - Throws: ``CryptoError`` with the code `keyMismatch` if they do not go together, or the key cannot sign.
    public init(_ key: PrivateKey, algorithm: SignatureAlgorithm? = nil) throws(CryptoError) {
        let forRSA = key.publicKey.restriction?.parameters ?? .rsaPSSSHA256
        let natural = key.curve.map(\.naturalSignatureAlgorithm) ?? forRSA
        guard let algorithm = algorithm ?? natural, algorithm.supports(key.publicKey) else {
            throw CryptoError(.keyMismatch, "\(key) does not sign with \(algorithm?.name ?? "any algorithm")")
        }
        self.key = key
        self.algorithm = algorithm
    }

    /// The public key that belongs to it.
    public var publicKey: PublicKey { key.publicKey }

    /// A signature over a message; ECDSA as r‖s.
    public func signature(for message: [UInt8]) throws(CryptoError) -> [UInt8] {
        try key.signature(for: message, algorithm: algorithm)
    }
}
