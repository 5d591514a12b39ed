import CBORKit
import CryptoCore

/// The use of a distributed key: the algorithm of the layer that uses it, and the key length of that algorithm.
struct ContentKeyUse {
    /// The algorithm of the layer that uses the key.
    let algorithm: COSEAlgorithm
    /// The length of the key in bytes.
    let keyLength: Int

    /// - Throws: ``COSEError`` for an algorithm that takes no distributed key.
    init(_ algorithm: COSEAlgorithm) throws(COSEError) {
        self.algorithm = algorithm
        switch algorithm.primitive {
        case .aead(let engine): keyLength = engine.keySize
        case .mac(let engine): keyLength = engine.keySize ?? Self.hmacKeyLength(algorithm)
        case .keyDistribution(.keyWrap(let length)): keyLength = length
        default: throw algorithm.refusal(expecting: "algorithm of a symmetric key")
        }
    }

    /// RFC 9053 section 3.1: a derived HMAC key has the size of the hash function's output, whatever the tag's length.
    private static func hmacKeyLength(_ algorithm: COSEAlgorithm) -> Int {
        switch algorithm {
        case .hmac384_384: 48
        case .hmac512_512: 64
        default: 32
        }
    }
}

/// The layer of a recipient, which decides the context of its `Enc_structure` (RFC 9052 section 5.3).
enum RecipientLayer: String {
    /// A recipient of a COSE_Encrypt.
    case encrypt = "Enc_Recipient"
    /// A recipient of a COSE_Mac.
    case mac = "Mac_Recipient"
    /// A recipient of a recipient.
    case recipient = "Rec_Recipient"
}

/// The receiver's work on one recipient: the rules of its algorithm's class (RFC 9052 section 8.5), then the key.
struct RecipientOpening {
    /// The algorithm of the recipient.
    let algorithm: COSEAlgorithm

    private let recipient: COSERecipient
    private let use: ContentKeyUse
    private let layer: RecipientLayer
    private let context: COSEKeyDerivationContext

    init(
        _ recipient: COSERecipient,
        use: ContentKeyUse,
        layer: RecipientLayer,
        context: COSEKeyDerivationContext,
        policy: COSEPolicy
    ) throws(COSEError) {
        algorithm = try policy.allowedAlgorithm(of: recipient.headers)
        if algorithm.authenticatesRecipientHeaders { try policy.requireProtectedAlgorithm(recipient.headers) }
        self.recipient = recipient
        self.use = use
        self.layer = layer
        self.context = context
    }

    /// The key that the recipient gives to the holder of a key.
    func key(with own: COSERecipientKey) async throws(COSEError) -> SecretBytes {
        let primitive = algorithm.primitive
        guard own.serves(algorithm) else {
            throw algorithm.isSupported
                ? COSEError(.keyMismatch, "the key is of another kind than \(algorithm) takes", path: ["alg"])
                : algorithm.refusal(expecting: "recipient algorithm")
        }
        try own.requirePermission(for: primitive, algorithm, use)
        switch (primitive, own.secret) {
        case (.keyDistribution(let method), .symmetric(let key)): return try symmetric(method, key)
        case (.keyDistribution(.keyTransport(let hash)), .rsa(let key)): return try transported(hash, key)
        case (.keyDistribution(.keyAgreement(let method)), .agreement(let key)): return try await agreed(method, key)
        case (.aead, .symmetric(let key)): return try decrypted(key)
        default: throw algorithm.refusal(expecting: "recipient algorithm")
        }
    }

    private func symmetric(_ method: KeyDistributionPrimitive, _ key: SecretBytes) throws(COSEError) -> SecretBytes {
        switch method {
        case .direct:
            try requireNoProtectedHeaders()
            try requireNoEncryptedKey()
            return key
        case .directHKDF(let function):
            try requireNoEncryptedKey()
            return try derivation(function, for: use, requiresUniqueness: true).key(from: key)
        case .keyWrap(let keyLength):
            try requireNoProtectedHeaders()
            guard key.count == keyLength else {
                throw COSEError(
                    .keyMismatch,
                    "a key of \(key.count) bytes does not go with \(algorithm)",
                    path: ["alg"]
                )
            }
            return try unwrapped(with: key)
        case .keyTransport, .keyAgreement:
            throw algorithm.refusal(expecting: "method of a symmetric key")
        }
    }

    private func transported(_ hash: HashAlgorithm, _ key: PrivateKey) throws(COSEError) -> SecretBytes {
        try requireNoProtectedHeaders()
        let ciphertext = try encryptedKey()
        do {
            return try RSAOAEP.decrypt(ciphertext, with: key, hash: hash)
        } catch {
            guard error.code != .unsupported else { throw algorithm.refusalWithoutEngine(cause: error) }
            throw COSEError(.decryptionFailed, "the encrypted key is not authentic", path: ["ciphertext"])
        }
    }

    private func agreed(
        _ method: KeyDistributionPrimitive.KeyAgreementMethod,
        _ key: any KeyAgreement
    ) async throws(COSEError) -> SecretBytes {
        let sender = try method.usesEphemeralKey ? ephemeralKey() : staticKey()
        guard sender.curve == key.publicKey.curve else {
            throw COSEError(.keyMismatch, "the sender's key is on \(sender.kindName)", path: ["ephemeral key"])
        }
        if method.keyWrap == nil { try requireNoEncryptedKey() }
        let derivation = try derivation(
            .hmac(method.hash),
            for: method.keyWrap.map { wrap throws(COSEError) in try ContentKeyUse(wrap) } ?? use,
            requiresUniqueness: !method.usesEphemeralKey
        )
        let derived = try derivation.key(from: try await key.coseSharedSecret(with: sender))
        return try method.keyWrap == nil ? derived : unwrapped(with: derived)
    }

