extension HPKE {
    /// A key encapsulation mechanism that is a Diffie-Hellman exchange with an ephemeral key (section 7.1).
    public struct KEM: Hashable, Sendable, CustomStringConvertible {
        /// The number in IANA's registry "HPKE KEM Identifiers".
        public let identifier: UInt16
        /// The name in that registry, such as `DHKEM(P-256, HKDF-SHA256)`.
        public let name: String
        /// The curve of all keys.
        public let curve: EllipticCurve

        let hash: HashAlgorithm

        private init(_ identifier: UInt16, _ curve: EllipticCurve, _ hash: HashAlgorithm) {
            self.identifier = identifier
            self.curve = curve
            self.hash = hash
            name = "DHKEM(\(curve), HKDF-SHA\(hash.digestSize * 8))"
        }

        /// P-256 with HKDF-SHA256.
        public static let p256HKDFSHA256 = KEM(0x0010, .p256, .sha256)
        /// P-384 with HKDF-SHA384.
        public static let p384HKDFSHA384 = KEM(0x0011, .p384, .sha384)
        /// P-521 with HKDF-SHA512.
        public static let p521HKDFSHA512 = KEM(0x0012, .p521, .sha512)
        /// X25519 with HKDF-SHA256.
        public static let x25519HKDFSHA256 = KEM(0x0020, .x25519, .sha256)
        /// X448 with HKDF-SHA512; needs the trait `OpenSSL`.
        public static let x448HKDFSHA512 = KEM(0x0021, .x448, .sha512)

        private static let all = [
            p256HKDFSHA256, p384HKDFSHA384, p521HKDFSHA512, x25519HKDFSHA256, x448HKDFSHA512,
        ]

        /// The mechanism with a number of IANA's registry, or nil for one that is not here.
        public init?(identifier: UInt16) {
            guard let found = Self.all.first(where: { $0.identifier == identifier }) else { return nil }
            self = found
        }

        /// The name.
        public var description: String { name }

        /// The size in bytes of an encapsulated key, which is a public key: the `Nenc` of section 7.1.
        public var encapsulatedKeySize: Int {
            curve.family == .weierstrass ? 1 + 2 * curve.coordinateSize : curve.coordinateSize
        }
    }
}
