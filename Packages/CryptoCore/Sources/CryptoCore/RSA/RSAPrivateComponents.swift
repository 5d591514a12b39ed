/// The numbers of an RSA private key with two primes (RFC 8017, 3.2), big-endian.
///
/// It is neither encodable nor printed, and serves to build a key from another format or to write one.
public struct RSAPrivateComponents: Sendable {
    /// n.
    public let modulus: [UInt8]
    /// e.
    public let publicExponent: [UInt8]
    /// d.
    public let privateExponent: SecretBytes
    /// p.
    public let prime1: SecretBytes
    /// q.
    public let prime2: SecretBytes
    /// dP, d mod p − 1.
    public let exponent1: SecretBytes
    /// dQ, d mod q − 1.
    public let exponent2: SecretBytes
    /// qInv, the inverse of q mod p.
    public let coefficient: SecretBytes

    /// Puts the numbers together; a ``PrivateKey`` checks that they belong to each other.
    public init(
        modulus: [UInt8],
        publicExponent: [UInt8],
        privateExponent: SecretBytes,
        prime1: SecretBytes,
        prime2: SecretBytes,
        exponent1: SecretBytes,
        exponent2: SecretBytes,
        coefficient: SecretBytes
    ) {
        self.modulus = modulus
        self.publicExponent = publicExponent
        self.privateExponent = privateExponent
        self.prime1 = prime1
        self.prime2 = prime2
        self.exponent1 = exponent1
        self.exponent2 = exponent2
        self.coefficient = coefficient
    }

    /// The secret numbers in the order of PKCS #1.
    private var secrets: [SecretBytes] {
        [privateExponent, prime1, prime2, exponent1, exponent2, coefficient]
    }

    /// All numbers in the order of PKCS #1.
    var numbers: [SecretBytes] { [SecretBytes(modulus), SecretBytes(publicExponent)] + secrets }

    /// Reads `RSAPrivateKey` of PKCS #1 (RFC 8017, A.1.2).
    init(pkcs1: ArraySlice<UInt8>) throws(CryptoError) {
        do throws(CryptoError) {
            var reader = DERReader(pkcs1)
            var key = try reader.readSequence()
            try reader.finish()
            guard try key.readSmallInteger() == 0 else {
                throw CryptoError(.unsupported, "only keys with two primes are supported")
            }
            modulus = Array(try key.readUnsignedInteger())
            publicExponent = Array(try key.readUnsignedInteger())
            privateExponent = SecretBytes(try key.readUnsignedInteger())
            prime1 = SecretBytes(try key.readUnsignedInteger())
            prime2 = SecretBytes(try key.readUnsignedInteger())
            exponent1 = SecretBytes(try key.readUnsignedInteger())
            exponent2 = SecretBytes(try key.readUnsignedInteger())
            coefficient = SecretBytes(try key.readUnsignedInteger())
            try key.finish()
        } catch {
            throw error.inside("RSAPrivateKey")
        }
    }

    /// `RSAPrivateKey` of PKCS #1 in DER.
    var pkcs1: SecretBytes {
        DERValue.sequence([.integer(0)] + numbers.map { .unsignedInteger($0) }).encodedSecret
    }
}
