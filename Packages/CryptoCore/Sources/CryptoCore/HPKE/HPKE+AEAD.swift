extension HPKE {
    /// An encryption algorithm (section 7.3).
    public struct AEAD: Hashable, Sendable, CustomStringConvertible {
        /// The number in IANA's registry "HPKE AEAD Identifiers".
        public let identifier: UInt16
        /// The name in that registry, such as `AES-128-GCM`.
        public let name: String

        /// The algorithm; nil if secrets are exported and nothing is encrypted.
        let algorithm: AEADAlgorithm?

        private init(_ identifier: UInt16, _ name: String, _ algorithm: AEADAlgorithm?) {
            self.identifier = identifier
            self.name = name
            self.algorithm = algorithm
        }

        /// AES-128-GCM.
        public static let aes128GCM = AEAD(0x0001, "AES-128-GCM", .aes128GCM)
        /// AES-256-GCM.
        public static let aes256GCM = AEAD(0x0002, "AES-256-GCM", .aes256GCM)
        /// ChaCha20-Poly1305.
        public static let chaCha20Poly1305 = AEAD(0x0003, "ChaCha20Poly1305", .chaCha20Poly1305)
        /// None: the contexts export secrets only.
        public static let exportOnly = AEAD(0xffff, "Export-only", nil)

        /// The algorithm with a number of IANA's registry, or nil for one that is not here.
        public init?(identifier: UInt16) {
            let all: [AEAD] = [.aes128GCM, .aes256GCM, .chaCha20Poly1305, .exportOnly]
            guard let found = all.first(where: { $0.identifier == identifier }) else { return nil }
            self = found
        }

        /// The name.
        public var description: String { name }
    }
}
