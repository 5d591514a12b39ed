extension CryptoError.Code {
    /// An extension stands twice in one certificate or revocation list (RFC 5280, 4.2).
    public static let duplicateExtension = CryptoError.Code("duplicateExtension")
    /// A signature that was just made does not verify with the signer's public key.
    public static let invalidSignature = CryptoError.Code("invalidSignature")
}
