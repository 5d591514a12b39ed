import CryptoCore
import JSONKit

/// Brings a content encryption key to one recipient: encrypted, or agreed upon.
struct JWEKeySending {
    let recipient: JWEEncryptionKey
    let encryption: JWEEncryption
    let contentKeySize: Int
    let source: any RandomSource

    /// The encrypted key and header parameters for a recipient.
    struct Sent {
        var encryptedKey: [UInt8] = []
        var parameters: [JSONObject.Member] = []
    }

    /// The key that the recipient already shares or comes to share with the sender, for algorithms that send none.
    func sharedContentKey() throws(JOSEError) -> (key: SecretBytes, sent: Sent)? {
        switch (recipient.primitive, recipient.target) {
        case (.direct, .symmetric(let key)):
            guard key.count == contentKeySize else {
                throw JOSEError(.keyMismatch, "\(encryption) takes a key of \(contentKeySize) bytes", path: ["enc"])
            }
            return (key, Sent())
        case (.agreement, .agreement(let key, let apu, let apv)):
            let (agreed, parameters) = try agree(key, apu, apv, algorithmID: encryption.rawValue, size: contentKeySize)
            return (agreed, Sent(parameters: parameters))
        default: return nil
        }
    }

    /// A content encryption key on its way.
    func send(_ contentKey: SecretBytes) throws(JOSEError) -> Sent {
        do {
            switch (recipient.primitive, recipient.target) {
            case (.keyWrap, .symmetric(let key)):
                return Sent(encryptedKey: try AESKeyWrap.wrap(contentKey, with: key))
            case (.gcmKeyWrap, .symmetric(let key)): return try wrapGCM(contentKey, key)
            case (.rsaOAEP(let hash), .rsa(let key)):
                return Sent(encryptedKey: try RSAOAEP.encrypt(contentKey, to: key, hash: hash))
            case (.agreementWithKeyWrap(let size), .agreement(let key, let apu, let apv)):
                let algorithmID = recipient.algorithm.rawValue
                let (wrapping, parameters) = try agree(key, apu, apv, algorithmID: algorithmID, size: size)
                return Sent(encryptedKey: try AESKeyWrap.wrap(contentKey, with: wrapping), parameters: parameters)
            case (.password(let hash, let size), .password(let password, let iterations)):
                return try wrap(contentKey, password, iterations, hash, size)
            default: throw JOSEError(.invalidRecipient, "\(recipient.algorithm) has one recipient only", path: ["alg"])
            }
        } catch let error as JOSEError {
            throw error
        } catch let error as CryptoError where error.code == .unsupported {
            throw recipient.algorithm.withoutEngine(error)
        } catch {
            throw JOSEError(.operationFailed, "the key could not be encrypted", path: ["alg"], cause: error)
        }
    }

    private func wrapGCM(_ contentKey: SecretBytes, _ key: SecretBytes) throws -> Sent {
        let wrapped = try AESGCMKeyWrap.wrap(contentKey, with: key, using: Randomness(source: source))
        return Sent(
            encryptedKey: wrapped.encryptedKey,
            parameters: [
                ("iv", .string(Base64URL.encode(wrapped.initializationVector))),
                ("tag", .string(Base64URL.encode(wrapped.tag))),
            ]
        )
    }

    private func wrap(
        _ contentKey: SecretBytes,
        _ password: SecretBytes,
        _ iterations: Int,
        _ hash: HashAlgorithm,
        _ size: Int
    ) throws -> Sent {
        let salt = source.bytes(16)
        let derivation = JWEPasswordDerivation(algorithm: recipient.algorithm, hash: hash, keySize: size)
        let key = try derivation.key(password, salt: salt, iterations: iterations, maximum: Int(Int32.max))
        return Sent(
            encryptedKey: try AESKeyWrap.wrap(contentKey, with: key),
            parameters: [("p2s", .string(Base64URL.encode(salt))), ("p2c", .integer(iterations))]
        )
    }

    /// The key that both sides derive (RFC 7518, section 4.6.2), with a fresh ephemeral key.
    private func agree(
        _ key: PublicKey,
        _ apu: [UInt8]?,
        _ apv: [UInt8]?,
        algorithmID: String,
        size: Int
    ) throws(JOSEError) -> (key: SecretBytes, parameters: [JSONObject.Member]) {
        guard let curve = key.curve else {
            throw JOSEError(.keyMismatch, "there is no key agreement with \(key)", path: ["alg"])
        }
        do throws(CryptoError) {
            let ephemeral = try PrivateKey.generate(curve, using: Randomness(source: source))
            let agreed = try ConcatKDF.deriveKey(
                sharedSecret: ephemeral.sharedSecret(with: key),
                algorithmID: algorithmID,
                partyUInfo: apu ?? [],
                partyVInfo: apv ?? [],
                length: size
            )
            return (agreed, Self.parameters(ephemeral.publicKey, apu, apv))
        } catch {
            throw JOSEError(.operationFailed, "the key agreement failed", path: ["alg"], cause: error)
        }
    }

    private static func parameters(_ ephemeral: PublicKey, _ apu: [UInt8]?, _ apv: [UInt8]?) -> [JSONObject.Member] {
        let type = JSONValue.string(ephemeral.type == .ec ? JWKType.ec.rawValue : JWKType.okp.rawValue)
        var parameters: [JSONObject.Member] = [
            ("epk", .object(JSONObject([("kty", type)] + ephemeral.jwkMembers)))
        ]
        for case (let name, let info?) in [("apu", apu), ("apv", apv)] {
            parameters.append((name, .string(Base64URL.encode(info))))
        }
        return parameters
    }

    /// A source of randomness whose type is not known, for generic parameters.
    private struct Randomness: RandomSource {
        let source: any RandomSource

        func bytes(_ count: Int) -> [UInt8] { source.bytes(count) }
    }
}
