/// Hybrid public key encryption (RFC 9180), in base mode: anyone who knows the recipient's public key can encrypt to it.
///
/// The static functions seal and open single messages. A ``Sender`` and a ``Recipient`` share a key for any number of
/// messages in order, and for secrets that both export.
///
/// ```swift
/// let sealed = try HPKE.seal(message, to: recipient.publicKey, suite: .p256SHA256AES128GCM, info: info)
/// let opened = try HPKE.open(sealed, privateKey: recipient, suite: .p256SHA256AES128GCM, info: info)
/// ```
public enum HPKE {}

extension HPKE {
    /// A key encapsulation mechanism, a key derivation function and an encryption algorithm (section 7).
    public struct CipherSuite: Hashable, Sendable, CustomStringConvertible {
        /// The key encapsulation mechanism, by which sender and recipient come to share a secret.
        public let kem: KEM
        /// The key derivation function, which derives keys from that secret.
        public let kdf: KDF
        /// The algorithm that encrypts messages.
        public let aead: AEAD

        /// Combines three algorithms; every combination is a suite.
        public init(kem: KEM, kdf: KDF, aead: AEAD) {
            self.kem = kem
            self.kdf = kdf
            self.aead = aead
        }

        /// DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and AES-128-GCM: what ISO/IEC TS 18013-7 uses.
        public static let p256SHA256AES128GCM = CipherSuite(
            kem: .p256HKDFSHA256,
            kdf: .hkdfSHA256,
            aead: .aes128GCM
        )

        /// The names of the three algorithms.
        public var description: String { "\(kem), \(kdf), \(aead)" }

        /// The `suite_id` of section 5.1.
        var identifier: [UInt8] {
            Array("HPKE".utf8) + kem.identifier.bigEndianBytes + kdf.identifier.bigEndianBytes
                + aead.identifier.bigEndianBytes
        }
    }
}
