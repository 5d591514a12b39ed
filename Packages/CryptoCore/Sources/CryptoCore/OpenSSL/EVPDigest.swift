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
#endif
