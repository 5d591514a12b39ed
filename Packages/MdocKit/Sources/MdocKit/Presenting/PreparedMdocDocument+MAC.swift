import CBORKit
import COSEKit
public import CryptoCore

extension PreparedMdocDocument {
    /// Makes the MAC with a key agreed between the device key and the reader's (12.4.5).
    ///
    /// - Parameters:
    ///   - keyAgreement: The device key.
    ///   - readerKey: The reader's ephemeral key, or one of its MAC or response encryption keys, on the same curve.
    /// - Throws: ``MdocError`` with code `keyMismatch` if the device key is another than the credential's or the curves
    ///   differ, or `signingFailed`.
    public func authenticated(
        with keyAgreement: any KeyAgreement,
        readerKey: PublicKey
    ) async throws(MdocError) -> MdocDocument {
        guard keyAgreement.publicKey == (try deviceKey) else {
            throw MdocError(.keyMismatch, "the credential is bound to another key than the one given")
        }
        guard let curve = readerKey.curve, curve == keyAgreement.publicKey.curve else {
            throw MdocError(.keyMismatch, "the reader's key is on another curve than the device key")
        }
        return try authenticated(with: try await keyAgreement.mdocSharedSecret(with: readerKey))
    }

    /// Makes the MAC with a shared secret that was computed elsewhere.
    ///
    /// - Parameter sharedSecret: The result of the key agreement between device key and reader's key: the x coordinate,
    ///   or the output of X25519 or X448.
    /// - Throws: ``MdocError`` with code `signingFailed`.
    public func authenticated(with sharedSecret: SecretBytes) throws(MdocError) -> MdocDocument {
        let key = try DeviceMacKey.derive(from: sharedSecret, sessionTranscript)
        do {
            let mac = try COSEMac0.authenticate(
                deviceAuthentication.taggedBytes,
                detached: true,
                headers: COSEHeaders(protected: [.alg: .integer(COSEAlgorithm.hmac256_256.rawValue)]),
                with: key
            )
            return try document("deviceMac", mac.encoded(tagged: false))
        } catch let error as MdocError {
            throw error
        } catch {
            throw MdocError(.signingFailed, "the MAC cannot be made", cause: error)
        }
    }
}
