extension HPKE {
    /// A key derivation function (section 7.2).
    public struct KDF: Hashable, Sendable, CustomStringConvertible {
        /// The number in IANA's registry "HPKE KDF Identifiers".
        public let identifier: UInt16

        let hash: HashAlgorithm

        private init(_ identifier: UInt16, _ hash: HashAlgorithm) {
            self.identifier = identifier
            self.hash = hash
        }

        /// HKDF with SHA-256.
        public static let hkdfSHA256 = KDF(0x0001, .sha256)
        /// HKDF with SHA-384.
        public static let hkdfSHA384 = KDF(0x0002, .sha384)
        /// HKDF with SHA-512.
        public static let hkdfSHA512 = KDF(0x0003, .sha512)

        /// The function with a number of IANA's registry, or nil for one that is not here.
        public init?(identifier: UInt16) {
            let all: [KDF] = [.hkdfSHA256, .hkdfSHA384, .hkdfSHA512]
            guard let found = all.first(where: { $0.identifier == identifier }) else { return nil }
            self = found
        }

        /// The name in that registry, such as `HKDF-SHA256`.
        public var name: String { "HKDF-SHA\(hash.digestSize * 8)" }

        /// The name.
        public var description: String { name }
    }
}
