/// A signature algorithm with its hash function and parameters.
///
/// ECDSA leaves the curve open, as RFC 9053 does.
public struct SignatureAlgorithm: Hashable, Sendable, CustomStringConvertible {
    /// The families and their parameters.
    enum Kind: Hashable, Sendable {
        case ecdsa(HashAlgorithm)
        case ed25519
        case ed448
        case rsaPKCS1(HashAlgorithm)
        case rsaPSS(HashAlgorithm, mgf: HashAlgorithm, saltLength: Int)
    }

    let kind: Kind

    init(_ kind: Kind) {
        self.kind = kind
    }

    /// ECDSA with SHA-256 (FIPS 186-5).
    public static let ecdsaSHA256 = SignatureAlgorithm(.ecdsa(.sha256))
    /// ECDSA with SHA-384 (FIPS 186-5).
    public static let ecdsaSHA384 = SignatureAlgorithm(.ecdsa(.sha384))
    /// ECDSA with SHA-512 (FIPS 186-5).
    public static let ecdsaSHA512 = SignatureAlgorithm(.ecdsa(.sha512))
    /// EdDSA over Ed25519, without prehash and context (RFC 8032).
    public static let ed25519 = SignatureAlgorithm(.ed25519)
    /// EdDSA over Ed448, without prehash and with an empty context (RFC 8032).
    public static let ed448 = SignatureAlgorithm(.ed448)
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017).
    public static let rsaPKCS1SHA256 = SignatureAlgorithm(.rsaPKCS1(.sha256))
    /// RSASSA-PKCS1-v1_5 with SHA-384 (RFC 8017).
    public static let rsaPKCS1SHA384 = SignatureAlgorithm(.rsaPKCS1(.sha384))
    /// RSASSA-PKCS1-v1_5 with SHA-512 (RFC 8017).
    public static let rsaPKCS1SHA512 = SignatureAlgorithm(.rsaPKCS1(.sha512))
    /// RSASSA-PSS with SHA-256, also in MGF1, and a salt of 32 bytes (RFC 8017).
    public static let rsaPSSSHA256 = SignatureAlgorithm(.rsaPSS(.sha256, mgf: .sha256, saltLength: 32))
    /// RSASSA-PSS with SHA-384, also in MGF1, and a salt of 48 bytes (RFC 8017).
    public static let rsaPSSSHA384 = SignatureAlgorithm(.rsaPSS(.sha384, mgf: .sha384, saltLength: 48))
    /// RSASSA-PSS with SHA-512, also in MGF1, and a salt of 64 bytes (RFC 8017).
    public static let rsaPSSSHA512 = SignatureAlgorithm(.rsaPSS(.sha512, mgf: .sha512, saltLength: 64))

    /// RSASSA-PSS with other parameters than the usual ones (RFC 8017), as certificates may demand.
    ///
    /// - Parameters:
    ///   - hash: The hash function of the message.
    ///   - mgf: The hash function of MGF1; the message's where it is nil.
    ///   - saltLength: The length of the salt in bytes; a verifier accepts exactly this one.
    /// - Throws: ``CryptoError/Code/unsupported`` for SHA-1, ``CryptoError/Code/invalidParameter`` for a length out of
    ///   0 to 1024.
    public static func rsaPSS(
        _ hash: HashAlgorithm,
        mgf: HashAlgorithm? = nil,
        saltLength: Int
    ) throws(CryptoError) -> SignatureAlgorithm {
        guard hash != .sha1 else {
            throw CryptoError(.unsupported, "signatures over SHA-1 are only to be had by name from Insecure")
        }
        return try Insecure.rsaPSS(hash, mgf: mgf, saltLength: saltLength)
    }

    /// Broken or weak algorithms, for reading existing signatures; signing with them is a mistake.
    public enum Insecure {
        /// RSASSA-PKCS1-v1_5 with SHA-1: collisions can be made in practice.
        public static let rsaPKCS1SHA1 = SignatureAlgorithm(.rsaPKCS1(.sha1))
        /// RSASSA-PSS with SHA-1 and a salt of 20 bytes: collisions can be made in practice.
        public static let rsaPSSSHA1 = SignatureAlgorithm(.rsaPSS(.sha1, mgf: .sha1, saltLength: 20))
        /// ECDSA with SHA-1: collisions can be made in practice.
        public static let ecdsaSHA1 = SignatureAlgorithm(.ecdsa(.sha1))

        /// RSASSA-PSS as ``SignatureAlgorithm/rsaPSS(_:mgf:saltLength:)``, but with SHA-1 too.
        public static func rsaPSS(
            _ hash: HashAlgorithm,
            mgf: HashAlgorithm? = nil,
            saltLength: Int
        ) throws(CryptoError) -> SignatureAlgorithm {
            guard (0...1024).contains(saltLength) else {
                throw CryptoError(.invalidParameter, "a PSS salt of \(saltLength) bytes is not between 0 and 1024")
            }
            return SignatureAlgorithm(.rsaPSS(hash, mgf: mgf ?? hash, saltLength: saltLength))
        }
    }

    /// The hash function that is applied to the message first, or nil if the algorithm takes the whole message.
    public var hash: HashAlgorithm? {
        switch kind {
        case .ecdsa(let hash), .rsaPKCS1(let hash), .rsaPSS(let hash, _, _): hash
        case .ed25519, .ed448: nil
        }
    }

    /// The algorithm's name, such as `ECDSA-SHA256`, `Ed25519` or `RSASSA-PSS-SHA256`.
    public var name: String {
        switch kind {
        case .ecdsa(let hash): "ECDSA-\(Self.joined(hash))"
        case .ed25519: "Ed25519"
        case .ed448: "Ed448"
        case .rsaPKCS1(let hash): "RSASSA-PKCS1-v1_5-\(Self.joined(hash))"
        case .rsaPSS(let hash, let mgf, let salt) where mgf == hash && salt == hash.digestSize:
            "RSASSA-PSS-\(Self.joined(hash))"
        case .rsaPSS(let hash, let mgf, let salt):
            "RSASSA-PSS-\(Self.joined(hash))-MGF1-\(Self.joined(mgf))-salt\(salt)"
        }
    }

    /// The name.
    public var description: String { name }

    private static func joined(_ hash: HashAlgorithm) -> String {
        hash.name.filter { $0 != "-" }
    }
}
