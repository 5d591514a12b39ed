import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Schemes in a folder, one folder for each, laid out as the reference has them.
///
/// A new version is written beside the old one, and reaches the disk. Then the old one is moved away, and the new one into its
/// place; if the process ends in between, the old version comes back when the folder is opened. Files that the index does not
/// name, such as private keys, go along. One process at a time writes to a folder.
public actor SchemeDirectory: SchemeStore {
    /// The folder that holds the schemes' folders.
    public nonisolated let url: URL
    private let limits: SchemeLimits
    /// Called before each change of the file system; throws in tests, in the place of the end of the process.
    private let beforeChange: @Sendable () throws(IRMAError) -> Void

    private static let temporaryPrefix = ".tempscheme-"
    private static let oldPrefix = ".oldscheme-"

    /// Opens an existing folder: brings back what an interruption left moved away, and removes leftovers.
    ///
    /// - Throws: ``IRMAError/Code/storageFailed``.
    public init(opening url: URL, limits: SchemeLimits = .default) throws(IRMAError) {
        try self.init(opening: url, limits: limits, beforeChange: { () throws(IRMAError) in })
    }

    package init(
        opening url: URL,
        limits: SchemeLimits = .default,
        beforeChange: @escaping @Sendable () throws(IRMAError) -> Void
    ) throws(IRMAError) {
        self.url = url
        self.limits = limits
        self.beforeChange = beforeChange
        try Self.recover(url)
    }

    /// The names of the schemes: of the folders with an index, a description or a key, also if the rest is missing.
    public func schemes() throws(IRMAError) -> [SchemeIdentifier] {
        try storing(at: url) {
            try FileManager.default.contentsOfDirectory(atPath: url.path)
        }
        .map { SchemeIdentifier($0) }
        .filter {
            $0.isWellFormed && !$0.text.hasPrefix(".") && Self.isScheme(folder($0))
        }
        .sorted()
    }

    /// The files of a scheme, or nil if it is not kept.
    public func files(of scheme: SchemeIdentifier) throws(IRMAError) -> SchemeFiles? {
        try require(scheme)
        let folder = folder(scheme)
        guard Self.isScheme(folder) else { return nil }
        guard Self.exists(folder.appendingPathComponent(SchemePath.index.text)) else { throw .withoutIndex(scheme) }
        return try Self.files(of: scheme, in: folder, limits)
    }

    /// What can still be read of a scheme whose files are damaged, or nil if nothing is there; files that are too large are
    /// left out.
    public func remains(of scheme: SchemeIdentifier) async throws(IRMAError) -> SchemeFiles? {
        try require(scheme)
        let files = try Self.remains(in: folder(scheme), limits)
        return files.isEmpty ? nil : SchemeFiles(scheme: scheme, files: files)
    }

    /// Returns `true` if a file that the index does not name is kept.
    public func hasUnsignedFile(_ path: SchemePath, of scheme: SchemeIdentifier) async throws(IRMAError) -> Bool {
        try require(scheme)
        let path = try SchemePath(checking: path.text)
        return Self.exists(folder(scheme).appendingPathComponent(path.text))
    }

    /// Puts a version of a scheme in the place of the one that is kept, if any.
    public func replace(
        with files: VerifiedSchemeFiles,
        unsigned: [SchemePath: [UInt8]]
    ) throws(IRMAError) {
        try require(files.scheme)
        let folder = folder(files.scheme)
        let temporary = url.appendingPathComponent(Self.temporaryPrefix + files.scheme.text, isDirectory: true)
        try remove(temporary)
        try change(temporary) {
            try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
        }
        var stored = files.stored
        for (path, bytes) in unsigned where stored.files[path] == nil {
            stored.files[try SchemePath(checking: path.text)] = bytes
        }
        for (path, bytes) in stored.files.sorted(by: { $0.key < $1.key }) {
            let file = temporary.appendingPathComponent(path.text)
            try change(file) {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(bytes).write(to: file)
                if path.isPrivateKey { try Self.hide(file) }
            }
        }
        guard Self.exists(folder) else {
            try Self.synchronize(allIn: temporary)
            try move(temporary, to: folder)
            try Self.synchronize(url)
            return
        }
        try copyUnsignedFiles(from: folder, to: temporary, except: stored, signedBy: files.publicKey)
        try Self.synchronize(allIn: temporary)
        let old = url.appendingPathComponent(Self.oldPrefix + files.scheme.text, isDirectory: true)
        try remove(old)
        try move(folder, to: old)
        try move(temporary, to: folder)
        try Self.synchronize(url)
        try remove(old)
    }

    /// Copies the files that neither version's index names, such as private keys.
    ///
    /// Where the old index is damaged, those go along that belong in none.
    private func copyUnsignedFiles(
        from folder: URL,
        to temporary: URL,
        except new: SchemeFiles,
        signedBy key: PublicKey
    ) throws(IRMAError) {
        let old = SchemeFiles(scheme: new.scheme, files: try Self.remains(in: folder, limits))
        let index = old.signedIndex(by: key, limits: limits)
        let isRequestorScheme = new.files[RequestorScheme.descriptionPath] != nil
        func isSigned(_ path: SchemePath) -> Bool {
            guard let index else { return UnsignedIRMAScheme.isIndexed(path, isRequestorScheme: isRequestorScheme) }
            return index.digests[path] != nil
        }
        let paths = try storing(at: folder) { try FileManager.default.subpathsOfDirectory(atPath: folder.path) }
        for text in paths {
            let path = SchemePath(text)
            let source = folder.appendingPathComponent(text)
            guard new.files[path] == nil, !isSigned(path), !Self.isFolder(source) else { continue }
            let target = temporary.appendingPathComponent(text)
            try change(target) {
                try FileManager.default.createDirectory(
                    at: target.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try FileManager.default.copyItem(at: source, to: target)
            }
        }
    }

    private func folder(_ scheme: SchemeIdentifier) -> URL {
        url.appendingPathComponent(scheme.text, isDirectory: true)
    }

    /// Refuses a name that is not a folder's.
    private func require(_ scheme: SchemeIdentifier) throws(IRMAError) {
        guard scheme.isWellFormed, !scheme.text.hasPrefix(".") else {
            throw IRMAError(.invalidPath, "no name of a scheme", path: [scheme.text])
        }
    }
}

extension SchemeDirectory {
    private func change(_ url: URL, _ body: () throws -> Void) throws(IRMAError) {
        try beforeChange()
        try storing(at: url, body)
    }

    private func move(_ source: URL, to target: URL) throws(IRMAError) {
        try change(target) { try FileManager.default.moveItem(at: source, to: target) }
    }

    private func remove(_ url: URL) throws(IRMAError) {
        guard Self.exists(url) else { return }
        try change(url) { try FileManager.default.removeItem(at: url) }
    }

    /// Brings back schemes that were moved away and whose place is empty, then removes what is left over.
    private static func recover(_ url: URL) throws(IRMAError) {
        try storing(at: url) {
            for name in try FileManager.default.contentsOfDirectory(atPath: url.path) where name.hasPrefix(oldPrefix) {
                let folder = url.appendingPathComponent(String(name.dropFirst(oldPrefix.count)), isDirectory: true)
                guard !exists(folder) else { continue }
                try FileManager.default.moveItem(at: url.appendingPathComponent(name), to: folder)
            }
            for name in try FileManager.default.contentsOfDirectory(atPath: url.path)
            where name.hasPrefix(oldPrefix) || name.hasPrefix(temporaryPrefix) {
                try FileManager.default.removeItem(at: url.appendingPathComponent(name))
            }
        }
    }

    /// Keeps a private key from other users of the system.
    private static func hide(_ url: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    }

    private static func isFolder(_ url: URL) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder
    }
}
