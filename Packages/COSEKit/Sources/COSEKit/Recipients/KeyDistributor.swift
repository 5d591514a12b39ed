import CBORKit
import CryptoCore

/// The sender's work on the recipients of a message or of another recipient.
struct KeyDistributor: Sendable {
    /// The source of keys, nonces and initialization vectors.
    let randomness: any RandomSource

    /// Makes or derives a key, and the recipients that bring it to their holders.
    func distribute(
        for use: ContentKeyUse,
        to methods: [COSEKeyDistribution],
        layer: RecipientLayer
    ) async throws(COSEError) -> (key: SecretBytes, recipients: [COSERecipient]) {
        guard let first = methods.first else {
            throw COSEError(.invalidRecipient, "there must be at least one recipient", path: ["recipients"])
        }
        if methods.contains(where: \.isDirect) {
            guard methods.count == 1 else {
                throw COSEError(
                    .invalidRecipient,
                    "a method that gives the content key itself must be the only one",
                    path: ["recipients"]
                )
            }
            do throws(COSEError) {
                let (key, recipient) = try await direct(first, for: use)
                return (key, [recipient])
            } catch {
                throw error.inside("recipients[0]")
            }
        }
        let key = SecretBytes(randomness.bytes(use.keyLength))
        var recipients: [COSERecipient] = []
        for method in methods {
            do throws(COSEError) {
                recipients.append(try await transport(key, by: method, layer: layer))
            } catch {
                throw error.inside("recipients[\(recipients.count)]")
            }
        }
        return (key, recipients)
    }

    /// The key that a method gives by itself.
    private func direct(
        _ method: COSEKeyDistribution,
        for use: ContentKeyUse
    ) async throws(COSEError) -> (SecretBytes, COSERecipient) {
        switch (method.algorithm.keyDistributionPrimitive, method.method) {
        case (.direct, .symmetric(let key)):
            let headers = try headers(of: method, protectsAlgorithm: false)
            try requireNoProtectedHeaders(headers, method.algorithm)
            return (key, COSERecipient(headers: headers, ciphertext: []))
        case (.directHKDF(let function), .symmetric(let secret)):
            let headers = try withNonce(
                headers(of: method, protectsAlgorithm: true),
                method.context,
                usesSalt: function.usesSalt
            )
            let derivation = KeyDerivation(function: function, use: use, known: method.context, headers: headers)
            return (try derivation.key(from: secret), COSERecipient(headers: headers, ciphertext: []))
        case (.keyAgreement(let agreement), .agreement(let key, let sender)):
            let (derived, headers) = try await agree(agreement, method, with: key, sender: sender, for: use)
            return (derived, COSERecipient(headers: headers, ciphertext: []))
        default:
            throw unfit(method)
        }
    }

    /// The recipient that carries a key.
    private func transport(
        _ key: SecretBytes,
        by method: COSEKeyDistribution,
        layer: RecipientLayer
    ) async throws(COSEError) -> COSERecipient {
        switch (method.algorithm.primitive, method.method) {
        case (.keyDistribution(.keyWrap), .symmetric), (.keyDistribution(.keyWrap), .layered):
            return try await wrap(key, by: method)
        case (.aead, .symmetric), (.aead, .layered):
            return try await encrypt(key, by: method, layer: layer)
        case (.keyDistribution(.keyTransport(let hash)), .transport(let publicKey)):
            let headers = try headers(of: method, protectsAlgorithm: false)
            try requireNoProtectedHeaders(headers, method.algorithm)
            let ciphertext = try operation(method.algorithm) { () throws(CryptoError) in
                try RSAOAEP.encrypt(key, to: publicKey, hash: hash)
            }
            return COSERecipient(headers: headers, ciphertext: ciphertext)
        case (.keyDistribution(.keyAgreement(let agreement)), .agreement(let publicKey, let sender)):
            guard let wrap = agreement.keyWrap else { throw unfit(method) }
            let use = try ContentKeyUse(wrap)
            let (derived, headers) = try await agree(agreement, method, with: publicKey, sender: sender, for: use)
            let ciphertext = try operation(wrap) { () throws(CryptoError) in try AESKeyWrap.wrap(key, with: derived) }
            return COSERecipient(headers: headers, ciphertext: ciphertext)
        default:
            throw unfit(method)
        }
    }

