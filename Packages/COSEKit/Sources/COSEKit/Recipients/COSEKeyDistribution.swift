public import CryptoCore

/// A sender's method for giving its key to one recipient (RFC 9052 section 8.5).
public struct COSEKeyDistribution: Sendable {
    /// The algorithm of the recipient.
    public let algorithm: COSEAlgorithm

    let method: Method
    let headers: COSEHeaders
    let context: COSEKeyDerivationContext

    /// The method and its key.
    enum Method: Sendable {
        case symmetric(SecretBytes)
        case layered([COSEKeyDistribution])
        case transport(PublicKey)
        case agreement(PublicKey, SenderKey)
    }

    /// The sender's side of a key agreement.
    public struct SenderKey: Sendable {
        enum Kind: Sendable {
            case ephemeral
            case sent(any KeyAgreement)
            case identified(any KeyAgreement, keyID: [UInt8]?)
        }

        let kind: Kind

        /// A key that is made for this message and sent with it (ECDH-ES).
        public static let ephemeral = SenderKey(kind: .ephemeral)

        /// The sender's static key, whose public part is sent with the message (ECDH-SS).
        public static func `static`(_ key: any KeyAgreement) -> SenderKey {
            SenderKey(kind: .sent(key))
        }

        /// The sender's static key, which the recipient knows (ECDH-SS).
        ///
        /// - Parameters:
        ///   - key: The key.
        ///   - keyID: Its identifier for the header, or nil if the application knows the key without one.
        public static func `static`(_ key: any KeyAgreement, knownAs keyID: [UInt8]?) -> SenderKey {
            SenderKey(kind: .identified(key, keyID: keyID))
        }
    }

    /// The shared key is the key of the message; it must be the only recipient.
    ///
    /// - Parameters:
    ///   - key: The shared key.
    ///   - headers: Parameters beside the algorithm, such as `kid`; none of them protected.
    public static func direct(_ key: SecretBytes, headers: COSEHeaders = COSEHeaders()) -> COSEKeyDistribution {
        COSEKeyDistribution(algorithm: .direct, method: .symmetric(key), headers: headers)
    }

    /// A key that is derived from a shared secret is the key of the message; it must be the only recipient.
    ///
    /// Without a salt or PartyU nonce in headers or context, a random PartyU nonce is made.
    ///
    /// - Parameters:
    ///   - secret: The shared secret; for the AES-based algorithms exactly as long as their key.
    ///   - algorithm: One of the algorithms `direct+HKDF-…`.
    ///   - headers: Parameters beside the algorithm.
    ///   - context: The shared context of the key derivation.
    public static func derived(
        from secret: SecretBytes,
        _ algorithm: COSEAlgorithm,
        headers: COSEHeaders = COSEHeaders(),
        context: COSEKeyDerivationContext = COSEKeyDerivationContext()
    ) -> COSEKeyDistribution {
        COSEKeyDistribution(algorithm: algorithm, method: .symmetric(secret), headers: headers, context: context)
    }

    /// A shared key wraps the key of the message.
    ///
    /// - Parameters:
    ///   - algorithm: A128KW, A192KW, A256KW, or an AEAD.
    ///   - key: The shared key, of exactly the algorithm's length.
    ///   - headers: Parameters beside the algorithm, such as `kid`; none of them protected for the key wrap algorithms.
    public static func keyWrap(
        _ algorithm: COSEAlgorithm,
        with key: SecretBytes,
        headers: COSEHeaders = COSEHeaders()
    ) -> COSEKeyDistribution {
        COSEKeyDistribution(algorithm: algorithm, method: .symmetric(key), headers: headers)
    }

    /// A key that reaches its recipients by another layer wraps the key of the message (RFC 9052 appendix B).
    ///
    /// - Parameters:
    ///   - algorithm: A128KW, A192KW, A256KW, or an AEAD.
    ///   - recipients: The recipients of the wrapping key.
    ///   - headers: Parameters beside the algorithm.
    public static func keyWrap(
        _ algorithm: COSEAlgorithm,
        through recipients: [COSEKeyDistribution],
        headers: COSEHeaders = COSEHeaders()
    ) -> COSEKeyDistribution {
        COSEKeyDistribution(algorithm: algorithm, method: .layered(recipients), headers: headers)
    }

    /// The key of the message is encrypted to an RSA key.
    ///
    /// - Parameters:
    ///   - algorithm: One of the algorithms RSAES-OAEP.
    ///   - key: The recipient's key.
    ///   - headers: Parameters beside the algorithm, such as `kid`; none of them protected.
    public static func keyTransport(
        _ algorithm: COSEAlgorithm,
        to key: PublicKey,
        headers: COSEHeaders = COSEHeaders()
    ) -> COSEKeyDistribution {
        COSEKeyDistribution(algorithm: algorithm, method: .transport(key), headers: headers)
    }

    /// ECDH with the recipient's key gives the key of the message, or the key that wraps it.
    ///
    /// Without a salt or PartyU nonce in headers or context, a random PartyU nonce is made for a static sender key.
    ///
    /// - Parameters:
    ///   - algorithm: One of the ECDH algorithms; those without key wrap must be the only recipient.
    ///   - key: The recipient's key.
    ///   - sender: The sender's key: ephemeral for ECDH-ES, static for ECDH-SS.
    ///   - headers: Parameters beside the algorithm, such as `kid`.
    ///   - context: The shared context of the key derivation.
    public static func keyAgreement(
        _ algorithm: COSEAlgorithm,
        with key: PublicKey,
        sender: SenderKey = .ephemeral,
        headers: COSEHeaders = COSEHeaders(),
        context: COSEKeyDerivationContext = COSEKeyDerivationContext()
    ) -> COSEKeyDistribution {
        COSEKeyDistribution(algorithm: algorithm, method: .agreement(key, sender), headers: headers, context: context)
    }

    private init(
        algorithm: COSEAlgorithm,
        method: Method,
        headers: COSEHeaders,
        context: COSEKeyDerivationContext = COSEKeyDerivationContext()
    ) {
        self.algorithm = algorithm
        self.method = method
        self.headers = headers
        self.context = context
    }

    /// Indicates that the method gives the key of the message itself.
    ///
    /// It must then be the only one.
    var isDirect: Bool { algorithm.keyDistributionPrimitive?.isDirect ?? false }
}
