import CryptoCore

/// The mark by which a repeated body is recognised: its size, and a digest of it or a tag.
///
/// A large body has a tag of GMAC (NIST SP 800-38D), which takes a fraction of a digest's time, and a small one a digest in
/// SHA-256, which needs no key. A tag is compared inside one session, for the wallet that was answered: another body with the
/// same tag would bring that wallet its own answer again. The key is drawn for one body and goes with the tag, so that every
/// process at the store can compare.
struct BodyMark: Hashable, Sendable {
    /// The size of the body in bytes.
    let size: Int
    /// A digest, or a key and then the tag.
    let bytes: [UInt8]

    /// The largest body in bytes that has a digest.
    static let digestedSize = 32 << 10

    private static let algorithm = AEADAlgorithm.aes256GCM

    init(size: Int, bytes: [UInt8]) {
        self.size = size
        self.bytes = bytes
    }

    /// The mark of a body.
    init(of body: [UInt8], using randomness: any RandomSource) {
        guard body.count > Self.digestedSize else {
            self.init(size: body.count, bytes: HashAlgorithm.sha256.digest(of: body))
            return
        }
        let key = randomness.bytes(Self.algorithm.keySize)
        // Without a tag the body is recognised by nothing, and its repetition is another request.
        self.init(size: body.count, bytes: key + (Self.tag(of: body, key) ?? []))
    }

    /// Returns `true` for the body that the mark was made of.
    func matches(_ body: [UInt8]) -> Bool {
        // A body of another size need not be read.
        guard body.count == size else { return false }
        guard body.count > Self.digestedSize else { return bytes == HashAlgorithm.sha256.digest(of: body) }
        let key = Array(bytes.prefix(Self.algorithm.keySize))
        guard let tag = Self.tag(of: body, key) else { return false }
        return constantTimeEqual(tag, Array(bytes.dropFirst(key.count)))
    }

    /// The tag of a body, or nil for a key of another size.
    private static func tag(of body: [UInt8], _ key: [UInt8]) -> [UInt8]? {
        // One key tags one body: its nonce need not differ.
        let nonce = [UInt8](repeating: 0, count: algorithm.nonceSize)
        return try? algorithm.seal([UInt8](), key: key, nonce: nonce, additionalData: body).tag
    }
}
