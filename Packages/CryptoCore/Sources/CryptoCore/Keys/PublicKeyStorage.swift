/// The storage that all copies of a public key share: threads that verify with one key count references to one object,
/// not to three.
final class PublicKeyStorage: Sendable {
    /// The uncompressed point, the raw key, or for RSA the DER of PKCS #1.
    let encoded: [UInt8]

    /// The engine's form of the key.
    let engine: PublicKey.Engine

    /// The restriction of an RSA key that is marked for PSS; nil for other keys.
    let restriction: RSAKeyRestriction?

    init(encoded: [UInt8], engine: PublicKey.Engine, restriction: RSAKeyRestriction?) {
        self.encoded = encoded
        self.engine = engine
        self.restriction = restriction
    }
}
