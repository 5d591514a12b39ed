public import CryptoCore

/// A receiver's secret for recovering the key of a message.
public struct COSERecipientKey: Sendable {
    let secret: Secret
    private let restrictions: COSEKey?

    /// The kinds of keys, by the methods they serve.
    enum Secret: Sendable {
        case symmetric(SecretBytes)
        case agreement(any KeyAgreement)
        case rsa(PrivateKey)
    }

    private init(_ secret: Secret, restrictions: COSEKey? = nil) {
        self.secret = secret
        self.restrictions = restrictions
    }

    /// A shared key: for direct use, for derivation or for unwrapping.
    public static func symmetric(_ key: SecretBytes) -> COSERecipientKey {
        COSERecipientKey(.symmetric(key))
    }

    /// A private key for ECDH, wherever it lives.
    public static func keyAgreement(_ key: any KeyAgreement) -> COSERecipientKey {
        COSERecipientKey(.agreement(key))
    }

    /// A private RSA key for RSAES-OAEP.
    public static func rsa(_ key: PrivateKey) -> COSERecipientKey {
        COSERecipientKey(.rsa(key))
    }

    /// A COSE_Key with its private part, whose own restrictions (`alg`, `key_ops`) are enforced.
    ///
    /// - Throws: As ``COSEKey/privateKey()`` and ``COSEKey/symmetricKey()``.
    public init(_ key: COSEKey) throws(COSEError) {
        switch key.keyType {
        case .symmetric: self.init(.symmetric(try key.symmetricKey()), restrictions: key)
        case .rsa: self.init(.rsa(try key.privateKey()), restrictions: key)
        default: self.init(.agreement(try key.privateKey()), restrictions: key)
        }
    }

    /// Refuses a use that the key's own `alg` or `key_ops` forbids.
    ///
    /// A key that is used directly is restricted by the algorithm of the layer that uses it.
    func requirePermission(
        for primitive: COSEPrimitive,
        _ algorithm: COSEAlgorithm,
        _ use: ContentKeyUse
    ) throws(COSEError) {
        guard let restrictions else { return }
        switch primitive {
        case .keyDistribution(.direct):
            let operations: [COSEKeyOperation] =
                use.algorithm.macAlgorithm == nil ? [.decrypt, .unwrapKey] : [.macVerify]
            try restrictions.require(anyOf: operations, for: use.algorithm)
        case .keyDistribution(.directHKDF), .keyDistribution(.keyAgreement):
            try restrictions.require(anyOf: [.deriveKey, .deriveBits], for: algorithm)
        default:
            try restrictions.require(anyOf: [.unwrapKey, .decrypt], for: algorithm)
        }
    }

    /// Returns `true` if keys of this kind serve an algorithm.
    func serves(_ algorithm: COSEAlgorithm) -> Bool {
        switch (algorithm.primitive, secret) {
        case (.keyDistribution(.direct), .symmetric), (.keyDistribution(.directHKDF), .symmetric): true
        case (.keyDistribution(.keyWrap), .symmetric), (.aead, .symmetric): true
        case (.keyDistribution(.keyTransport), .rsa): true
        case (.keyDistribution(.keyAgreement), .agreement): true
        default: false
        }
    }

    /// The source that offers this key to every recipient it serves.
    var asSource: @Sendable (COSERecipient) async throws(COSEError) -> COSERecipientKey? {
        { recipient throws(COSEError) in
            guard let algorithm = try recipient.headers.algorithm(), serves(algorithm) else { return nil }
            return self
        }
    }
}
