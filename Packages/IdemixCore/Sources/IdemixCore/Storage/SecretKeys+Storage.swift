public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension IdemixHolderSecretKey {
    /// The key for storage: 32 bytes, big-endian.
    public var encodedBytes: SecretBytes { value.secretBytes(paddedTo: SecretKeyStorage.byteCount) }

    /// Reads a stored key; the caller wipes the bytes.
    ///
    /// - Throws: ``IdemixError/Code/outOfRange`` for another length than 32 bytes.
    public init(decoding bytes: some ContiguousBytes) throws(IdemixError) {
        try self.init(SecretKeyStorage.read(bytes, named: "secretKey"))
    }
}

extension KeyshareSecret {
    /// The secret for storage: 32 bytes, big-endian.
    public var encodedBytes: SecretBytes { value.secretBytes(paddedTo: SecretKeyStorage.byteCount) }

    /// Reads a stored secret; the caller wipes the bytes.
    ///
    /// - Throws: ``IdemixError/Code/outOfRange`` for another length than 32 bytes.
    public init(decoding bytes: some ContiguousBytes) throws(IdemixError) {
        try self.init(SecretKeyStorage.read(bytes, named: "keyshareSecret"))
    }
}

/// The stored form of a secret key.
private enum SecretKeyStorage {
    static let byteCount = 32

    static func read(_ bytes: some ContiguousBytes, named name: String) throws(IdemixError) -> BigInteger {
        let bytes = SecretBytes(bytes)
        guard bytes.count == byteCount else {
            throw IdemixError(.outOfRange, "\(bytes.count) bytes, a stored key has \(byteCount)", path: [name])
        }
        return BigInteger(bytes)
    }
}
