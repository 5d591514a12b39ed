public import Foundation
public import Testing

/// A folder of test data made by others, found outside the checkout and never part of it.
///
/// The root is `$CREDENTIALS_VECTORS` if that is set, else `../shared/vectors` beside the checkout. Suites that need a
/// set say so with `.enabled(if:)` and ``isAvailable``, so that a clone without it reports them as skipped:
///
/// ```swift
/// @Test(.enabled(if: VectorSet("cbor").isAvailable, VectorSet.absence))
/// ```
public struct VectorSet: Sendable {
    /// The comment of a skipped test.
    public static let absence: Comment =
        "no external vectors: neither $CREDENTIALS_VECTORS nor ../shared/vectors is there"

    /// The folder that holds all sets, or nil if absent.
    public static let root: URL? = {
        let candidate: URL
        if let path = ProcessInfo.processInfo.environment["CREDENTIALS_VECTORS"], !path.isEmpty {
            candidate = URL(fileURLWithPath: path, isDirectory: true)
        } else {
            candidate = checkout.deletingLastPathComponent().appendingPathComponent("shared/vectors", isDirectory: true)
        }
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isDirectory)
        return exists && isDirectory.boolValue ? candidate : nil
    }()

    /// The root of this repository's checkout.
    public static let checkout: URL = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { url.deleteLastPathComponent() }
        return url
    }()

    /// The name of the set: its path below the root, such as `cbor` or `jose/cookbook`.
    public let name: String

    /// Names a set; nothing is read.
    public init(_ name: String) {
        self.name = name
    }

    /// The set's folder, or nil if it is not there.
    public var url: URL? {
        guard let url = Self.root?.appendingPathComponent(name, isDirectory: true),
            FileManager.default.fileExists(atPath: url.path)
        else { return nil }
        return url
    }

    /// Indicates that the set is there.
    public var isAvailable: Bool { url != nil }

    /// Every file of the set with one of the given extensions, folders below included, sorted by path.
    public func files(withExtension extensions: String...) -> [VectorFile] {
        guard let url, let enumerator = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil) else {
            return []
        }
        let prefix = url.standardizedFileURL.path + "/"
        return enumerator.compactMap { $0 as? URL }
            .filter { extensions.contains($0.pathExtension) }
            .map { VectorFile(set: self, path: String($0.standardizedFileURL.path.dropFirst(prefix.count)), url: $0) }
            .sorted { $0.path < $1.path }
    }

    /// One file of the set by its path below the set's folder, or nil if it is not there.
    public func file(_ path: String) -> VectorFile? {
        guard let url = url?.appendingPathComponent(path), FileManager.default.fileExists(atPath: url.path) else {
            return nil
        }
        return VectorFile(set: self, path: path, url: url)
    }
}
