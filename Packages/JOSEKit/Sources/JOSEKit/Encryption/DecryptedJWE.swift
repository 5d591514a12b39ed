/// Content that was decrypted from authentic ciphertext.
///
/// Only the decryption of ``JWE`` makes values of this type. Authentic means: made by someone who has the key. Where that is
/// a public key, it is anyone.
public struct DecryptedJWE: Sendable {
    /// The content.
    public let plaintext: [UInt8]

    /// The header that the encryption authenticates.
    public let header: JOSEHeader

    /// The headers that nobody vouches for: the shared one and the recipient's.
    public let unprotectedHeader: JOSEHeader

    /// What the application authenticates beside the content (`aad`), nil where there is nothing.
    public let additionalData: [UInt8]?

    /// How the key came.
    public let algorithm: JWEAlgorithm

    /// How the content was encrypted.
    public let encryption: JWEEncryption

    /// Which recipient the key was for, counted from 0.
    public let recipientIndex: Int
}
