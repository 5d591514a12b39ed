@_exported public import CredentialWallet
public import SDJWTKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An SD-JWT VC in a wallet's store, verified when it was added.
public struct StoredSDJWT: Sendable, Identifiable {
    /// The store's name for the copy.
    public let id: String
    /// The credential with all of its Disclosures.
    public let sdJWT: SDJWT
}

/// The format of SD-JWT VCs in a wallet's store.
public struct SDJWTCopyFormat: CopyFormat {
    /// The limits that the credentials are read with.
    public let limits: SDJWTLimits

    /// A format with the limits that credentials are read with, the same as when they were added.
    public init(limits: SDJWTLimits = .default) {
        self.limits = limits
    }

    /// The collection of the SD-JWT VCs.
    public var credentials: StorageCollection { StorageCollection(4, "SD-JWT VCs") }
    /// The collection of their copies.
    public var copies: StorageCollection { StorageCollection(5, "copies of SD-JWT VCs") }

    /// The parts of a copy that the store keeps.
    public func parts(of copy: NewSDJWTCopy) -> CopyParts {
        var parts = CopyParts(
            type: copy.type,
            encoded: Array(copy.compact.utf8),
            keyHandle: copy.keyHandle,
            validFrom: copy.validFrom ?? .distantPast,
            validUntil: copy.validUntil ?? .distantFuture
        )
        parts.furtherTypes = copy.furtherTypes
        return parts
    }

    /// Reads a copy that the store kept.
    ///
    /// - Throws: `SDJWTError` as `SDJWT.init(compact:limits:)` does.
    public func copy(_ stored: StoredCopy) throws(SDJWTError) -> StoredSDJWT {
        StoredSDJWT(id: stored.id, sdJWT: try SDJWT(compact: stored.encoded, limits: limits))
    }
}

/// A wallet's SD-JWT VCs: several copies of each, counted as they are presented.
///
/// ```swift
/// let store = SDJWTCredentialStore(try FileCredentialStorage(path: path, key: keyFromKeychain))
/// let pid = try await store.add(copies, rotation: .once, refillThreshold: 2, at: Date())
/// let offer = try await store.copiesToPresent(ofTypes: ["urn:eudi:pid:1"], at: Date())
/// // … the wallet matches the query, and the holder decides: then count the chosen copies, and sign with their keys.
/// let handles = try await store.claim(chosen, at: Date())
/// ```
public typealias SDJWTCredentialStore = CredentialStore<SDJWTCopyFormat>

extension CredentialStore<SDJWTCopyFormat> {
    /// A store of SD-JWT VCs over a storage.
    ///
    /// - Parameters:
    ///   - storage: The place where the credentials are kept.
    ///   - limits: The limits that credentials are read with, the same as when they were added.
    public convenience init(_ storage: any CredentialStorage, limits: SDJWTLimits = .default) {
        self.init(storage, format: SDJWTCopyFormat(limits: limits))
    }
}

extension WalletCredential {
    /// The type of the credential, of an SD-JWT VC (`vct`).
    public var credentialType: String { type }
}
