public import CryptoCore

/// Finds the key that a DID URL names.
public protocol DIDKeyResolver: Sendable {
    /// The key of a verification method.
    ///
    /// - Parameter url: A DID URL, such as `did:web:issuer.example#key-1`, or a DID that has one key only.
    /// - Throws: An ``SDJWTError``, such as one with the code ``SDJWTError/Code/issuerKeyNotFound``.
    func key(for url: String) async throws(SDJWTError) -> PublicKey
}