    /// A key that an AEAD encrypts, over the recipient's own `Enc_structure`.
    private func decrypted(_ key: SecretBytes) throws(COSEError) -> SecretBytes {
        let operation = try EncryptionOperation(algorithm)
        return SecretBytes(
            try operation.open(
                encryptedKey(),
                key: key,
                nonce: operation.nonce(of: recipient.headers, baseIV: nil),
                additionalData: recipient.headers.encryptionAAD(layer.rawValue, externalAAD: [])
            )
        )
    }

    private func unwrapped(with key: SecretBytes) throws(COSEError) -> SecretBytes {
        let ciphertext = try encryptedKey()
        do {
            return try AESKeyWrap.unwrap(ciphertext, with: key)
        } catch {
            throw COSEError(.decryptionFailed, "the encrypted key is not authentic", path: ["ciphertext"])
        }
    }

    private func derivation(
        _ function: KeyDistributionPrimitive.HKDFFunction,
        for use: ContentKeyUse,
        requiresUniqueness: Bool
    ) throws(COSEError) -> KeyDerivation {
        let derivation = KeyDerivation(function: function, use: use, known: context, headers: recipient.headers)
        if requiresUniqueness, !context.allowsMissingSaltAndNonce {
            guard try derivation.isUnique() else {
                throw COSEError(.missingSaltOrNonce, "there is neither a salt nor a PartyU nonce", path: ["salt"])
            }
        }
        return derivation
    }

    // MARK: The sender's key

    private func ephemeralKey() throws(COSEError) -> PublicKey {
        guard let view = try recipient.headers.parameter(.ephemeralKey) else {
            throw COSEError(.invalidRecipient, "\(algorithm) needs an ephemeral key", path: ["ephemeral key"])
        }
        return try within("ephemeral key") { () throws(COSEError) in try COSEKey(cbor: view).publicKey() }
    }

    private func staticKey() throws(COSEError) -> PublicKey {
        guard let view = try recipient.headers.parameter(.staticKey) else {
            guard let known = context.senderKey else {
                throw COSEError(.invalidRecipient, "the sender's static key is not known", path: ["static key"])
            }
            return known
        }
        let sent = try within("static key") { () throws(COSEError) in try COSEKey(cbor: view).publicKey() }
        guard context.senderKey == nil || context.senderKey == sent else {
            throw COSEError(.invalidRecipient, "the sender's key is not the known one", path: ["static key"])
        }
        return sent
    }

    // MARK: The rules of the classes

    private func requireNoProtectedHeaders() throws(COSEError) {
        guard recipient.headers.protected.isEmpty else {
            throw COSEError(.invalidRecipient, "\(algorithm) cannot protect headers", path: ["protected"])
        }
    }

    private func requireNoEncryptedKey() throws(COSEError) {
        guard recipient.ciphertext?.isEmpty ?? true else {
            throw COSEError(.invalidRecipient, "\(algorithm) transports no key", path: ["ciphertext"])
        }
        guard recipient.recipients.isEmpty else {
            throw COSEError(.invalidRecipient, "\(algorithm) has no recipients of its own", path: ["recipients"])
        }
    }

    private func encryptedKey() throws(COSEError) -> ArraySlice<UInt8> {
        guard let ciphertext = recipient.ciphertext, !ciphertext.isEmpty else {
            throw COSEError(.invalidRecipient, "\(algorithm) needs an encrypted key", path: ["ciphertext"])
        }
        return ciphertext
    }
}

extension KeyAgreement {
    /// The shared secret, with a failure as a COSE error.
    func coseSharedSecret(with key: PublicKey) async throws(COSEError) -> SecretBytes {
        do {
            return try await sharedSecret(with: key)
        } catch {
            throw COSEError(.operationFailed, "the key agreement failed", path: ["ephemeral key"], cause: error)
        }
    }
}

extension COSEAlgorithm {
    /// The labels that a recipient of the algorithm is processed by, beside those that every implementation understands: the sender's
    /// key, and what a key is derived with (RFC 9053, sections 5.1, 5.2 and 6.3).
    var processedRecipientLabels: Set<COSELabel> {
        let context: Set<COSELabel> = [
            .partyUIdentity, .partyUNonce, .partyUOther, .partyVIdentity, .partyVNonce, .partyVOther,
        ]
        switch primitive {
        case .keyDistribution(.directHKDF(let function)): return function.usesSalt ? context.union([.salt]) : context
        case .keyDistribution(.keyAgreement(let method)):
            return context.union([.salt, method.usesEphemeralKey ? .ephemeralKey : .staticKey])
        default: return []
        }
    }

    /// Indicates that a recipient's protected headers are authenticated: by the key derivation or by an AEAD.
    fileprivate var authenticatesRecipientHeaders: Bool {
        switch primitive {
        case .keyDistribution(.directHKDF), .keyDistribution(.keyAgreement), .aead: true
        default: false
        }
    }
}
