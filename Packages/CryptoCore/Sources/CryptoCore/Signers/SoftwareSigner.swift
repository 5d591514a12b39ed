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
    /// - Throws: ``CryptoError`` with the code `keyMismatch` where they do not go together, or the key cannot sign.
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
