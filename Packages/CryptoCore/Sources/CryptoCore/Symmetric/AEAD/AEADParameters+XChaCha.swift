import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AEADParameters {
    /// The subkey and the 96-bit nonce that XChaCha20-Poly1305 hands to ChaCha20-Poly1305
    /// (draft-irtf-cfrg-xchacha-03, section 2.3).
    func reducedFromXChaCha() throws(CryptoError) -> AEADParameters {
        let subkey = try hChaCha20(nonce.prefix(16))
        let nonce = [0, 0, 0, 0] + nonce.suffix(8)
        return try AEADParameters(.chaCha20Poly1305, key: subkey, nonce: nonce)
    }

    /// HChaCha20 (section 2.2): the outer words of the ChaCha20 state after its rounds.
    ///
    /// A block of key stream is that state plus the state before the rounds. Words 0–3 went in as constants and words
    /// 12–15 as the nonce, so the engine's block minus those is what is wanted.
    private func hChaCha20(_ nonce: ArraySlice<UInt8>) throws(CryptoError) -> SecretBytes {
        var block = try keyStreamBlock(nonce)
        defer { block.resetBytes(in: block.indices) }
        let before = Array("expand 32-byte k".utf8) + nonce
        let after = SecretBytes(block.prefix(16) + block.suffix(16))
        return unsafe after.withUnsafeBytes { after in
            unsafe SecretBytes(count: 32) { subkey in
                for offset in stride(from: 0, to: 32, by: 4) {
                    let input = unsafe before.withUnsafeBytes { unsafe $0.littleEndianWord(at: offset) }
                    let word = unsafe after.littleEndianWord(at: offset) &- input
                    unsafe subkey.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt32.self)
                }
            }
        }
    }

    /// The block of ChaCha20 key stream whose counter and nonce are the given 16 bytes (RFC 8439, section 2.3).
    private func keyStreamBlock(_ nonce: ArraySlice<UInt8>) throws(CryptoError) -> Data {
        do {
            return try Insecure.ChaCha20CTR.encrypt(
                [UInt8](repeating: 0, count: 64),
                using: key,
                counter: Insecure.ChaCha20CTR.Counter(data: nonce.prefix(4)),
                nonce: Insecure.ChaCha20CTR.Nonce(data: nonce.dropFirst(4))
            )
        } catch {
            throw engineRefused(error)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The 32-bit word at an offset, least significant byte first.
    fileprivate func littleEndianWord(at offset: Int) -> UInt32 {
        UInt32(littleEndian: unsafe loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
