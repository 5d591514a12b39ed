#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HPKE {
    /// The recipient's end: opens messages in the order in which the sender sealed them (section 5.2).
    public struct Recipient: ~Copyable, Sendable {
        private var context: HPKEContext

        /// Takes the encapsulated secret out with a key in memory: `SetupBaseR`.
        ///
        /// - Parameters:
        ///   - suite: The algorithms.
        ///   - encapsulatedKey: The key that the sender published.
        ///   - privateKey: The recipient's key, on the curve of the suite's ``KEM``.
        ///   - info: The purpose, known to both ends.
        /// - Throws: ``CryptoError/Code/keyMismatch`` for a key of another curve; for an invalid encapsulated key, the
        ///   errors of ``PublicKey``: it has a wrong length, is not on the curve, or contributes nothing.
        public init(
            suite: CipherSuite,
            encapsulatedKey: some ContiguousBytes,
            privateKey: PrivateKey,
            info: some ContiguousBytes = [UInt8]()
        ) throws(CryptoError) {
            let encapsulation = try Encapsulation(suite.kem, encapsulatedKey.copied(), for: privateKey.publicKey)
            let agreed = try privateKey.sharedSecret(with: encapsulation.key)
            context = try HPKEContext(suite, sharedSecret: encapsulation.sharedSecret(agreed), info: info)
        }

        /// Takes the encapsulated secret out with a key that may live elsewhere: `SetupBaseR`.
        ///
        /// - Parameters:
        ///   - suite: The algorithms.
        ///   - encapsulatedKey: The key that the sender published.
        ///   - keyAgreement: The holder of the recipient's key, on the curve of the suite's ``KEM``.
        ///   - info: The purpose, known to both ends.
        /// - Throws: As ``init(suite:encapsulatedKey:privateKey:info:)``, and the errors of `keyAgreement`.
        public init(
            suite: CipherSuite,
            encapsulatedKey: [UInt8],
            keyAgreement: some KeyAgreement,
            info: [UInt8] = []
        ) async throws {
            let encapsulation = try Encapsulation(suite.kem, encapsulatedKey, for: keyAgreement.publicKey)
            let agreed = try await keyAgreement.sharedSecret(with: encapsulation.key)
            context = try HPKEContext(suite, sharedSecret: encapsulation.sharedSecret(agreed), info: info)
        }

        /// Opens the next message.
        ///
        /// A message that is not authentic leaves the context as it was: the next one is still expected.
        ///
        /// - Parameters:
        ///   - ciphertext: The ciphertext with its tag at the end.
        ///   - additionalData: The data that was authenticated along with it.
        /// - Throws: ``CryptoError/Code/authenticationFailure`` if the message is not authentic or not the next one,
        ///   ``CryptoError/Code/invalidLength`` if it is shorter than a tag, ``CryptoError/Code/unsupported`` for an
        ///   export-only suite, ``CryptoError/Code/limitExceeded`` when the sequence numbers are used up.
        public mutating func open(
            _ ciphertext: some ContiguousBytes,
            additionalData: some ContiguousBytes = [UInt8]()
        ) throws(CryptoError) -> [UInt8] {
            try context.open(ciphertext, additionalData: additionalData)
        }

        /// A secret that the sender can export too (section 5.3).
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

    /// An encapsulated key that was read, with what the shared secret depends on besides.
    private struct Encapsulation {
        let key: PublicKey
        private let kem: KEM
        private let encapsulatedKey: [UInt8]
        private let recipientKey: [UInt8]

        init(_ kem: KEM, _ encapsulatedKey: [UInt8], for recipientKey: PublicKey) throws(CryptoError) {
            self.kem = kem
            self.encapsulatedKey = encapsulatedKey
            self.recipientKey = try kem.encode(recipientKey)
            key = try kem.decode(encapsulatedKey)
        }

        func sharedSecret(_ agreed: SecretBytes) throws(CryptoError) -> SecretBytes {
            try kem.sharedSecret(agreed, encapsulatedKey: encapsulatedKey, recipientKey: recipientKey)
        }
    }
}
