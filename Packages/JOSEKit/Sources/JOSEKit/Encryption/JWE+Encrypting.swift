public import CryptoCore
import JSONKit

extension JWE {
    /// Encrypts content to one recipient.
    ///
    /// The parameters `alg`, `enc`, `kid`, `epk` and their like are put into the protected header, unless the shared one has
    /// them; where a header names one of them, its place is kept and its value is set.
    /// - Parameters:
    ///   - plaintext: The content.
    ///   - recipient: To whom, and how the key gets there.
    ///   - encryption: The content encryption algorithm.
    ///   - header: Further parameters that the encryption authenticates, such as `cty`. With `zip` set to `DEF` the content
    ///     is compressed first.
    ///   - sharedHeader: Parameters that it does not; for the JSON serializations only.
    ///   - additionalData: Data to authenticate along with the content; for the JSON serializations only.
    ///   - source: The source of randomness; the same bytes give the same message.
    /// - Throws: ``JOSEError/Code/keyMismatch`` for a shared key of another length than the content encryption's,
    ///   ``JOSEError/Code/unsupportedAlgorithm``, and the errors of the headers.
    public static func encrypt(
        _ plaintext: [UInt8],
        to recipient: JWEEncryptionKey,
        with encryption: JWEEncryption,
        header: JOSEHeader = JOSEHeader(),
        sharedHeader: JOSEHeader = JOSEHeader(),
        additionalData: [UInt8]? = nil,
        using source: some RandomSource = .system
    ) throws(JOSEError) -> JWE {
        let operation = try JWEEncrypting(encryption, source)
        return try within("JWE") { () throws(JOSEError) in
            let (key, sent) = try operation.key(to: recipient)
            var headers = JWEEncrypting.Headers(protected: header, shared: sharedHeader)
            headers.set("alg", .string(recipient.algorithm.rawValue))
            headers.set("enc", .string(encryption.rawValue))
            try JWEEncrypting.requireNoPartyInfo(in: headers, beside: sent.parameters)
            if let keyID = recipient.keyID { headers.set("kid", .string(keyID)) }
            for (name, value) in sent.parameters { headers.set(name, value) }
            return try operation.encrypt(
                plaintext,
                key,
                headers,
                recipients: [(JOSEHeader(), sent.encryptedKey)],
                additionalData
            )
        }
    }

    /// Encrypts content to several recipients, for the general JSON serialization.
    ///
    /// Each recipient's parameters are in its own header, and `enc` is in the protected one.
    /// - Parameters:
    ///   - plaintext: The content.
    ///   - recipients: The recipients and their key management; not with `dir` nor plain ECDH-ES.
    ///   - encryption: The content encryption algorithm.
    ///   - header: Further parameters that the encryption authenticates, such as `cty`. With `zip` set to `DEF` the
    ///     content is compressed first.
    ///   - sharedHeader: Parameters that it does not authenticate.
    ///   - additionalData: Data to authenticate along with the content.
    ///   - source: The source of randomness; the same bytes give the same message.
    /// - Throws: ``JOSEError/Code/invalidRecipient`` for no recipient and for an algorithm with one recipient only,
    ///   ``JOSEError/Code/unsupportedAlgorithm``, and the errors for invalid headers.
    public static func encrypt(
        _ plaintext: [UInt8],
        toEach recipients: [JWEEncryptionKey],
        with encryption: JWEEncryption,
        header: JOSEHeader = JOSEHeader(),
        sharedHeader: JOSEHeader = JOSEHeader(),
        additionalData: [UInt8]? = nil,
        using source: some RandomSource = .system
    ) throws(JOSEError) -> JWE {
        let operation = try JWEEncrypting(encryption, source)
        return try within("JWE") { () throws(JOSEError) in
            guard !recipients.isEmpty else {
                throw JOSEError(.invalidRecipient, "there is no recipient", path: ["recipients"])
            }
            let key = operation.freshKey()
            var headers = JWEEncrypting.Headers(protected: header, shared: sharedHeader)
            headers.set("enc", .string(encryption.rawValue))
            var sendings: [(JOSEHeader, [UInt8])] = []
            for recipient in recipients {
                let sent = try operation.sending(recipient).send(key)
                try JWEEncrypting.requireNoPartyInfo(in: headers, beside: sent.parameters)
                var own: JOSEHeader = ["alg": .string(recipient.algorithm.rawValue)]
                if let keyID = recipient.keyID { own["kid"] = .string(keyID) }
                for (name, value) in sent.parameters { own[name] = value }
                sendings.append((own, sent.encryptedKey))
            }
            return try operation.encrypt(plaintext, key, headers, recipients: sendings, additionalData)
        }
    }
}
