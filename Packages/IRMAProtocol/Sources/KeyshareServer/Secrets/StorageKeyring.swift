public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A key that accounts' records are sealed with.
public struct StorageKey: Sendable {
    /// The identifier, which a record names.
    public let id: UInt32
    /// The key of AES-256.
    let key: SecretBytes

    /// The size of a key's file in bytes.
    public static let fileSize = 36

    /// A key.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/invalidStorageKey`` for another length than 32 bytes.
    public init(id: UInt32, key: SecretBytes) throws(KeyshareServerError) {
        guard key.count == 32 else {
            throw KeyshareServerError(.invalidStorageKey, "a key has 32 bytes, not \(key.count)", path: ["\(id)"])
        }
        self.id = id
        self.key = key
    }

    /// Reads the content of a key's file: 4 bytes of identifier, the least significant first, and 32 bytes of key.
    ///
    /// The caller wipes the bytes.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/invalidStorageKey`` for another length.
    public init(decoding file: some ContiguousBytes) throws(KeyshareServerError) {
        let file = SecretBytes(file)
        guard file.count == Self.fileSize else {
            throw KeyshareServerError(
                .invalidStorageKey,
                "the file of a key has \(Self.fileSize) bytes, not \(file.count)"
            )
        }
        id = file.withUnsafeBytes { bytes in
            (0..<4).reduce(0) { $0 | UInt32(bytes[$1]) << UInt32(8 * $1) }
        }
        key = file.withUnsafeBytes { bytes in
            SecretBytes(count: 32) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.dropFirst(4))) }
        }
    }

    /// A fresh key.
    public static func random(id: UInt32, using random: some RandomSource = .system) -> StorageKey {
        StorageKey(id: id, checked: SecretBytes.random(count: 32, using: random))
    }

    private init(id: UInt32, checked key: SecretBytes) {
        self.id = id
        self.key = key
    }

    /// The content of the key's file.
    public var encodedBytes: SecretBytes {
        SecretBytes(count: Self.fileSize) { file in
            for (position, byte) in id.littleEndianBytes.enumerated() { file[position] = byte }
            key.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: file.dropFirst(4)).copyMemory(from: $0) }
        }
    }
}

/// The storage keys of a server: one that writes, and others that still read.
///
/// To rotate, give every process the new key as a reading one first, then make it the writing key everywhere. Records are
/// written with it at the next login or change of PIN; drop the old key when no record names it any more.
public struct StorageKeyring: Sendable {
    /// The key that writes.
    public let writing: StorageKey
    private let keys: [UInt32: StorageKey]

    /// A ring of keys.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/invalidStorageKey`` for two different keys with one identifier.
    public init(writing: StorageKey, reading others: [StorageKey] = []) throws(KeyshareServerError) {
        var keys = [writing.id: writing]
        for other in others {
            guard keys[other.id].map({ $0.key == other.key }) ?? true else {
                throw KeyshareServerError(.invalidStorageKey, "two keys with one identifier", path: ["\(other.id)"])
            }
            keys[other.id] = other
        }
        self.writing = writing
        self.keys = keys
    }

    /// The key with an identifier.
    func key(_ id: UInt32) throws(KeyshareServerError) -> StorageKey {
        guard let key = keys[id] else {
            throw KeyshareServerError(.unknownStorageKey, "sealed with an unknown key", path: ["\(id)"])
        }
        return key
    }
}

extension UInt32 {
    /// The four bytes, the least significant first.
    var littleEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> UInt32(8 * $0)) } }

    /// The number of four bytes, the least significant first; nil for another count.
    init?(littleEndianBytes bytes: some Collection<UInt8>) {
        guard bytes.count == 4 else { return nil }
        self = bytes.enumerated().reduce(0) { $0 | UInt32($1.element) << UInt32(8 * $1.offset) }
    }
}