    private func wrap(_ key: SecretBytes, by method: COSEKeyDistribution) async throws(COSEError) -> COSERecipient {
        let headers = try headers(of: method, protectsAlgorithm: false)
        try requireNoProtectedHeaders(headers, method.algorithm)
        let (wrapping, recipients) = try await wrappingKey(of: method)
        let ciphertext = try operation(method.algorithm) { () throws(CryptoError) in
            try AESKeyWrap.wrap(key, with: wrapping)
        }
        return COSERecipient(headers: headers, ciphertext: ciphertext, recipients: recipients)
    }

    private func encrypt(
        _ key: SecretBytes,
        by method: COSEKeyDistribution,
        layer: RecipientLayer
    ) async throws(COSEError) -> COSERecipient {
        let aead = try EncryptionOperation(method.algorithm)
        let headers = try aead.headersWithNonce(
            headers(of: method, protectsAlgorithm: true),
            using: randomness
        )
        let (wrapping, recipients) = try await wrappingKey(of: method)
        let ciphertext = try aead.seal(
            key,
            key: wrapping,
            nonce: aead.nonce(of: headers, baseIV: nil),
            additionalData: headers.encryptionAAD(layer.rawValue, externalAAD: [])
        )
        return COSERecipient(headers: headers, ciphertext: ciphertext, recipients: recipients)
    }

    /// The key that wraps another, which must have the algorithm's length, and the recipients that bring it.
    private func wrappingKey(
        of method: COSEKeyDistribution
    ) async throws(COSEError) -> (key: SecretBytes, recipients: [COSERecipient]) {
        let use = try ContentKeyUse(method.algorithm)
        switch method.method {
        case .symmetric(let key):
            guard key.count == use.keyLength else {
                let lengths = "\(key.count) bytes instead of \(use.keyLength)"
                throw COSEError(.keyMismatch, "the key of \(method.algorithm) has \(lengths)", path: ["alg"])
            }
            return (key, [])
        case .layered(let methods):
            return try await distribute(for: use, to: methods, layer: .recipient)
        case .transport, .agreement:
            throw unfit(method)
        }
    }

    private func agree(
        _ agreement: KeyDistributionPrimitive.KeyAgreementMethod,
        _ method: COSEKeyDistribution,
        with key: PublicKey,
        sender: COSEKeyDistribution.SenderKey,
        for use: ContentKeyUse
    ) async throws(COSEError) -> (key: SecretBytes, headers: COSEHeaders) {
        var headers = try headers(of: method, protectsAlgorithm: true)
        let own: any KeyAgreement
        switch (sender.kind, agreement.usesEphemeralKey) {
        case (.ephemeral, true):
            let ephemeral = try ephemeralKey(for: key, method.algorithm)
            headers = try headers.adding(ephemeral.publicKey, as: .ephemeralKey)
            own = ephemeral
        case (.sent(let key), false):
            headers = try withNonce(headers.adding(key.publicKey, as: .staticKey), method.context)
            own = key
        case (.identified(let key, let keyID), false):
            headers = try withNonce(headers.adding(keyID, as: .staticKeyID), method.context)
            own = key
        default:
            throw COSEError(.keyMismatch, "\(method.algorithm) takes the other kind of sender key", path: ["alg"])
        }
        let derivation = KeyDerivation(
            function: .hmac(agreement.hash),
            use: use,
            known: method.context,
            headers: headers
        )
        return (try derivation.key(from: try await own.coseSharedSecret(with: key)), headers)
    }

