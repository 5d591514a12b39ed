#if Server
import Foundation

/// Access to the files of a configuration: the disk, or what a test puts in its place.
public struct ConfigurationFiles: Sendable {
    /// The largest size of a configuration file, and of a file that holds a value: 1 MiB.
    public static let maximumSize = 1 << 20

    private let read: @Sendable (String) throws -> [UInt8]?

    /// Files by a closure.
    ///
    /// - Parameter read: The bytes of the file with a path; nil if there is none. It throws for a file that cannot be
    ///   read.
    public init(read: @escaping @Sendable (String) throws -> [UInt8]?) {
        self.read = read
    }

    /// The files of this machine; a leading `~/` stands for the user's home.
    public static let local = ConfigurationFiles { path in
        let path = (path as NSString).expandingTildeInPath
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue else {
            return nil
        }
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        return Array(try handle.read(upToCount: maximumSize + 1) ?? Data())
    }

    /// Files in memory, by their paths.
    public static func inMemory(_ files: [String: String]) -> ConfigurationFiles {
        ConfigurationFiles { files[$0].map { Array($0.utf8) } }
    }

    /// The bytes of a file; nil if there is none.
    ///
    /// - Throws: ``OperationsError/Code/unreadableFile`` for a file that is too large or cannot be read.
    func bytes(of path: String, for key: [String] = [], origin: String? = nil) throws(OperationsError) -> [UInt8]? {
        let bytes: [UInt8]?
        do {
            bytes = try read(path)
        } catch {
            throw OperationsError(
                .unreadableFile,
                "the file \(quotedForMessage(path)) cannot be read",
                path: key,
                source: origin
            )
        }
        guard let bytes else { return nil }
        guard bytes.count <= Self.maximumSize else {
            throw OperationsError(
                .unreadableFile,
                "the file \(quotedForMessage(path)) is longer than \(Self.maximumSize) bytes",
                path: key,
                source: origin
            )
        }
        return bytes
    }

    /// The text of a file that holds the value of a key, without a line break at its end.
    ///
    /// - Throws: ``OperationsError/Code/unreadableFile`` for a file that is missing, too large or cannot be read,
    ///   ``OperationsError/Code/invalidValue`` for one that is not UTF-8.
    func text(of file: String, for key: [String], origin: String) throws(OperationsError) -> String {
        guard let bytes = try bytes(of: file, for: key, origin: origin) else {
            throw OperationsError(
                .unreadableFile,
                "there is no file \(quotedForMessage(file))",
                path: key,
                source: origin
            )
        }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw OperationsError(
                .invalidValue,
                "the file \(quotedForMessage(file)) is not UTF-8",
                path: key,
                source: origin
            )
        }
        if text.hasSuffix("\r\n") || text.hasSuffix("\n") { text.removeLast() }
        return text
    }
}
#endif
