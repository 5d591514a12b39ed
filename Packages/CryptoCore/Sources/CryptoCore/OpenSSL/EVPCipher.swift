#if OpenSSL
import CCryptoCoreOpenSSL

/// A cipher of libcrypto, fetched once for the life of the process.
///
/// `@unchecked Sendable`: libcrypto does not change an algorithm after it was fetched.
@safe
struct EVPCipher: @unchecked Sendable {
    let pointer: OpaquePointer

    static let aes128CCM = EVPCipher("AES-128-CCM")
    static let aes192CCM = EVPCipher("AES-192-CCM")
    static let aes256CCM = EVPCipher("AES-256-CCM")
    static let aes128WrapWithPadding = EVPCipher("AES-128-WRAP-PAD")
    static let aes192WrapWithPadding = EVPCipher("AES-192-WRAP-PAD")
    static let aes256WrapWithPadding = EVPCipher("AES-256-WRAP-PAD")

    /// Fetches a cipher by its name; nil where the library was built without it.
    private init?(_ name: String) {
        guard let pointer = unsafe withOwnErrorQueue({ unsafe EVP_CIPHER_fetch(nil, name, nil) }) else { return nil }
        unsafe self.pointer = pointer
    }
}
#endif
