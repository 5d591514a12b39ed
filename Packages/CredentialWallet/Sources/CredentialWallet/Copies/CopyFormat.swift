public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A credential format, as a ``CredentialStore`` reads and writes it.
public protocol CopyFormat: Sendable {
    /// A copy to add: verified, and bound to a key of the wallet's.
    associatedtype NewCopy: Sendable
    /// A copy as the wallet presents it.
    associatedtype Copy: Sendable

    /// The collection of the format's credentials, which no other format of the same storage has.
    var credentials: StorageCollection { get }
    /// The collection of the format's copies, which no other format of the same storage has.
    var copies: StorageCollection { get }

    /// The parts of a copy that the store keeps.
    func parts(of copy: NewCopy) -> CopyParts

    /// Reads a copy that the store kept.
    ///
    /// - Throws: Any error for bytes that cannot be read: the store refuses to add them, and lists them as unreadable later.
    func copy(_ stored: StoredCopy) throws -> Copy
}

/// The use of the key that a copy is bound to.
public enum CopyKeyUsage: Hashable, Sendable {
    /// Signatures.
    case signature
    /// Key agreement, for MACs.
    case agreement
}

/// The parts of a copy to store.
public struct CopyParts: Sendable {
    /// The type of the credential, as its format names it.
    public var type: String
    /// Further types that the credential is of, as its format names them; none by default.
    public var furtherTypes: [String] = []
    /// The credential as the issuer signed it.
    public var encoded: [UInt8]
    /// The use of the key that the copy is bound to.
    public var keyUsage: CopyKeyUsage
    /// The wallet's handle of the private key, up to 64 KiB.
    public var keyHandle: SecretBytes
    /// The first moment of the copy's validity; the distant past for a copy that names none.
    public var validFrom: Date
    /// The last moment of the copy's validity; the distant future for a copy that names none.
    public var validUntil: Date
    /// When the issuer expects to issue the credential again, perhaps with other data; nil if it does not say.
    public var expectedUpdate: Date?

    /// Describes a copy.
    public init(
        type: String,
        encoded: [UInt8],
        keyUsage: CopyKeyUsage = .signature,
        keyHandle: SecretBytes,
        validFrom: Date = .distantPast,
        validUntil: Date = .distantFuture,
        expectedUpdate: Date? = nil
    ) {
        self.type = type
        self.encoded = encoded
        self.keyUsage = keyUsage
        self.keyHandle = keyHandle
        self.validFrom = validFrom
        self.validUntil = validUntil
        self.expectedUpdate = expectedUpdate
    }
}

/// A copy of a store, for its format to read.
public struct StoredCopy: Sendable {
    /// The store's name for the copy: `CREDENTIAL/NUMBER`.
    public let id: String
    /// The credential as the issuer signed it.
    public let encoded: [UInt8]
    /// The use of the key that the copy is bound to.
    public let keyUsage: CopyKeyUsage
}
