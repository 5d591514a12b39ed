#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension SchemeDirectory {
    /// The files of one scheme in a folder of any name: of the scheme that the description there names.
    ///
    /// - Throws: ``IRMAError/Code/storageFailed``; ``IRMAError/Code/invalidScheme`` without a description or an index; the errors
    ///   of ``SchemeFiles/init(described:)``, and those of ``files(of:)``.
    public static func files(inSchemeFolder url: URL, limits: SchemeLimits = .default) throws(IRMAError) -> SchemeFiles
    {
        let described = try SchemeFiles(described: try remains(in: url, limits))
        guard described.files[.index] != nil else {
            throw .withoutIndex(described.scheme)
        }
        return try files(of: described.scheme, in: url, limits)
    }

    static func files(
        of scheme: SchemeIdentifier,
        in folder: URL,
        _ limits: SchemeLimits
    ) throws(IRMAError) -> SchemeFiles {
        let index = try read(.index, in: folder, limit: limits.indexSize)
        var files: [SchemePath: [UInt8]] = [.index: index]
        for path in [SchemePath.signature, .publicKey] {
            files[path] = try read(path, in: folder, limit: limits.fileSize)
        }
        var size = 0
        for path in try SchemeIndex(decoding: index, of: scheme, limits: limits).digests.keys {
            let bytes = try read(path, in: folder, limit: limits.fileSize)
            size += bytes.count
            guard size <= limits.totalSize else {
                throw IRMAError(.limitExceeded, "more than \(limits.totalSize) bytes", path: [scheme.text])
            }
            files[path] = bytes
        }
        for path in files[RequestorScheme.descriptionPath] == nil ? [] : try logoPaths(in: folder, limits) {
            let bytes = try read(path, in: folder, limit: limits.fileSize)
            size += bytes.count
            guard size <= limits.totalSize else {
                throw IRMAError(.limitExceeded, "more than \(limits.totalSize) bytes", path: [scheme.text])
            }
            files[path] = bytes
        }
        return SchemeFiles(scheme: scheme, files: files)
    }

    /// The logos of a scheme of requestors, as far as there are any.
    private static func logoPaths(in folder: URL, _ limits: SchemeLimits) throws(IRMAError) -> [SchemePath] {
        let assets = folder.appendingPathComponent("assets", isDirectory: true)
        guard exists(assets) else { return [] }
        let names = try storing(at: assets) { try FileManager.default.contentsOfDirectory(atPath: assets.path) }
        guard names.count <= limits.files else {
            throw IRMAError(.limitExceeded, "more than \(limits.files) files", path: [assets.lastPathComponent])
        }
        return names.map { SchemePath("assets/\($0)") }.filter { $0.logoDigest != nil }
    }

    static func remains(in folder: URL, _ limits: SchemeLimits) throws(IRMAError) -> [SchemePath: [UInt8]] {
        var files: [SchemePath: [UInt8]] = [:]
        let descriptions: [SchemePath] = ["description.xml", RequestorScheme.descriptionPath]
        for path in [.index, .signature, .publicKey, .timestamp] + descriptions
        where exists(folder.appendingPathComponent(path.text)) {
            do throws(IRMAError) {
                files[path] = try read(path, in: folder, limit: path == .index ? limits.indexSize : limits.fileSize)
            } catch {
                guard error.code == .limitExceeded else { throw error }
            }
        }
        return files
    }

    static func read(_ path: SchemePath, in folder: URL, limit: Int) throws(IRMAError) -> [UInt8] {
        let file = folder.appendingPathComponent(path.text)
        return try storing(at: file) {
            let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
            guard let size, size <= limit else {
                throw IRMAError(.limitExceeded, "the file has more than \(limit) bytes", path: [path.text])
            }
            return [UInt8](try Data(contentsOf: file))
        }
    }

    static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    /// Returns `true` for a folder with one of the files that a scheme has at its top, of which a loss of power can take others.
    static func isScheme(_ folder: URL) -> Bool {
        [.index, .publicKey, "description.xml", RequestorScheme.descriptionPath]
            .contains { (path: SchemePath) in exists(folder.appendingPathComponent(path.text)) }
    }
}

extension IRMAError {
    /// The error for a folder of a scheme that has no index.
    static func withoutIndex(_ scheme: SchemeIdentifier) -> IRMAError {
        IRMAError(.invalidScheme, "the scheme has no index", path: [scheme.text])
    }
}

/// Runs work on the file system, and turns its errors into one of this module.
func storing<Value>(at url: URL, _ body: () throws -> Value) throws(IRMAError) -> Value {
    do {
        return try body()
    } catch let error as IRMAError {
        throw error
    } catch {
        throw IRMAError(fileSystem: error, at: url)
    }
}

extension IRMAError {
    /// An error of the file system: the usual ones in a few words, with the path.
    init(fileSystem error: any Error, at url: URL) {
        let place = [url.lastPathComponent]
        let reason: String? =
            switch (error as? CocoaError)?.code {
            case .fileNoSuchFile, .fileReadNoSuchFile: "is not there"
            case .fileReadNoPermission, .fileWriteNoPermission: "needs a permission that is missing"
            case .fileWriteOutOfSpace: "has no room on the disk"
            case .fileWriteVolumeReadOnly: "cannot be written: the disk is read-only"
            default: nil
            }
        guard let reason else {
            self.init(.storageFailed, "the file system refused", path: place, cause: error)
            return
        }
        self.init(.storageFailed, "\(url.path) \(reason)", path: place)
    }
}
