#if OpenSSL
import CCryptoCoreOpenSSL

extension HashAlgorithm {
    /// Lends libcrypto's digest of a message to a closure, without an allocation; nil if libcrypto has none.
    @inline(__always)
    func withLibcryptoDigest<Result>(
        of message: UnsafeRawBufferPointer,
        followedBy rest: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result? {
        try unsafe withUnsafeTemporaryAllocation(byteCount: digestSize, alignment: 8) { digest in
            guard unsafe writeDigest(of: message, followedBy: rest, to: digest.baseAddress) else { return nil }
            return try unsafe body(UnsafeRawBufferPointer(digest))
        }
    }

    /// Writes the digest, for which there must be room, and tells whether that was possible.
    private func writeDigest(
        of message: UnsafeRawBufferPointer,
        followedBy rest: UnsafeRawBufferPointer,
        to digest: UnsafeMutableRawPointer?
    ) -> Bool {
        let function: (cryptocore_message, UnsafeMutablePointer<UInt8>?) -> Int32
        switch kind {
        case .sha1: return false
        case .sha256: unsafe function = cryptocore_sha256
        case .sha384: unsafe function = cryptocore_sha384
        case .sha512: unsafe function = cryptocore_sha512
        }
        let pieces = unsafe cryptocore_message(
            start: message.baseAddress,
            size: message.count,
            rest: rest.baseAddress,
            rest_size: rest.count
        )
        return unsafe function(pieces, digest?.assumingMemoryBound(to: UInt8.self)) == 1
    }
}
#endif
