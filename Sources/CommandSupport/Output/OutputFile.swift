import CryptoCore
package import Foundation

/// A file that a command writes.
package struct OutputFile: Sendable {
    package let path: String
    /// The command's option that replaces a file; nil without one.
    private let option: String?

    package init(path: String, replacedBy option: String? = "--force") {
        self.path = path
        self.option = option
    }

    private var presence: ToolError {
        ToolError("\(name) is there already" + (option.map { "; \($0) replaces it" } ?? ""))
    }

    /// The name of the file in messages.
    private var name: String { path.escapedForDisplay(backslash: true) }

    /// Refuses a path where something is already.
    package func requireAbsence() throws(ToolError) {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw presence
        }
    }

    /// Makes the folder of the file, with those around it.
    package func makeFolder() throws(ToolError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw ToolError("cannot make the folder of \(name): \(error)")
        }
    }

    /// Writes the file.
    ///
    /// From its creation on, the file has no more permissions than `mode`. An existing file is replaced as a whole, and
    /// only on request.
    package func write(_ bytes: some ContiguousBytes, mode: mode_t, replacing: Bool) throws(ToolError) {
        guard replacing else { return try create(at: path, bytes, mode: mode) }
        let temporary = "\(path).\(UUID().uuidString)"
        try create(at: temporary, bytes, mode: mode)
        guard rename(temporary, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(temporary)
            throw ToolError("cannot replace \(name): \(reason)")
        }
    }

    private func create(at path: String, _ bytes: some ContiguousBytes, mode: mode_t) throws(ToolError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, mode)
        guard descriptor >= 0 else {
            guard errno == EEXIST else { throw ToolError("cannot write \(name): \(String(cString: strerror(errno)))") }
            throw presence
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            // Without a copy, because the bytes may be a private key's.
            try bytes.withUnsafeBytes { bytes in
                try handle.write(
                    contentsOf: bytes.baseAddress.map {
                        Data(bytesNoCopy: UnsafeMutableRawPointer(mutating: $0), count: bytes.count, deallocator: .none)
                    } ?? Data()
                )
            }
            try handle.close()
        } catch {
            unlink(path)
            throw ToolError("cannot write \(name): \(error)")
        }
    }
}
