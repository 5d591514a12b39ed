/// Content whose signature or authentication tag was verified, or that was decrypted from authentic ciphertext.
///
/// Only verification and decryption make values of this type.
public struct COSEVerifiedPayload: Sendable {
    /// The content.
    public let payload: ArraySlice<UInt8>
    /// The headers of the message.
    ///
    /// The unprotected bucket is not verified.
    public let headers: COSEHeaders
    /// The headers of the signature that was verified, for a COSE_Sign; nil for every other message.
    public let signerHeaders: COSEHeaders?
    /// The algorithm of the signature, of the authentication tag or of the content encryption.
    public let algorithm: COSEAlgorithm

    init(
        payload: ArraySlice<UInt8>,
        headers: COSEHeaders,
        signerHeaders: COSEHeaders? = nil,
        algorithm: COSEAlgorithm
    ) {
        self.payload = payload
        self.headers = headers
        self.signerHeaders = signerHeaders
        self.algorithm = algorithm
    }
}