    private func ephemeralKey(for key: PublicKey, _ algorithm: COSEAlgorithm) throws(COSEError) -> PrivateKey {
        guard let curve = key.curve, curve.family != .edwards else {
            throw COSEError(.keyMismatch, "a key of \(key.kindName) does not agree on keys", path: ["alg"])
        }
        let randomness = randomness
        return try operation(algorithm) { () throws(CryptoError) in
            try PrivateKey.generate(curve, using: randomness)
        }
    }

    // MARK: Headers

    /// The headers of a recipient, with its algorithm.
    private func headers(
        of method: COSEKeyDistribution,
        protectsAlgorithm: Bool
    ) throws(COSEError) -> COSEHeaders {
        var (protected, unprotected) = (method.headers.protected, method.headers.unprotected)
        if let named = try method.headers.algorithm() {
            guard named == method.algorithm else {
                throw COSEError(.unsuitableAlgorithm, "the headers name \(named)", path: ["alg"])
            }
        } else if protectsAlgorithm {
            protected[.alg] = method.algorithm.cbor
        } else {
            unprotected[.alg] = method.algorithm.cbor
        }
        let headers = COSEHeaders(protected: protected, unprotected: unprotected)
        try headers.validate()
        return headers
    }

    /// The headers with a random PartyU nonce, unless a nonce, or a salt that is used, is present (RFC 9053 sections 6.1.2 and
    /// 6.3).
    private func withNonce(
        _ headers: COSEHeaders,
        _ context: COSEKeyDerivationContext,
        usesSalt: Bool = true
    ) throws(COSEError) -> COSEHeaders {
        let hasNonce = try headers.parameter(.partyUNonce) != nil || context.partyU.nonce != nil
        let salt = try headers.parameter(.salt)
        let hasSalt = usesSalt && (salt != nil || context.salt != nil)
        guard !hasNonce, !hasSalt else { return headers }
        var unprotected = headers.unprotected
        unprotected[.partyUNonce] = .bytes(randomness.bytes(32))
        return headers.replacing(unprotected: unprotected)
    }

    private func requireNoProtectedHeaders(_ headers: COSEHeaders, _ algorithm: COSEAlgorithm) throws(COSEError) {
        guard headers.protected.isEmpty else {
            throw COSEError(.invalidRecipient, "\(algorithm) cannot protect headers", path: ["protected"])
        }
    }

    private func unfit(_ method: COSEKeyDistribution) -> COSEError {
        guard method.algorithm.isSupported else { return method.algorithm.refusal(expecting: "recipient algorithm") }
        return COSEError(.unsuitableAlgorithm, "\(method.algorithm) is of another method", path: ["alg"])
    }

    private func operation<Value>(
        _ algorithm: COSEAlgorithm,
        _ body: () throws(CryptoError) -> Value
    ) throws(COSEError) -> Value {
        do {
            return try body()
        } catch {
            guard error.code != .unsupported else { throw algorithm.refusalWithoutEngine(cause: error) }
            throw COSEError(.operationFailed, error.message, path: ["ciphertext"], cause: error)
        }
    }
}

extension COSEHeaders {
    /// The headers with a public key in the unprotected bucket.
    fileprivate func adding(_ key: PublicKey, as label: COSELabel) throws(COSEError) -> COSEHeaders {
        let encoded = try COSEKey(publicKey: key).encoded()
        let document = try reading("\(label)") { () throws(CBORError) in try CBORDocument(encoded) }
        var unprotected = unprotected
        unprotected.set(document.root, for: label)
        return replacing(unprotected: unprotected)
    }

    /// The headers with a byte string in the unprotected bucket, if there is one.
    fileprivate func adding(_ bytes: [UInt8]?, as label: COSELabel) -> COSEHeaders {
        guard let bytes else { return self }
        var unprotected = unprotected
        unprotected[label] = .bytes(bytes)
        return replacing(unprotected: unprotected)
    }
}
