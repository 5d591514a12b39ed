public import CryptoCore

/// The place where schemes are kept.
///
/// An implementation replaces a scheme as a whole: whatever interrupts it, either the old version or the new one is
/// stored afterwards.
public protocol SchemeStore: Sendable {
    /// The names of the schemes that are kept.
    ///
    /// - Throws: ``IRMAError/Code/storageFailed``.
    func schemes() async throws(IRMAError) -> [SchemeIdentifier]

    /// The files of a scheme, or nil if it is not kept: the index, its signature, the key, and what the index names.
    ///
    /// - Throws: ``IRMAError/Code/storageFailed``, ``IRMAError/Code/limitExceeded``, and the errors of ``SchemeIndex``.
    func files(of scheme: SchemeIdentifier) async throws(IRMAError) -> SchemeFiles?

    /// Puts a version of a scheme in the place of the one that is kept, if any.
    ///
    /// - Parameters:
    ///   - files: The new version.
    ///   - unsigned: Files that the index does not name, such as the private keys of a demo scheme. Others of this kind that
    ///     are kept stay.
    /// - Throws: ``IRMAError/Code/storageFailed``; then the old version is still there.
    func replace(
        with files: VerifiedSchemeFiles,
        unsigned: [SchemePath: [UInt8]]
    ) async throws(IRMAError)

    /// What can still be read of a scheme whose files are damaged: the index, its signature, the key, the timestamp and the
    /// description, as far as they are there; nil if none of them is.
    ///
    /// By default all files.
    ///
    /// - Throws: ``IRMAError/Code/storageFailed`` for a file that is there and cannot be read.
    func remains(of scheme: SchemeIdentifier) async throws(IRMAError) -> SchemeFiles?

    /// Returns `true` if a file that the index does not name is kept, such as a private key; by default `false`.
    ///
    /// - Throws: ``IRMAError/Code/invalidPath``, ``IRMAError/Code/storageFailed``.
    func hasUnsignedFile(_ path: SchemePath, of scheme: SchemeIdentifier) async throws(IRMAError) -> Bool
}

extension SchemeStore {
    /// All files of a scheme, or nil if it is not kept.
    ///
    /// - Throws: As ``files(of:)``.
    public func remains(of scheme: SchemeIdentifier) async throws(IRMAError) -> SchemeFiles? {
        try await files(of: scheme)
    }

    /// Returns `false`: the store does not tell.
    public func hasUnsignedFile(_ path: SchemePath, of scheme: SchemeIdentifier) async throws(IRMAError) -> Bool {
        false
    }

    /// Puts a version of a scheme in the place of the one that is kept, if any.
    ///
    /// - Throws: ``IRMAError/Code/storageFailed``; then the old version is still there.
    public func replace(with files: VerifiedSchemeFiles) async throws(IRMAError) {
        try await replace(with: files, unsigned: [:])
    }

    /// The verified files of a scheme, or nil if it is not kept.
    ///
    /// - Parameters:
    ///   - scheme: The scheme.
    ///   - key: The pinned key of the scheme; nil to trust the key that is kept with it.
    ///   - limits: The limits of a scheme.
    /// - Throws: The errors of ``files(of:)`` and ``SchemeFiles/verified(by:limits:)``.
    public func verifiedFiles(
        of scheme: SchemeIdentifier,
        pinned key: PublicKey? = nil,
        limits: SchemeLimits = .default
    ) async throws(IRMAError) -> VerifiedSchemeFiles? {
        guard let files = try await files(of: scheme) else { return nil }
        do throws(IRMAError) {
            let key: PublicKey = if let key { key } else { try files.storedPublicKey() }
            return try files.verified(by: key, limits: limits)
        } catch {
            throw error.inside(scheme.text)
        }
    }
}

/// Schemes in memory.
public actor InMemorySchemeStore: SchemeStore {
    private var kept: [SchemeIdentifier: SchemeFiles] = [:]
    private var unsigned: [SchemeIdentifier: [SchemePath: [UInt8]]] = [:]

    /// A store with schemes.
    public init(_ schemes: [SchemeFiles] = []) {
        kept = Dictionary(schemes.map { ($0.scheme, $0) }, uniquingKeysWith: { $1 })
    }

    /// The names of the schemes that are kept.
    public func schemes() -> [SchemeIdentifier] { kept.keys.sorted() }

    /// The files of a scheme, or nil if it is not kept.
    public func files(of scheme: SchemeIdentifier) -> SchemeFiles? { kept[scheme] }

    /// Puts a version of a scheme in the place of the one that is kept, if any.
    public func replace(with files: VerifiedSchemeFiles, unsigned: [SchemePath: [UInt8]]) {
        kept[files.scheme] = files.stored
        self.unsigned[files.scheme, default: [:]].merge(unsigned) { $1 }
    }

    /// Returns `true` if a file that the index does not name is kept.
    public func hasUnsignedFile(_ path: SchemePath, of scheme: SchemeIdentifier) async -> Bool {
        unsigned[scheme]?[path] != nil
    }

    /// The files of a scheme that its index does not name.
    public func unsignedFiles(of scheme: SchemeIdentifier) -> [SchemePath: [UInt8]] { unsigned[scheme] ?? [:] }
}
