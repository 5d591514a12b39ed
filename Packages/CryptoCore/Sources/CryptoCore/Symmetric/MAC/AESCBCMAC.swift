import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// CBC-MAC with AES: the last block of the CBC encryption under a zero vector (RFC 9053, section 3.2).
///
/// Safe only where no message is the beginning of another, as COSE's `MAC_structure` arranges; ``AESCMAC`` has no such
/// condition. The message is filled up with zero bytes to whole blocks (ISO/IEC 9797-1, padding method 1).
public enum AESCBCMAC {
    private static let blockSize = 16

    /// The code of a message: 16 bytes, to be cut off as the protocol says.
    ///
    /// - Throws: ``CryptoError/Code/invalidLength`` for a key of other than 16, 24 or 32 bytes.
    public static func authenticationCode(
        for message: some ContiguousBytes,
        key: some ContiguousBytes
    ) throws(CryptoError) -> [UInt8] {
        try CryptoError.requireAESKeyLength(key.byteCount, for: "AES-CBC-MAC")
        var blocks = message.copied()
        let excess = blocks.count % blockSize
        if excess > 0 || blocks.isEmpty {
            blocks.append(contentsOf: repeatElement(0, count: blockSize - excess))
        }
        do {
            let zero = try AES._CBC.IV(ivBytes: [UInt8](repeating: 0, count: blockSize))
            let key = SymmetricKey(data: key)
            return [UInt8](try AES._CBC.encrypt(blocks, using: key, iv: zero, noPadding: true).suffix(blockSize))
        } catch {
            throw .engineRefused("AES-CBC-MAC", error)
        }
    }
}

/// CMAC with AES (NIST SP 800-38B, RFC 4493).
public enum AESCMAC {
    /// The code of a message: 16 bytes, to be cut off as the protocol says.
    ///
    /// - Throws: ``CryptoError/Code/invalidLength`` for a key of other than 16, 24 or 32 bytes.
    public static func authenticationCode(
        for message: some ContiguousBytes,
        key: some ContiguousBytes
    ) throws(CryptoError) -> [UInt8] {
        try CryptoError.requireAESKeyLength(key.byteCount, for: "AES-CMAC")
        do {
            var code = try AES.CMAC(key: SymmetricKey(data: key))
            unsafe message.withUnsafeBytes { unsafe code.update(bufferPointer: $0) }
            return code.finalize().copied()
        } catch {
            throw .engineRefused("AES-CMAC", error)
        }
    }
}
