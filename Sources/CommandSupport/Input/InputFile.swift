import ArgumentParser
import CryptoCore
import Foundation

/// A file named on the command line, or standard input for `-`.
package struct InputFile: ExpressibleByArgument, Sendable {
    /// No input is read beyond this size, in bytes.
    package static let sizeLimit = 64 << 20

    package let path: String

    package init(argument: String) {
        path = argument
    }

    /// The path, as a help page shows it for a default.
    package var defaultValueDescription: String { path }

    /// Indicates that it is standard input.
    package var isStandardInput: Bool { path == "-" }

    /// The name of the file in messages.
    package var name: String { isStandardInput ? "standard input" : path.escapedForDisplay(backslash: true) }

    /// The content of the file; throws an error for a person to act on if it cannot be read or is too large.
    ///
    /// - Parameter sizeLimit: The largest number of bytes to read.
    package func read(sizeLimit: Int = Self.sizeLimit) throws(ToolError) -> [UInt8] {
        let handle = try opened()
        var bytes: [UInt8] = []
        do {
            while let chunk = try handle.read(upToCount: 1 << 20), !chunk.isEmpty {
                guard chunk.count <= sizeLimit - bytes.count else {
                    throw ToolError("\(name) is larger than \(sizeLimit) bytes")
                }
                // A longer file is likely to need the full limit: one reservation avoids copies.
                if bytes.count == 1 << 20 { bytes.reserveCapacity(sizeLimit) }
                bytes += chunk
            }
        } catch let error as ToolError {
            throw error
        } catch {
            throw ToolError("cannot read \(name): \(error)")
        }
        guard !bytes.isEmpty else { throw ToolError("\(name) is empty") }
        return bytes
    }

    /// The file, open for reading; a folder has no content to read.
    private func opened() throws(ToolError) -> FileHandle {
        guard !isStandardInput else { return .standardInput }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ToolError("cannot open \(name): there is no such file; - is standard input")
        }
        guard !isFolder.boolValue else { throw ToolError("\(name) is a folder; name a file in it") }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw ToolError("cannot open \(name): it may not be read")
        }
        return file
    }

    /// The content with its text form taken off.
    package func decoded() throws(ToolError) -> DecodedInput {
        DecodedInput(recognizing: try read())
    }

    /// Reads a structure; an error names the file and the expected structure.
    package func reading<Value>(_ form: String, _ body: () throws -> Value) throws(ToolError) -> Value {
        do {
            return try body()
        } catch {
            throw ToolError("\(name) is no readable \(form): \(error)")
        }
    }
}
