/// An algorithm for authenticated encryption with associated data (RFC 5116), with all its parameters fixed.
///
/// The set is open: the standards' algorithms are static members, ``aesCCM(keySize:nonceSize:tagSize:)`` and
/// ``aesGCM(keySize:nonceSize:)`` make further ones. Sizes are in bytes and exact; every operation checks them before it touches a key.
public struct AEADAlgorithm: Hashable, Sendable, CustomStringConvertible {
    /// The construction; the sizes are beside it.
    enum Mode: Hashable, Sendable {
        case gcm
        case ccm
        case chaCha20Poly1305
        case xChaCha20Poly1305
        /// AES-CBC with HMAC over the given hash function (RFC 7518, section 5.2).
        case cbcHMAC(HashAlgorithm)
    }

    /// The name in its standard, such as `A128GCM`, `AES-CCM-16-64-128` or `A256CBC-HS512`.
    public let name: String
    /// The size of the key in bytes.
    public let keySize: Int
    /// The size of the nonce (the initialization vector) in bytes.
    public let nonceSize: Int
    /// The size of the authentication tag in bytes.
    public let tagSize: Int

    let mode: Mode

    init(_ name: String, _ mode: Mode, keySize: Int, nonceSize: Int, tagSize: Int) {
        self.name = name
        self.mode = mode
        self.keySize = keySize
        self.nonceSize = nonceSize
        self.tagSize = tagSize
    }

    /// The name.
    public var description: String { name }

    /// Indicates that this build has an engine for the algorithm: AES-CCM needs the trait `OpenSSL`.
    public var isSupported: Bool {
        #if OpenSSL
        true
        #else
        mode != .ccm
        #endif
    }

    /// A fresh random key of the algorithm's size.
    public func generateKey(using source: some RandomSource = .system) -> SecretBytes {
        .random(count: keySize, using: source)
    }

    /// A fresh random nonce of the algorithm's size.
    ///
    /// Random nonces of 96 bits are good for about 2³² messages under one key (NIST SP 800-38D, section 8.3); AES-CCM
    /// with its 7-byte nonces needs a counter instead.
    public func generateNonce(using source: some RandomSource = .system) -> [UInt8] {
        source.bytes(nonceSize)
    }
}
