public import CryptoCore

extension COSEEncrypt0 {
    /// Encrypts content (RFC 9052 section 5.3).
    ///
    /// Nonces must never repeat under a key. Without an IV or Partial IV in the headers, a random IV is made and put into
    /// the unprotected bucket; the 7-byte nonces of AES-CCM-64 are too short for that beyond a few thousand messages.
    ///
    /// - Parameters:
    ///   - plaintext: The content.
    ///   - headers: The headers, which must name the algorithm.
    ///   - externalAAD: Data that the application authenticates along with the message.
    ///   - key: The shared key, of exactly the algorithm's length.
    ///   - baseIV: The constant part of the nonce, where the headers have a Partial IV.
    ///   - randomness: The source of the IV.
    public static func encrypt(
        _ plaintext: [UInt8],
        headers: COSEHeaders,
        externalAAD: [UInt8] = [],
        with key: SecretBytes,
        baseIV: [UInt8]? = nil,
        using randomness: any RandomSource = .system
    ) throws(COSEError) -> COSEEncrypt0 {
        try within("COSE_Encrypt0") { () throws(COSEError) in
            let operation = try headers.encryptionOperation()
            let headers = try operation.headersWithNonce(headers, using: randomness)
            let ciphertext = try operation.seal(
                plaintext,
                key: key,
                nonce: operation.nonce(of: headers, baseIV: baseIV),
                additionalData: headers.encryptionAAD("Encrypt0", externalAAD: externalAAD)
            )
            return COSEEncrypt0(headers: headers, ciphertext: ciphertext[...])
        }
    }
}
