public import CryptoCore

extension COSEEncrypt {
    /// Encrypts content for recipients (RFC 9052 section 5.3).
    ///
    /// Without an IV or Partial IV in the headers, a random IV is made and put into the unprotected bucket.
    ///
    /// - Parameters:
    ///   - plaintext: The content.
    ///   - headers: The headers of the body, which must name the algorithm of the content encryption.
    ///   - externalAAD: Data that the application authenticates along with the message.
    ///   - recipients: The recipients of the key.
    ///   - baseIV: The constant part of the nonce, where the headers have a Partial IV.
    ///   - randomness: The source of keys, nonces and the IV.
    public static func encrypt(
        _ plaintext: [UInt8],
        headers: COSEHeaders,
        externalAAD: [UInt8] = [],
        for recipients: [COSEKeyDistribution],
        baseIV: [UInt8]? = nil,
        using randomness: any RandomSource = .system
    ) async throws(COSEError) -> COSEEncrypt {
        do throws(COSEError) {
            let operation = try headers.encryptionOperation()
            let headers = try operation.headersWithNonce(headers, using: randomness)
            let (key, recipients) = try await KeyDistributor(randomness: randomness)
                .distribute(for: ContentKeyUse(operation.algorithm), to: recipients, layer: .encrypt)
            let ciphertext = try operation.seal(
                plaintext,
                key: key,
                nonce: operation.nonce(of: headers, baseIV: baseIV),
                additionalData: headers.encryptionAAD("Encrypt", externalAAD: externalAAD)
            )
            return COSEEncrypt(headers: headers, ciphertext: ciphertext[...], recipients: recipients)
        } catch {
            throw error.inside("COSE_Encrypt")
        }
    }
}
