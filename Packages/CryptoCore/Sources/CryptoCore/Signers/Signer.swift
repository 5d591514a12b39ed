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
