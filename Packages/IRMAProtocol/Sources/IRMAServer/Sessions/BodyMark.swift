import CryptoCore

/// The mark by which a repeated body is recognized: its size, and a digest of it or a tag.
///
/// A mark is compared inside one session, for the wallet that was answered. A large body that was accepted has a tag of GMAC
/// (NIST SP 800-38D), which takes a fraction of a digest's time: another body with the same tag would bring that wallet its own
/// answer again. The key is drawn for one body and goes with the tag, so that every process at the store can compare. A large
/// body that was refused has a digest of its two ends, so that a refusal costs no pass over it: another body with the same ends
/// would bring that wallet its own refusal again. Small bodies have a digest in SHA-256, which needs no key.
struct BodyMark: Hashable, Sendable {
    /// The size of the body in bytes.
    let size: Int
    /// A digest, the first half of a digest of the ends, or a key and then the tag.
    let bytes: [UInt8]

    /// The largest accepted body in bytes that has a digest.
    static let digestedSize = 32 << 10
    /// The number of bytes at each end of a refused body that its digest covers.
    static let endSize = 2 << 10

    private static let algorithm = AEADAlgorithm.aes256GCM
    private static let endsDigestSize = 16

    init(size: Int, bytes: [UInt8]) {
        self.size = size
        self.bytes = bytes
    }

    /// The mark of a body that was accepted or refused.
    init(of body: [UInt8], isRefused: Bool, using randomness: any RandomSource) {
        size = body.count
        if isRefused, body.count > 2 * Self.endSize {
            bytes = Self.endsDigest(of: body)
        } else if body.count > Self.digestedSize {
            let key = randomness.bytes(Self.algorithm.keySize)
            // Without a tag the body is recognized by nothing, and its repetition is another request.
            bytes = key + (Self.tag(of: body, key) ?? [])
        } else {
            bytes = HashAlgorithm.sha256.digest(of: body)
        }
    }

    /// Returns `true` for the body that the mark was made of.
    func matches(_ body: [UInt8]) -> Bool {
        // A body of another size need not be read.
        guard body.count == size else { return false }
        if bytes.count == Self.endsDigestSize, size > 2 * Self.endSize { return bytes == Self.endsDigest(of: body) }
        guard body.count > Self.digestedSize else { return bytes == HashAlgorithm.sha256.digest(of: body) }
        let key = Array(bytes.prefix(Self.algorithm.keySize))
        guard let tag = Self.tag(of: body, key) else { return false }
        return constantTimeEqual(tag, Array(bytes.dropFirst(key.count)))
    }

    private static func endsDigest(of body: [UInt8]) -> [UInt8] {
        Array(HashAlgorithm.sha256.digest(of: body.prefix(endSize) + body.suffix(endSize)).prefix(endsDigestSize))
    }

    /// The tag of a body, or nil for a key of another size.
    private static func tag(of body: [UInt8], _ key: [UInt8]) -> [UInt8]? {
        // One key tags one body: its nonce need not differ.
        let nonce = [UInt8](repeating: 0, count: algorithm.nonceSize)
        return try? algorithm.seal([UInt8](), key: key, nonce: nonce, additionalData: body).tag
    }
}
