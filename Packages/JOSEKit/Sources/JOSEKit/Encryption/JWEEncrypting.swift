import CryptoCore
import JSONKit

/// One encryption: the algorithm and the randomness that all its steps share.
struct JWEEncrypting {
    private let encryption: JWEEncryption
    private let aead: AEADAlgorithm
    private let source: any RandomSource

    init(_ encryption: JWEEncryption, _ source: any RandomSource) throws(JOSEError) {
        guard let aead = encryption.aead else {
            throw JOSEError(.unsupportedAlgorithm, "\(encryption) is not implemented", path: ["JWE", "enc"])
        }
        self.encryption = encryption
        self.aead = aead
        self.source = source
    }

    /// The headers that are being made.
    struct Headers {
        var protected: JOSEHeader
        var shared: JOSEHeader

        /// Sets a parameter where it stands already, else in the protected header.
        mutating func set(_ name: String, _ value: JSONValue) {
            if shared.contains(name), !protected.contains(name) {
                shared[name] = value
            } else {
                protected[name] = value
            }
        }
    }

    /// Refuses `apu` and `apv` in a header of the caller's, which the keys are not derived with: those of a recipient's key are.
    static func requireNoPartyInfo(in headers: Headers, beside sent: [JSONObject.Member]) throws(JOSEError) {
        guard sent.contains(where: { $0.name == "epk" }) else { return }
        for name in ["apu", "apv"] where headers.protected.contains(name) || headers.shared.contains(name) {
            guard sent.contains(where: { $0.name == name }) else {
                throw JOSEError(.invalidHeader, "it belongs to the recipient's key", path: [name])
            }
        }
    }

    func sending(_ recipient: JWEEncryptionKey) -> JWEKeySending {
        JWEKeySending(
            recipient: recipient,
            encryption: encryption,
            contentKeySize: aead.keySize,
            source: source
        )
    }

    /// The key for one recipient: the one it shares, or a fresh one on its way.
    func key(to recipient: JWEEncryptionKey) throws(JOSEError) -> (SecretBytes, JWEKeySending.Sent) {
        let sending = sending(recipient)
        if let shared = try sending.sharedContentKey() { return shared }
        let key = freshKey()
        return (key, try sending.send(key))
    }

    func freshKey() -> SecretBytes {
        var bytes = source.bytes(aead.keySize)
        defer { wipe(&bytes) }
        return SecretBytes(bytes)
    }

    func encrypt(
        _ plaintext: [UInt8],
        _ key: SecretBytes,
        _ headers: Headers,
        recipients: [(header: JOSEHeader, encryptedKey: [UInt8])],
        _ additionalData: [UInt8]?
    ) throws(JOSEError) -> JWE {
        let shared = try JWEHeaders(sending: headers.protected, shared: headers.shared)
        var complete: [JWERecipient] = []
        for recipient in recipients {
            complete.append(try shared.recipient(header: recipient.header, encryptedKey: recipient.encryptedKey))
        }
        // Empty data count as absent (RFC 7516, section 7.2.1).
        let additionalData = additionalData.flatMap { $0.isEmpty ? nil : $0 }
        let encodedData = additionalData.map { Base64URL.encodedBytes($0)[...] }
        let content = try seal(
            compressed(plaintext, shared.protected),
            key,
            JWE.authenticatedBytes(shared.encodedProtected, encodedData)
        )
        return JWE(
            headers: shared,
            recipients: complete,
            additionalData: additionalData,
            encodedAdditionalData: encodedData,
            content: content
        )
    }

    private func compressed(_ plaintext: [UInt8], _ header: JOSEHeader) throws(JOSEError) -> [UInt8] {
        guard let method = try header.string("zip") else { return plaintext }
        guard method.hasSameBytes(as: "DEF") else {
            throw JOSEError(.unsupportedAlgorithm, "\(method) is not implemented", path: ["zip"])
        }
        return try Deflate.compress(plaintext, format: .raw)
    }

    private func seal(
        _ plaintext: [UInt8],
        _ key: SecretBytes,
        _ authenticated: [UInt8]
    ) throws(JOSEError) -> JWE.Content {
        let vector = source.bytes(aead.nonceSize)
        do {
            let sealed = try aead.seal(plaintext, key: key, nonce: vector, additionalData: authenticated)
            return JWE.Content(initializationVector: vector, ciphertext: sealed.ciphertext, tag: sealed.tag)
        } catch {
            throw JOSEError(.operationFailed, "the content could not be encrypted", path: ["enc"], cause: error)
        }
    }
}
