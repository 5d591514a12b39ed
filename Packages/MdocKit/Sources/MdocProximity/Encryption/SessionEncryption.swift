public import CryptoCore
public import MdocKit

/// Encrypts and decrypts the messages of one session in proximity (ISO/IEC 18013-5, 12.2).
///
/// AES-256-GCM with one key and one counter for each direction. A message that cannot be decrypted changes nothing; the
/// standard wants the session terminated then.
public struct SessionEncryption: Sendable {
    /// The side that this value encrypts for.
    public enum Role: Hashable, Sendable {
        /// The mdoc reader.
        case reader
        /// The mdoc, in a wallet.
        case device
    }

    /// A key with its counter.
    private struct Direction {
        let key: SecretBytes
        let role: Role
        /// The number of the next message, 1 for the first; 0 once all numbers are used up.
        var counter: UInt32

        /// The identifier of the sender and the counter, big-endian.
        var nonce: [UInt8] {
            let sender: [UInt8] = [0, 0, 0, 0, 0, 0, 0, role == .reader ? 0 : 1]
            return sender + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: counter >> $0) }
        }

        /// Moves on after a message; the counter must not come round to a nonce that was used.
        mutating func advance() {
            counter &+= 1
        }

        func requireCounter() throws(MdocError) {
            guard counter != 0 else {
                throw MdocError(.sessionEnded, "the key has been used for as many messages as it may be")
            }
        }
    }

    private var sending: Direction
    private var receiving: Direction

    /// Derives the keys of a session.
    ///
    /// - Parameters:
    ///   - role: The side that this value encrypts for.
    ///   - sharedSecret: The result of the key agreement between EDeviceKey and EReaderKey.
    ///   - sessionTranscript: The transcript of the session.
    public init(
        role: Role,
        sharedSecret: SecretBytes,
        sessionTranscript: SessionTranscript
    ) throws(MdocError) {
        try self.init(
            role: role,
            sharedSecret: sharedSecret,
            sessionTranscript: sessionTranscript,
            readerCounter: 1,
            deviceCounter: 1
        )
    }

    /// Derives the keys of a session that has come some way.
    ///
    /// - Parameters:
    ///   - role: The side that this value encrypts for.
    ///   - sharedSecret: The result of the key agreement between EDeviceKey and EReaderKey.
    ///   - sessionTranscript: The transcript of the session.
    ///   - readerCounter: The number of the reader's next message.
    ///   - deviceCounter: The number of the wallet's next message.
    package init(
        role: Role,
        sharedSecret: SecretBytes,
        sessionTranscript: SessionTranscript,
        readerCounter: UInt32,
        deviceCounter: UInt32
    ) throws(MdocError) {
        let reader = Direction(
            key: try sessionTranscript.deriveKey(from: sharedSecret, info: "SKReader"),
            role: .reader,
            counter: readerCounter
        )
        let device = Direction(
            key: try sessionTranscript.deriveKey(from: sharedSecret, info: "SKDevice"),
            role: .device,
            counter: deviceCounter
        )
        sending = role == .reader ? reader : device
        receiving = role == .reader ? device : reader
    }

    /// Agrees on the keys of a session.
    ///
    /// - Parameters:
    ///   - role: The side that this value encrypts for.
    ///   - keyAgreement: This side's ephemeral key.
    ///   - peerKey: The other side's ephemeral key, on the same curve.
    ///   - sessionTranscript: The transcript of the session.
    public init(
        role: Role,
        keyAgreement: any KeyAgreement,
        peerKey: PublicKey,
        sessionTranscript: SessionTranscript
    ) async throws(MdocError) {
        try self.init(
            role: role,
            sharedSecret: try await keyAgreement.mdocSharedSecret(with: peerKey),
            sessionTranscript: sessionTranscript
        )
    }

    /// Encrypts the next message to the other side.
    ///
    /// - Returns: The ciphertext with its tag: the member `data` of a session message.
    /// - Throws: `MdocError` with code `sessionEnded` once the counter is used up, after message 2^32 - 1.
    public mutating func encrypt(_ message: [UInt8]) throws(MdocError) -> [UInt8] {
        try sending.requireCounter()
        do {
            let sealed = try AEADAlgorithm.aes256GCM.sealCombined(message, key: sending.key, nonce: sending.nonce)
            sending.advance()
            return sealed
        } catch {
            throw MdocError(.signingFailed, "the message cannot be encrypted", cause: error)
        }
    }

    /// Decrypts the next message from the other side.
    ///
    /// - Parameter data: The member `data` of a session message.
    /// - Throws: `MdocError` with code `decryptionFailed` if it is not the next message of this session, or
    ///   `sessionEnded` once the counter is used up.
    public mutating func decrypt(_ data: ArraySlice<UInt8>) throws(MdocError) -> [UInt8] {
        try receiving.requireCounter()
        do {
            let message = try AEADAlgorithm.aes256GCM.openCombined(data, key: receiving.key, nonce: receiving.nonce)
            receiving.advance()
            return message
        } catch {
            throw MdocError(.decryptionFailed, "not the next message of this session", cause: error)
        }
    }
}
