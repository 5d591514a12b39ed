#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension SchemeDirectory {
    /// Waits until a folder and everything in it are on the disk: after a loss of power, no file of a scheme is cut.
    static func synchronize(allIn folder: URL) throws(IRMAError) {
        let paths = try storing(at: folder) { try FileManager.default.subpathsOfDirectory(atPath: folder.path) }
        for path in paths { try synchronize(folder.appendingPathComponent(path)) }
        try synchronize(folder)
    }

    /// Waits until a file, or the entries of a folder, are on the disk.
    static func synchronize(_ url: URL) throws(IRMAError) {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            // A link to nothing, among the files that no index names.
            if errno == ENOENT { return }
            throw failure("open", url)
        }
        defer { _ = close(descriptor) }
        // Some file systems have no way to do so for folders.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure("synchronize", url) }
    }

    private static func failure(_ call: String, _ url: URL) -> IRMAError {
        IRMAError(.storageFailed, "\(call): \(String(cString: strerror(errno)))", path: [url.lastPathComponent])
    }
}
