#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The concatenation key derivation function (NIST SP 800-56A, section 5.8.1), as JOSE uses it for ECDH-ES (RFC 7518,
/// section 4.6).
public enum ConcatKDF {
    /// Derives a key for JOSE's ECDH-ES, with SHA-256 (RFC 7518, section 4.6.2).
    ///
    /// - Parameters:
    ///   - sharedSecret: The result Z of the key agreement.
    ///   - algorithmID: For direct agreement the value of `enc`, with key wrapping the value of `alg`.
    ///   - partyUInfo: The decoded value of `apu`, or empty.
    ///   - partyVInfo: The decoded value of `apv`, or empty.
    ///   - length: The length of the key in bytes.
    /// - Throws: ``CryptoError/Code/invalidParameter`` for a length out of 1 to 2²⁹ − 1, and
    ///   ``CryptoError/Code/invalidLength`` for a field of 2³² bytes or more.
    public static func deriveKey(
        sharedSecret: some ContiguousBytes,
        algorithmID: String,
        partyUInfo: some ContiguousBytes = [UInt8](),
        partyVInfo: some ContiguousBytes = [UInt8](),
        length: Int
    ) throws(CryptoError) -> SecretBytes {
        let (bits, overflow) = length.multipliedReportingOverflow(by: 8)
        guard !overflow, let bits = UInt32(exactly: bits) else { throw unrepresentable(length) }
        var info: [UInt8] = []
        try append(Array(algorithmID.utf8), to: &info)
        try append(partyUInfo, to: &info)
        try append(partyVInfo, to: &info)
        info += bits.bigEndianBytes
        return try deriveKey(hash: .sha256, sharedSecret: sharedSecret, otherInfo: info, length: length)
    }

    /// Derives a key: the digests of counter, secret and other information, one after the other.
    ///
    /// - Parameters:
    ///   - hash: The hash function.
    ///   - sharedSecret: The result Z of the key agreement.
    ///   - otherInfo: The `OtherInfo` of the protocol, encoded.
    ///   - length: The length of the key in bytes.
    /// - Throws: ``CryptoError/Code/invalidParameter`` for a length out of 1 to (2³² − 1) digests.
    public static func deriveKey(
        hash: HashAlgorithm,
        sharedSecret: some ContiguousBytes,
        otherInfo: some ContiguousBytes,
        length: Int
    ) throws(CryptoError) -> SecretBytes {
        guard length >= 1, UInt32(exactly: (length - 1) / hash.digestSize + 1) != nil else {
            throw unrepresentable(length)
        }
        return unsafe SecretBytes(count: length) { key in
            for (index, start) in stride(from: 0, to: length, by: hash.digestSize).enumerated() {
                var hasher = HashAlgorithm.Hasher(hash)
                hasher.update(UInt32(index + 1).bigEndianBytes)
                hasher.update(sharedSecret)
                hasher.update(otherInfo)
                var digest = hasher.finalize()
                defer { wipe(&digest) }
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: key.dropFirst(start))
                unsafe rest.copyBytes(from: digest.prefix(rest.count))
            }
        }
    }

    /// Adds a field after its length.
    private static func append(_ field: some ContiguousBytes, to info: inout [UInt8]) throws(CryptoError) {
        guard let count = UInt32(exactly: field.byteCount) else {
            throw CryptoError(.invalidLength, "Concat KDF takes no field of \(field.byteCount) bytes")
        }
        info += count.bigEndianBytes
        unsafe field.withUnsafeBytes { unsafe info.append(contentsOf: $0) }
    }

    private static func unrepresentable(_ length: Int) -> CryptoError {
        CryptoError(.invalidParameter, "Concat KDF gives no key of \(length) bytes")
    }
}
