#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HPKE {
    /// A single message and the encapsulated key that opens it.
    public struct SealedMessage: Hashable, Sendable {
        /// The key from which the recipient takes the shared secret.
        public let encapsulatedKey: [UInt8]
        /// The ciphertext with its tag at the end.
        public let ciphertext: [UInt8]

        /// Takes both parts as received; opening checks them.
        public init(encapsulatedKey: [UInt8], ciphertext: [UInt8]) {
            self.encapsulatedKey = encapsulatedKey
            self.ciphertext = ciphertext
        }
    }

    /// Encrypts a single message: `SealBase` (section 6.1).
    ///
    /// - Throws: As ``Sender/init(suite:recipientKey:info:using:)`` and ``Sender/seal(_:additionalData:)``.
    public static func seal(
        _ plaintext: some ContiguousBytes,
        to recipientKey: PublicKey,
        suite: CipherSuite,
        info: some ContiguousBytes = [UInt8](),
        additionalData: some ContiguousBytes = [UInt8](),
        using source: some RandomSource = .system
    ) throws(CryptoError) -> SealedMessage {
        var sender = try Sender(suite: suite, recipientKey: recipientKey, info: info, using: source)
        let ciphertext = try sender.seal(plaintext, additionalData: additionalData)
        return SealedMessage(encapsulatedKey: sender.encapsulatedKey, ciphertext: ciphertext)
    }

    /// Opens a single message with a key in memory: `OpenBase` (section 6.1).
    ///
    /// - Throws: As ``Recipient/init(suite:encapsulatedKey:privateKey:info:)`` and
    ///   ``Recipient/open(_:additionalData:)``.
    public static func open(
        _ message: SealedMessage,
        privateKey: PrivateKey,
        suite: CipherSuite,
        info: some ContiguousBytes = [UInt8](),
        additionalData: some ContiguousBytes = [UInt8]()
    ) throws(CryptoError) -> [UInt8] {
        var recipient = try Recipient(
            suite: suite,
            encapsulatedKey: message.encapsulatedKey,
            privateKey: privateKey,
            info: info
        )
        return try recipient.open(message.ciphertext, additionalData: additionalData)
    }

    /// Opens a single message with a key that may live elsewhere: `OpenBase` (section 6.1).
    ///
    /// - Throws: As ``Recipient/init(suite:encapsulatedKey:keyAgreement:info:)`` and
    ///   ``Recipient/open(_:additionalData:)``.
    public static func open(
        _ message: SealedMessage,
        keyAgreement: some KeyAgreement,
        suite: CipherSuite,
        info: [UInt8] = [],
        additionalData: [UInt8] = []
    ) async throws -> [UInt8] {
        var recipient = try await Recipient(
            suite: suite,
            encapsulatedKey: message.encapsulatedKey,
            keyAgreement: keyAgreement,
            info: info
        )
        return try recipient.open(message.ciphertext, additionalData: additionalData)
    }
}
