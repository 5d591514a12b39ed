import CredentialWallet
import CryptoCore
import IRMAMessages

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A credential as a storage keeps it: a head with what the wallet notes about it, then the credential's own bytes.
///
/// The head: number of the form (1), flags (1), issuance in milliseconds since 1970 (8), last update of the witness in the
/// same unit (8, zero for none), key counter (8), length of the type's name (2), the name. Numbers are big-endian.
struct StoredCredential: Sendable {
    var type: CredentialTypeIdentifier
    var keyCounter: UInt64
    var issuedAt: Date
    var witnessUpdatedAt: Date?
    var isRevoked: Bool
    var credential: SecretBytes
    /// The version of the value in the storage; 1 as it is inserted.
    var version: UInt64

    private static let form: UInt8 = 1
    private static let fixedSize = 28

    init(
        type: CredentialTypeIdentifier,
        keyCounter: UInt64,
        issuedAt: Date,
        witnessUpdatedAt: Date?,
        isRevoked: Bool,
        credential: SecretBytes,
        version: UInt64 = 1
    ) {
        self.type = type
        self.keyCounter = keyCounter
        self.issuedAt = issuedAt
        self.witnessUpdatedAt = witnessUpdatedAt
        self.isRevoked = isRevoked
        self.credential = credential
        self.version = version
    }

    /// Reads a stored value.
    ///
    /// - Throws: ``WalletError/Code/storageDamaged``.
    init(decoding entry: StorageEntry) throws(WalletError) {
        let parsed: StoredCredential? = entry.value.withUnsafeBytes { bytes in
            guard bytes.count >= Self.fixedSize, bytes[0] == Self.form, bytes[1] <= 1 else { return nil }
            func number(_ offset: Int, _ size: Int) -> UInt64 {
                bytes[offset..<offset + size].reduce(0) { $0 << 8 | UInt64($1) }
            }
            let nameEnd = Self.fixedSize + Int(number(26, 2))
            guard nameEnd <= bytes.count,
                let name = String(validating: bytes[Self.fixedSize..<nameEnd], as: UTF8.self)
            else { return nil }
            return StoredCredential(
                type: CredentialTypeIdentifier(name),
                keyCounter: number(18, 8),
                issuedAt: Date(milliseconds: number(2, 8)),
                witnessUpdatedAt: number(10, 8) == 0 ? nil : Date(milliseconds: number(10, 8)),
                isRevoked: bytes[1] == 1,
                credential: SecretBytes(UnsafeRawBufferPointer(rebasing: bytes[nameEnd...])),
                version: entry.version
            )
        }
        guard let parsed else {
            throw WalletError(.storageDamaged, "the value is no stored credential", path: ["credentials"])
        }
        self = parsed
    }

    /// The value for the storage.
    func encoded() throws(WalletError) -> SecretBytes {
        guard let length = UInt16(exactly: type.text.utf8.count) else {
            throw WalletError(.storageFailed, "the name of the credential type is too long", path: ["credentials"])
        }
        func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
        let head =
            [Self.form, isRevoked ? 1 : 0] + bytes(issuedAt.milliseconds)
            + bytes(witnessUpdatedAt?.milliseconds ?? 0) + bytes(keyCounter) + bytes(length) + Array(type.text.utf8)
        return SecretBytes(count: head.count + credential.count) { buffer in
            buffer.copyBytes(from: head)
            credential.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: buffer[head.count...]).copyMemory(from: $0)
            }
        }
    }
}

extension Date {
    /// The time in whole milliseconds since 1970; zero for a time before.
    var milliseconds: UInt64 { UInt64(max(0, min(timeIntervalSince1970 * 1000, 9e15)).rounded()) }

    /// The time at whole milliseconds since 1970.
    init(milliseconds: UInt64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
