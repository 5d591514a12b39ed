#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A message authentication code with all its parameters fixed: the hash function or cipher, and the size of the tag.
///
/// The set is open: COSE's algorithms (RFC 9053, section 3) are static members, ``hmac(_:tagSize:)`` and
/// ``aesCMAC(keySize:tagSize:)`` make further ones. Sizes are in bytes.
public struct MACAlgorithm: Hashable, Sendable, CustomStringConvertible {
    private enum Mode: Hashable, Sendable {
        case hmac(HashAlgorithm)
        case aesCBCMAC
        case aesCMAC
    }

    /// The name in its standard, such as `HMAC 256/64` or `AES-MAC 128/64`.
    public let name: String
    /// The size of the key in bytes; nil for HMAC, which takes a key of any length but none.
    public let keySize: Int?
    /// The size of the tag in bytes.
    public let tagSize: Int

    private let mode: Mode

    private init(_ name: String, _ mode: Mode, keySize: Int? = nil, tagSize: Int) {
        self.name = name
        self.mode = mode
        self.keySize = keySize
        self.tagSize = tagSize
    }

    /// The name.
    public var description: String { name }

    /// HMAC with SHA-256, cut off to 8 bytes (COSE 4).
    public static let hmac256_64 = hmac(.sha256, cutOffTo: 8)
    /// HMAC with SHA-256 (COSE 5, JOSE `HS256`).
    public static let hmac256_256 = hmac(.sha256, cutOffTo: 32)
    /// HMAC with SHA-384 (COSE 6, JOSE `HS384`).
    public static let hmac384_384 = hmac(.sha384, cutOffTo: 48)
    /// HMAC with SHA-512 (COSE 7, JOSE `HS512`).
    public static let hmac512_512 = hmac(.sha512, cutOffTo: 64)

    /// AES-CBC-MAC with a 128-bit key and a tag of 8 bytes (COSE 14).
    public static let aesMAC128_64 = MACAlgorithm("AES-MAC 128/64", .aesCBCMAC, keySize: 16, tagSize: 8)
    /// AES-CBC-MAC with a 256-bit key and a tag of 8 bytes (COSE 15).
    public static let aesMAC256_64 = MACAlgorithm("AES-MAC 256/64", .aesCBCMAC, keySize: 32, tagSize: 8)
    /// AES-CBC-MAC with a 128-bit key and a tag of 16 bytes (COSE 25).
    public static let aesMAC128_128 = MACAlgorithm("AES-MAC 128/128", .aesCBCMAC, keySize: 16, tagSize: 16)
    /// AES-CBC-MAC with a 256-bit key and a tag of 16 bytes (COSE 26).
    public static let aesMAC256_128 = MACAlgorithm("AES-MAC 256/128", .aesCBCMAC, keySize: 32, tagSize: 16)

    /// HMAC cut off to a number of bytes.
    ///
    /// - Parameters:
    ///   - hash: The hash function.
    ///   - tagSize: From 8 bytes up to the size of the digest.
    /// - Throws: ``CryptoError/Code/invalidParameter`` for any other size.
    public static func hmac(_ hash: HashAlgorithm, tagSize: Int) throws(CryptoError) -> MACAlgorithm {
        guard (8...hash.digestSize).contains(tagSize) else {
            throw CryptoError(.invalidParameter, "HMAC with \(hash) has no tag of \(tagSize) bytes")
        }
        return hmac(hash, cutOffTo: tagSize)
    }

    /// AES-CMAC (NIST SP 800-38B) with a key of 16, 24 or 32 bytes, cut off to 8 to 16 bytes.
    ///
    /// - Throws: ``CryptoError/Code/invalidParameter`` for any other size.
    public static func aesCMAC(keySize: Int, tagSize: Int = 16) throws(CryptoError) -> MACAlgorithm {
        guard [16, 24, 32].contains(keySize), (8...16).contains(tagSize) else {
            throw CryptoError(
                .invalidParameter,
                "AES-CMAC has no key of \(keySize) and tag of \(tagSize) bytes"
            )
        }
        return MACAlgorithm("AES-CMAC \(keySize * 8)/\(tagSize * 8)", .aesCMAC, keySize: keySize, tagSize: tagSize)
    }

    /// The tag of a message: ``tagSize`` bytes.
    ///
    /// - Throws: ``CryptoError/Code/invalidLength`` for a key of another size than ``keySize``, or none at all.
    public func authenticationCode(
        for message: some ContiguousBytes,
        key: some ContiguousBytes
    ) throws(CryptoError) -> [UInt8] {
        try requireKeySize(key.byteCount)
        let code =
            switch mode {
            case .hmac(let hash): HMAC.authenticationCode(for: message, key: key, hash: hash)
            case .aesCBCMAC: try AESCBCMAC.authenticationCode(for: message, key: key)
            case .aesCMAC: try AESCMAC.authenticationCode(for: message, key: key)
            }
        return [UInt8](code.prefix(tagSize))
    }

    /// Returns `true` if a tag is the message's, in a time that does not depend on where it differs.
    ///
    /// A tag of another size than ``tagSize`` is not valid: a shorter one would be easier to guess.
    ///
    /// - Throws: ``CryptoError/Code/invalidLength`` for a key of another size than ``keySize``, or none at all.
    public func isValid(
        _ tag: some ContiguousBytes,
        for message: some ContiguousBytes,
        key: some ContiguousBytes
    ) throws(CryptoError) -> Bool {
        constantTimeEqual(tag, try authenticationCode(for: message, key: key))
    }

    private static func hmac(_ hash: HashAlgorithm, cutOffTo tagSize: Int) -> MACAlgorithm {
        let name = hash == .sha1 ? hash.name : String(hash.digestSize * 8)
        return MACAlgorithm("HMAC \(name)/\(tagSize * 8)", .hmac(hash), tagSize: tagSize)
    }

    private func requireKeySize(_ count: Int) throws(CryptoError) {
        if let keySize {
            try CryptoError.requireLength(count, of: "key", for: name, equals: keySize)
        } else if count == 0 {
            throw CryptoError(.invalidLength, "\(name): the key is empty")
        }
    }
}
