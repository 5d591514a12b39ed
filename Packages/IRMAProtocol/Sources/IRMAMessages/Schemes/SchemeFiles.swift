public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The files of a scheme, as stored or fetched; nothing of them is verified.
public struct SchemeFiles: Hashable, Sendable {
    /// The name of the scheme, which is also that of its folder.
    public let scheme: SchemeIdentifier
    /// The bytes by path.
    public var files: [SchemePath: [UInt8]]

    /// Collects files.
    public init(scheme: SchemeIdentifier, files: [SchemePath: [UInt8]]) {
        self.scheme = scheme
        self.files = files
    }

    /// Collects the files of the scheme that their description names, whatever their folder is called.
    ///
    /// - Throws: ``IRMAError/Code/invalidScheme`` if there is no description; ``IRMAError/Code/malformedDescription`` and
    ///   ``IRMAError/Code/malformed`` for one without the name of a scheme.
    public init(described files: [SchemePath: [UInt8]]) throws(IRMAError) {
        let (json, xml) = (files[RequestorScheme.descriptionPath], files["description.xml"])
        guard let bytes = json ?? xml else {
            throw IRMAError(.invalidScheme, "the file is missing", path: ["description.xml"])
        }
        let path = json == nil ? "description.xml" : RequestorScheme.descriptionPath.text
        let scheme: SchemeIdentifier
        do throws(IRMAError) {
            scheme = try json == nil ? SchemeDescription.name(xml: bytes) : RequestorScheme.name(description: bytes)
            guard scheme.isWellFormed else { throw IRMAError(.malformedDescription, "no name of a scheme") }
        } catch {
            throw error.inside(path)
        }
        self.init(scheme: scheme, files: files)
    }

    /// A required file.
    func required(_ path: SchemePath) throws(IRMAError) -> [UInt8] {
        guard let bytes = files[path] else {
            throw IRMAError(.invalidScheme, "the file is missing", path: [scheme.text, path.text])
        }
        return bytes
    }

    /// The public key among the files, which proves nothing by itself.
    ///
    /// - Throws: ``IRMAError/Code/invalidScheme``.
    public func storedPublicKey() throws(IRMAError) -> PublicKey {
        let text = String(decoding: try required(.publicKey), as: UTF8.self)
        do {
            return try PublicKey(pem: text)
        } catch {
            throw IRMAError(.invalidScheme, "no public key", path: [scheme.text, "pk.pem"], cause: error)
        }
    }

    /// Verifies the signature over the index, and every file that the index names.
    ///
    /// The logos of a scheme of requestors are not in the index: those with another content than their name promises
    /// are left out.
    ///
    /// - Parameters:
    ///   - key: The pinned key of the scheme.
    ///   - limits: The limits of a scheme.
    /// - Throws: ``IRMAError/Code/invalidSchemeSignature``, ``IRMAError/Code/digestMismatch``,
    ///   ``IRMAError/Code/invalidScheme`` for a missing file, and the errors of ``SchemeIndex``.
    public func verified(
        by key: PublicKey,
        limits: SchemeLimits = .default
    ) throws(IRMAError) -> VerifiedSchemeFiles {
        let index = try SchemeIndex(decoding: required(.index), of: scheme, limits: limits)
        try index.requireSignature(required(.signature), by: key)
        var verified: [SchemePath: [UInt8]] = [:]
        var size = 0
        for path in index.digests.keys {
            let bytes = try required(path)
            size += bytes.count
            guard bytes.count <= limits.fileSize, size <= limits.totalSize else {
                throw IRMAError(
                    .limitExceeded,
                    "the file, or all of them, are too large",
                    path: [scheme.text, path.text]
                )
            }
            try index.requireDigest(of: bytes, at: path)
            verified[path] = bytes
        }
        var logos: [SchemePath: [UInt8]] = [:]
        for (path, bytes) in files where verified[RequestorScheme.descriptionPath] != nil {
            guard let digest = path.logoDigest, HashAlgorithm.sha256.isDigest(digest, of: bytes) else { continue }
            size += bytes.count
            guard size <= limits.totalSize else {
                throw IRMAError(.limitExceeded, "the files are too large", path: [scheme.text, path.text])
            }
            logos[path] = bytes
        }
        guard let timestamp = verified[.timestamp] else {
            throw IRMAError(.invalidScheme, "the index does not name the timestamp", path: [scheme.text])
        }
        return VerifiedSchemeFiles(
            scheme: scheme,
            files: verified,
            logos: logos,
            index: index,
            signature: try required(.signature),
            publicKey: key,
            time: try SchemeIndex.time(timestamp)
        )
    }
}

/// The files of a scheme that its owner signed; only ``SchemeFiles/verified(by:limits:)`` makes one.
public struct VerifiedSchemeFiles: Hashable, Sendable {
    /// The name of the scheme.
    public let scheme: SchemeIdentifier
    /// The files that the index names, by path.
    public let files: [SchemePath: [UInt8]]
    /// The logos of a scheme of requestors, each the picture whose SHA-256 is its name.
    public let logos: [SchemePath: [UInt8]]
    /// The index.
    public let index: SchemeIndex
    /// The signature over the index.
    public let signature: [UInt8]
    /// The key that the signature verifies with.
    public let publicKey: PublicKey
    /// The time of the signature, which only grows from version to version.
    public let time: Date

    /// The files with the index, its signature, the key and the logos, as they are stored.
    public var stored: SchemeFiles {
        var files = files.merging(logos) { file, _ in file }
        files[.index] = index.encodedBytes
        files[.signature] = signature
        files[.publicKey] = Array(publicKey.pem.utf8)
        return SchemeFiles(scheme: scheme, files: files)
    }
}
