import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The version of a scheme that a store keeps, as far as an update depends on it.
///
/// A damaged version does not stand in the way of an update. Its key still counts, and so does its time where the signature
/// over it verifies: damage is no way to an older version or to another key.
struct KeptScheme {
    /// The files, or nil if they do not verify.
    let files: VerifiedSchemeFiles?
    /// Indicates files that verify and are a scheme with everything that belongs to it.
    let isReadable: Bool
    /// The key: the pinned one, or the one that is kept.
    let key: PublicKey
    /// The time of the signature, or nil if the damage left none that verifies.
    let time: Date?
    /// The URL in the description, or nil if it cannot be read.
    let url: String?

    /// The version of a scheme in a store, or nil if the scheme is not kept.
    ///
    /// - Parameter pinned: The pinned key; nil to trust the key that is kept.
    /// - Throws: ``IRMAError/Code/storageFailed``; ``IRMAError/Code/invalidScheme`` where no key is pinned and the kept one is
    ///   damaged; ``IRMAError/Code/invalidSchemeSignature`` for a version that another key than the pinned one has signed.
    static func version(
        of scheme: SchemeIdentifier,
        in store: any SchemeStore,
        pinned: PublicKey?,
        limits: SchemeLimits
    ) async throws(IRMAError) -> KeptScheme? {
        do throws(IRMAError) {
            let files = try await store.verifiedFiles(of: scheme, pinned: pinned, limits: limits)
            return files.map { KeptScheme($0, limits: limits) }
        } catch {
            guard let remains = try await store.remains(of: scheme) else { throw error }
            return try KeptScheme(damaged: remains, pinned: pinned, limits: limits)
        }
    }

    private init(_ files: VerifiedSchemeFiles, limits: SchemeLimits) {
        self.files = files
        isReadable =
            files.files[RequestorScheme.descriptionPath] != nil
            ? (try? RequestorScheme(files)) != nil : (try? IRMAScheme(files, limits: limits)) != nil
        key = files.publicKey
        time = files.time
        url = Self.url(in: files.files)
    }

    private init(damaged remains: SchemeFiles, pinned: PublicKey?, limits: SchemeLimits) throws(IRMAError) {
        let stored = try? remains.storedPublicKey()
        if let pinned, let stored, stored != pinned, remains.signedIndex(by: stored, limits: limits) != nil {
            throw IRMAError(
                .invalidSchemeSignature,
                "the version that is kept has another key",
                path: [remains.scheme.text]
            )
        }
        key = if let pinned { pinned } else { try remains.storedPublicKey() }
        files = nil
        isReadable = false
        url = Self.url(in: remains.files)
        guard let index = remains.signedIndex(by: key, limits: limits), let bytes = remains.files[.timestamp],
            (try? index.requireDigest(of: bytes, at: .timestamp)) != nil
        else {
            time = nil
            return
        }
        time = try? SchemeIndex.time(bytes)
    }

    private static func url(in files: [SchemePath: [UInt8]]) -> String? {
        if let description = files[RequestorScheme.descriptionPath] {
            return try? RequestorScheme.url(description: description)
        }
        return files["description.xml"].flatMap { try? SchemeDescription(xml: $0).url }
    }
}

extension SchemeFiles {
    /// The index, or nil if it is not one that a key has signed.
    func signedIndex(by key: PublicKey, limits: SchemeLimits) -> SchemeIndex? {
        guard let bytes = files[.index], let signature = files[.signature],
            let index = try? SchemeIndex(decoding: bytes, of: scheme, limits: limits),
            (try? index.requireSignature(signature, by: key)) != nil
        else { return nil }
        return index
    }
}
