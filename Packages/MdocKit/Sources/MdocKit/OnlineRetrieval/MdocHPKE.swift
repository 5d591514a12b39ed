import CBORKit
import COSEKit
import CryptoCore

/// The one suite of HPKE that the mdoc standards use: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-128-GCM, base mode,
/// one message, no additional data, the bare session transcript as `info` (ISO/IEC TS 18013-7, C.4).
enum MdocHPKE {
    private static let suite = HPKE.CipherSuite.p256SHA256AES128GCM

    /// Encrypts to a recipient.
    static func seal(
        _ plaintext: [UInt8],
        to recipientKey: PublicKey,
        _ sessionTranscript: SessionTranscript,
        _ random: some RandomSource
    ) throws(MdocError) -> HPKE.SealedMessage {
        do {
            return try HPKE.seal(
                plaintext,
                to: recipientKey,
                suite: suite,
                info: sessionTranscript.encodedBytes,
                using: random
            )
        } catch {
            throw MdocError(.unsupportedKey, "nothing can be encrypted to the recipient's key", cause: error)
        }
    }

    /// Decrypts what was sent to a key.
    static func open(
        enc: some Collection<UInt8>,
        cipherText: some Collection<UInt8>,
        with key: any KeyAgreement,
        _ sessionTranscript: SessionTranscript
    ) async throws(MdocError) -> [UInt8] {
        try requireRecipient(key.publicKey)
        let message = HPKE.SealedMessage(encapsulatedKey: [UInt8](enc), ciphertext: [UInt8](cipherText))
        do {
            return try await HPKE.open(
                message,
                keyAgreement: key,
                suite: suite,
                info: sessionTranscript.encodedBytes
            )
        } catch {
            throw MdocError(.decryptionFailed, "not encrypted to this key in this session", cause: error)
        }
    }

    /// Refuses a key that the suite cannot encrypt to.
    static func requireRecipient(_ key: PublicKey) throws(MdocError) {
        guard key.curve == .p256 else {
            throw MdocError(.unsupportedKey, "the recipient's key must be on P-256")
        }
    }
}

extension Reading {
    /// A recipient's key, which must be on P-256.
    mutating func recipientKey(_ view: CBORView) throws(MdocError) -> (key: PublicKey, encoded: COSEKey) {
        let encoded = try key(view)
        let key: PublicKey
        do {
            key = try encoded.publicKey()
        } catch {
            throw MdocError(.unsupportedKey, "the recipient's key cannot be used", at: view, cause: error)
        }
        try MdocHPKE.requireRecipient(key)
        return (key, encoded)
    }
}
