#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HPKE {
    /// The sender's end: encrypts messages that the recipient must open in the same order (section 5.2).
    ///
    /// Not copyable: two copies would encrypt two messages under one nonce.
    public struct Sender: ~Copyable, Sendable {
        /// The key that the recipient needs to set its end up.
        public let encapsulatedKey: [UInt8]

        private var context: HPKEContext

        /// Encapsulates a fresh secret for a recipient: `SetupBaseS`.
        ///
        /// - Parameters:
        ///   - suite: The algorithms.
        ///   - recipientKey: The recipient's public key, on the curve of the suite's ``KEM``.
        ///   - info: The purpose, known to both ends.
        ///   - source: The source of the ephemeral key.
        /// - Throws: ``CryptoError/Code/keyMismatch`` for a key of another curve, ``CryptoError/Code/smallOrderPoint``
        ///   for a key that would contribute nothing, ``CryptoError/Code/unsupported`` if this build has no engine for
        ///   the curve.
        public init(
            suite: CipherSuite,
            recipientKey: PublicKey,
            info: some ContiguousBytes = [UInt8](),
            using source: some RandomSource = .system
        ) throws(CryptoError) {
            let recipient = try suite.kem.encode(recipientKey)
            let ephemeralKey = try PrivateKey.generate(suite.kem.curve, using: source)
            let encapsulatedKey = try suite.kem.encode(ephemeralKey.publicKey)
            let secret = try suite.kem.sharedSecret(
                ephemeralKey.sharedSecret(with: recipientKey),
                encapsulatedKey: encapsulatedKey,
                recipientKey: recipient
            )
            let context = try HPKEContext(suite, sharedSecret: secret, info: info)
            self.encapsulatedKey = encapsulatedKey
            self.context = context
        }

        /// Encrypts the next message.
        ///
        /// - Parameters:
        ///   - plaintext: The message.
        ///   - additionalData: Data to authenticate along with it.
        /// - Returns: The ciphertext with its tag at the end.
        /// - Throws: ``CryptoError/Code/unsupported`` for an export-only suite, ``CryptoError/Code/limitExceeded`` when the
        ///   sequence numbers are used up.
        public mutating func seal(
            _ plaintext: some ContiguousBytes,
            additionalData: some ContiguousBytes = [UInt8]()
        ) throws(CryptoError) -> [UInt8] {
            try context.seal(plaintext, additionalData: additionalData)
        }

        /// A secret that the recipient can export too (section 5.3).
        ///
        /// - Parameters:
        ///   - exporterContext: The purpose of the secret.
        ///   - length: Its length in bytes: 1 to 255 times the digest's.
        /// - Throws: ``CryptoError/Code/invalidParameter`` for any other length.
        public borrowing func exportSecret(
            context exporterContext: some ContiguousBytes,
            length: Int
        ) throws(CryptoError) -> SecretBytes {
            try context.exportSecret(exporterContext, length: length)
        }
    }
}
