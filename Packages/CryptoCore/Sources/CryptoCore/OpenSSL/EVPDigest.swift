#if OpenSSL
import CCryptoCoreOpenSSL

/// A digest of libcrypto, fetched once for the whole process: fetching by name costs more than hashing.
///
/// `@unchecked Sendable`: an `EVP_MD` is never changed after it was fetched.
@safe
final class EVPDigest: @unchecked Sendable {
    let pointer: OpaquePointer?

    private init(_ name: String) {
        unsafe pointer = withOwnErrorQueue { unsafe EVP_MD_fetch(nil, name, nil) }
    }

    deinit {
        unsafe EVP_MD_free(pointer)
    }

    private static let sha1 = EVPDigest("SHA1")
    private static let sha256 = EVPDigest("SHA256")
    private static let sha384 = EVPDigest("SHA384")
    private static let sha512 = EVPDigest("SHA512")

    /// libcrypto's form of a hash function.
    static func of(_ hash: HashAlgorithm) -> EVPDigest {
        switch hash.kind {
        case .sha1: sha1
        case .sha256: sha256
        case .sha384: sha384
        case .sha512: sha512
        }
    }
}

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
