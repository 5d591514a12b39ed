import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
