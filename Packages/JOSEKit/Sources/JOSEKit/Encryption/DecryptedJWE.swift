/// Content that was decrypted from authentic ciphertext.
///
/// Only the decryption of ``JWE`` makes values of this type. Authentic means made by an owner of the key; with a public
/// key, that is anyone.
public struct DecryptedJWE: Sendable {
    /// The content.
    public let plaintext: [UInt8]

    /// The header that the encryption authenticates.
    public let header: JOSEHeader

    /// The unauthenticated headers: the shared one and the recipient's.
    public let unprotectedHeader: JOSEHeader

    /// The data that the application authenticates beside the content (`aad`), or nil.
    public let additionalData: [UInt8]?

    /// The key management algorithm.
    public let algorithm: JWEAlgorithm

    /// The content encryption algorithm.
    public let encryption: JWEEncryption

    /// The index of the recipient that the key was for, counted from 0.
    public let recipientIndex: Int
}
