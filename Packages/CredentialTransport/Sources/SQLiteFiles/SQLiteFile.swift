import Foundation

/// The file of a store that keeps its records with SQLite: on a local disk, and for its owner alone.
public struct SQLiteFile: Hashable, Sendable {
    /// The path.
    public let path: String
    /// The last component of the path, for messages.
    public let name: String

    /// Takes the path of a file, which need not be there.
    ///
    /// - Parameters:
    ///   - path: The path; neither empty nor one of SQLite's names for something else, such as `:memory:` and `file:` URIs.
    ///   - refusal: Makes the error of a store from a message.
    public init<Refusal: Error>(path: String, _ refusal: (String) -> Refusal) throws(Refusal) {
        guard !path.isEmpty, !path.hasPrefix(":"), !path.hasPrefix("file:") else {
            throw refusal("a path of a file is needed, not '\(path)'")
        }
        self.path = path
        name = URL(fileURLWithPath: path).lastPathComponent
    }

    /// Creates the file unless it is there; those that SQLite makes beside it have the same permissions.
    ///
    /// - Parameter refusal: Makes the error of a store from a message.
    public func create<Refusal: Error>(_ refusal: (String) -> Refusal) throws(Refusal) {
        // A file that is there is not opened: closing it would end the locks that SQLite holds on it in this process.
        guard access(path, F_OK) != 0 else { return }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw refusal("the file cannot be created: error \(errno)") }
        close(descriptor)
    }
}
