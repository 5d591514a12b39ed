#if OpenSSL
import CCryptoCoreOpenSSL
import Crypto

/// AES in CCM mode (NIST SP 800-38C, RFC 3610), by libcrypto.
enum AESCCM {
    static func seal(
        _ plaintext: UnsafeRawBufferPointer,
        _ parameters: AEADParameters,
        _ additionalData: UnsafeRawBufferPointer
    ) throws(CryptoError) -> [UInt8] {
        try requireRepresentable(plaintext.count, additionalData.count, parameters)
        let context = try EVPCipherContext(parameters.ccmCipher(), .encrypt)
        let started =
            unsafe context.setNonceSize(parameters.nonce.count)
            && context.setTag(size: parameters.algorithm.tagSize, nil)
            && context.start(key: parameters.key, nonce: parameters.nonce)
            && context.announce(length: plaintext.count)
            && context.authenticate(additionalData)
        guard started else { throw parameters.engineRefused() }
        var sealed = [UInt8](repeating: 0, count: plaintext.count + parameters.algorithm.tagSize)
        let finished = unsafe sealed.withUnsafeMutableBytes { sealed in
            let tag = unsafe UnsafeMutableRawBufferPointer(rebasing: sealed.dropFirst(plaintext.count))
            return unsafe context.update(plaintext, into: sealed) == plaintext.count && context.readTag(into: tag)
        }
        guard finished else { throw parameters.engineRefused() }
        return sealed
    }

    static func open(
        _ ciphertext: UnsafeRawBufferPointer,
        _ tag: UnsafeRawBufferPointer,
        _ parameters: AEADParameters,
        _ additionalData: UnsafeRawBufferPointer
    ) throws(CryptoError) -> [UInt8] {
        try requireRepresentable(ciphertext.count, additionalData.count, parameters)
        let context = try EVPCipherContext(parameters.ccmCipher(), .decrypt)
        let started =
            unsafe context.setNonceSize(parameters.nonce.count)
            && context.setTag(size: tag.count, tag)
            && context.start(key: parameters.key, nonce: parameters.nonce)
            && context.announce(length: ciphertext.count)
            && context.authenticate(additionalData)
        guard started else { throw parameters.engineRefused() }
        // One byte more than the plaintext, so that an empty one has an address too.
        var plaintext = [UInt8](repeating: 0, count: ciphertext.count + 1)
        let written = unsafe plaintext.withUnsafeMutableBytes { unsafe context.update(ciphertext, into: $0) }
        guard written == ciphertext.count else { throw parameters.notAuthentic }
        plaintext.removeLast()
        return plaintext
    }

    /// Refuses a message whose length does not fit into the length field, which has what the nonce leaves of 15 bytes, and
    /// what libcrypto's lengths cannot count.
    private static func requireRepresentable(
        _ count: Int,
        _ additionalCount: Int,
        _ parameters: AEADParameters
    ) throws(CryptoError) {
        let lengthFieldSize = 15 - parameters.nonce.count
        guard UInt64(count) >> (8 * lengthFieldSize) == 0, count < Int32.max, additionalCount <= Int32.max else {
            throw CryptoError(
                .invalidLength,
                "\(parameters.algorithm) takes no message of \(count) bytes with \(additionalCount) bytes beside it"
            )
        }
    }
}

extension AEADParameters {
    fileprivate func ccmCipher() throws(CryptoError) -> EVPCipher {
        let cipher: EVPCipher? =
            switch algorithm.keySize {
            case 16: .aes128CCM
            case 24: .aes192CCM
            default: .aes256CCM
            }
        guard let cipher else { throw CryptoError(.unsupported, "libcrypto has no \(algorithm)") }
        return cipher
    }
}
#else
/// AES in CCM mode, which this build has no engine for.
enum AESCCM {
    static func seal(
        _ plaintext: UnsafeRawBufferPointer,
        _ parameters: AEADParameters,
        _ additionalData: UnsafeRawBufferPointer
    ) throws(CryptoError) -> [UInt8] {
        throw .needsOpenSSL(parameters.algorithm.name)
    }

    static func open(
        _ ciphertext: UnsafeRawBufferPointer,
        _ tag: UnsafeRawBufferPointer,
        _ parameters: AEADParameters,
        _ additionalData: UnsafeRawBufferPointer
    ) throws(CryptoError) -> [UInt8] {
        throw .needsOpenSSL(parameters.algorithm.name)
    }
}
#endif
