#if OpenSSL
import CCryptoCoreOpenSSL
import Crypto

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

    /// Fetches a cipher by its name; nil if the library was built without it.
    private init?(_ name: String) {
        guard let pointer = unsafe withOwnErrorQueue({ unsafe EVP_CIPHER_fetch(nil, name, nil) }) else { return nil }
        unsafe self.pointer = pointer
    }
}

/// One run of a libcrypto cipher; freed, and wiped by libcrypto, at the end of its scope.
///
/// Every step returns `true` if libcrypto accepted it. At the end this thread's error queue is as it was before.
@safe
struct EVPCipherContext: ~Copyable {
    /// The direction of the operation.
    enum Direction: Int32 {
        case decrypt = 0
        case encrypt = 1
    }

    private let pointer: OpaquePointer

    /// Sets a cipher up without key and nonce, whose sizes can then be chosen.
    init(_ cipher: EVPCipher, _ direction: Direction) throws(CryptoError) {
        ERR_set_mark()
        do throws(CryptoError) {
            unsafe pointer = try Self.makeContext(cipher, direction)
        } catch {
            ERR_pop_to_mark()
            throw error
        }
    }

    private static func makeContext(
        _ cipher: EVPCipher,
        _ direction: Direction
    ) throws(CryptoError) -> OpaquePointer {
        guard let pointer = unsafe EVP_CIPHER_CTX_new() else {
            throw CryptoError(.engineFailure, "libcrypto has no memory for a cipher context")
        }
        unsafe EVP_CIPHER_CTX_set_flags(pointer, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW)
        let accepted = unsafe EVP_CipherInit_ex2(pointer, cipher.pointer, nil, nil, direction.rawValue, nil)
        guard accepted == 1 else {
            unsafe EVP_CIPHER_CTX_free(pointer)
            throw CryptoError(.engineFailure, "libcrypto refused to set a cipher up")
        }
        return unsafe pointer
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(pointer)
        ERR_pop_to_mark()
    }

    /// Chooses the size of the nonce.
    func setNonceSize(_ size: Int) -> Bool {
        unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_IVLEN, Int32(clamping: size), nil) == 1
    }

    /// Chooses the size of the tag, and for decryption the tag to expect.
    func setTag(size: Int, _ expected: UnsafeRawBufferPointer?) -> Bool {
        let tag = unsafe UnsafeMutableRawPointer(mutating: expected?.baseAddress)
        return unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_TAG, Int32(clamping: size), tag) == 1
    }

    /// Hands the key in, and the nonce where the cipher has one.
    func start(key: SymmetricKey, nonce: [UInt8]? = nil) -> Bool {
        unsafe key.withUnsafeBytes { key in
            let key = unsafe key.octets
            return unsafe EVP_CipherInit_ex2(pointer, nil, key, nonce, -1, nil) == 1
        }
    }

    /// Says how long the text will be, which CCM must know before anything else.
    func announce(length: Int) -> Bool {
        guard let length = Int32(exactly: length) else { return false }
        var written: Int32 = 0
        return unsafe EVP_CipherUpdate(pointer, nil, &written, nil, length) == 1
    }

    /// Authenticates additional data.
    func authenticate(_ data: UnsafeRawBufferPointer) -> Bool {
        guard let count = Int32(exactly: data.count) else { return false }
        guard count > 0 else { return true }
        var written: Int32 = 0
        let start = unsafe data.octets
        return unsafe EVP_CipherUpdate(pointer, nil, &written, start, count) == 1
    }

    /// Encrypts or decrypts a text, and answers how many bytes that gave; nil if libcrypto refused.
    ///
    /// - Parameter output: Not empty, and as long as the cipher's output at least.
    func update(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int? {
        guard let count = Int32(exactly: input.count) else { return nil }
        var written: Int32 = 0
        let target = unsafe output.assumingMemoryBound(to: UInt8.self).baseAddress
        // An empty text may have no address, and libcrypto would take that for the announcement of a length.
        let source = unsafe input.octets ?? UnsafePointer(target)
        guard unsafe EVP_CipherUpdate(pointer, target, &written, source, count) == 1 else { return nil }
        return Int(written)
    }

    /// Writes the tag that belongs to what was encrypted.
    func readTag(into tag: UnsafeMutableRawBufferPointer) -> Bool {
        let size = Int32(clamping: tag.count)
        return unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_GET_TAG, size, tag.baseAddress) == 1
    }
}
#endif
