import Foundation
import Synchronization

/// The file of a store that keeps its records with SQLite: on a local disk, and for its owner alone.
public struct SQLiteFile: Hashable, Sendable {
    /// The path.
    public let path: String
    /// The last component of the path, for messages.
    public let name: String

    /// Held while a file is made.
    private static let making = Mutex(())

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
        let failure = Self.making.withLock { _ in Self.makeFile(at: path) }
        if let failure { throw refusal("the file cannot be created: \(String(cString: strerror(failure)))") }
    }

    /// Makes a file unless it is there; returns the error's number.
    ///
    /// A file that is there is not opened, nor is one that another store makes at the same time: closing it would end the locks that
    /// SQLite holds on it in this process.
    private static func makeFile(at path: String) -> Int32? {
        guard access(path, F_OK) != 0 else { return nil }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return errno }
        close(descriptor)
        return nil
    }
}
